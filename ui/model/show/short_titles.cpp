// SPDX-License-Identifier: Apache-2.0
#include "ui/model/show/short_titles.h"

#include <algorithm>

namespace gpufeed::ui {
namespace {

/// "PM1733" of "PM1733 3.84 TB".
std::string without_size(const std::string& title) {
  const std::size_t unit = title.rfind(' ');
  if (unit == std::string::npos || unit == 0 || !title.ends_with('B')) return title;
  const std::size_t number = title.rfind(' ', unit - 1);
  const bool is_number = number != std::string::npos && number + 1 < unit &&
                         title.find_first_not_of("0123456789.", number + 1) == unit;
  return is_number ? title.substr(0, number) : title;
}

}  // namespace

std::vector<std::string> short_titles(std::string_view title) {
  std::vector<std::string> out{std::string(title)};
  const std::size_t end = std::min(title.find(", "), title.find(" ("));
  if (end < title.size()) out.emplace_back(title.substr(0, end));
  const std::string name = out.back();
  // What follows a maker is a name, not a word.
  if (const std::size_t maker = name.find(' ');
      maker != std::string::npos && (name[maker + 1] < 'a' || name[maker + 1] > 'z'))
    out.push_back(name.substr(maker + 1));
  if (const std::string without = without_size(out.back()); without != out.back())
    out.push_back(without);
  return out;
}

}  // namespace gpufeed::ui
