// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/verb_parts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reports/writers/layout.h"
#include "sim/base/diagnostics.h"
#include "ui/cli/output.h"

namespace gpufeed::cli {
namespace {

std::string whole(const std::vector<VerbText>& parts) {
  std::string out;
  for (const auto& part : parts) out += (out.empty() ? "" : "\n") + whole_help(part);
  return out;
}

std::string overview(const std::string& verb, const std::vector<VerbText>& parts) {
  constexpr std::size_t kNarrowest = 12;
  Names names;
  std::size_t width = kNarrowest;
  for (const auto& part : parts) {
    names.push_back(part.verb.substr(verb.size() + 1));
    width = std::max(width, names.back().size() + 4);
  }
  std::string lines;
  for (std::size_t i = 0; i < parts.size(); ++i)
    lines += labeled("  " + names[i], gist(parts[i].summary), width);
  return fmt::format("Usage: gpufeed {} {} ...\n\n{}\n", verb, fmt::join(names, "|"), lines) +
         fmt::format("gpufeed {} {} --help explains one; gpufeed {} --help-all prints all.\n", verb,
                     names.front(), verb);
}

}  // namespace

VerbText text_of(VerbFunction run, Arguments before) {
  before.emplace_back(kDescribe);
  try {
    run(before);
  } catch (const VerbText& text) {
    return text;
  }
  throw std::logic_error("a verb does not describe itself");
}

bool helped(const std::string& verb, const std::vector<VerbFunction>& parts,
            const Arguments& arguments) {
  if (arguments.empty()) return false;
  const std::string& first = arguments.front();
  if (first != "--help" && first != "-h" && first != "--help-all") return false;
  std::vector<VerbText> texts;
  texts.reserve(parts.size());
  for (const VerbFunction part : parts) texts.push_back(text_of(part));
  print(first == "--help-all" ? whole(texts) : overview(verb, texts));
  return true;
}

}  // namespace gpufeed::cli
