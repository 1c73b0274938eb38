// SPDX-License-Identifier: Apache-2.0
#include "ui/model/show/short_titles.h"

#include <algorithm>

namespace gpufeed::ui {

std::vector<std::string> short_titles(std::string_view title) {
  std::vector<std::string> out{std::string(title)};
  const std::size_t end = std::min(title.find(", "), title.find(" ("));
  if (end < title.size()) out.emplace_back(title.substr(0, end));
  const std::string name = out.back();
  if (const std::size_t maker = name.find(' '); maker != std::string::npos)
    out.push_back(name.substr(maker + 1));
  return out;
}

}  // namespace gpufeed::ui
