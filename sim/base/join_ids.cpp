// SPDX-License-Identifier: Apache-2.0
#include "sim/base/join_ids.h"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <utility>

namespace gpufeed {
namespace {

/// "ssd12" -> {"ssd", 12}; an id without a number at its end has -1.
std::pair<std::string, int> split(const std::string& id) {
  std::size_t digits = id.size();
  while (digits > 0 && std::isdigit(static_cast<unsigned char>(id[digits - 1]))) --digits;
  int number = -1;
  std::from_chars(id.data() + digits, id.data() + id.size(), number);
  return {id.substr(0, digits), number};
}

}  // namespace

std::string join_ids(const std::vector<std::string>& ids) {
  std::string out;
  for (std::size_t i = 0; i < ids.size();) {
    const auto [stem, first] = split(ids[i]);
    std::size_t end = i + 1;
    while (end < ids.size() &&
           split(ids[end]) == std::pair{stem, first + static_cast<int>(end - i)} && first >= 0)
      ++end;
    if (!out.empty()) out += ", ";
    if (end - i >= 3)
      out += fmt::format("{}-{}", ids[i], ids[end - 1]), i = end;
    else
      out += ids[i++];
  }
  return out;
}

}  // namespace gpufeed
