// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/writers/phrase.h"
#include "reports/writers/phrase_book.h"

namespace gpufeed {

template <>
struct Phrases<LayoutCode> {
  using enum LayoutCode;
  using Row = Phrase<LayoutCode>;
  static constexpr std::array all{
      Row{tensor, "tensor {gpus}"},
      Row{tensor_with_sequence, "tensor {gpus} with sequence"},
      Row{pipeline, "pipeline {stages}"},
      Row{pipeline_of_virtual_stages, "pipeline {stages} x {parts} virtual"},
      Row{context, "context {gpus}"},
      Row{expert, "expert {gpus}"},
      Row{data, "data {replicas}"},
      Row{sharded, "{what} sharded"}};
};
static_assert(is_complete<LayoutCode>());

std::string sentence(const SplitOver& split) { return sentence_of(split); }

std::string in_words(const std::vector<SplitOver>& layout) {
  std::vector<std::string> parts;
  parts.reserve(layout.size());
  for (const SplitOver& one : layout) parts.push_back(sentence(one));
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace gpufeed
