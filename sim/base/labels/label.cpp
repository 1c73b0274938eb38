// SPDX-License-Identifier: Apache-2.0
#include "sim/base/labels/label.h"

#include <fmt/format.h>

#include "sim/base/labels/label_text.h"

namespace gpufeed {

Label inside(const Label& part, std::string_view what) {
  return Label(fmt::format("{} {}", text_of(part), what));
}

Label link_label(const Label& from, const Label& to) {
  return Label(fmt::format("{} -> {}", text_of(from), text_of(to)));
}

std::vector<std::string> texts_of(const std::vector<Label>& labels) {
  std::vector<std::string> texts;
  texts.reserve(labels.size());
  for (const Label& label : labels) texts.push_back(text_of(label));
  return texts;
}

}  // namespace gpufeed
