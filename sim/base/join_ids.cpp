// SPDX-License-Identifier: Apache-2.0
#include "sim/base/join_ids.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <unordered_map>
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

std::string join_ids_of_nodes(const std::vector<std::string>& ids) {
  using Parts = std::vector<std::string>;
  std::vector<std::pair<std::string, Parts>> nodes;  // in the order in which they are named
  std::unordered_map<std::string, std::size_t> places;
  for (const auto& id : ids) {
    const std::size_t space = id.find(' ');
    if (space == std::string::npos) return join_ids(ids);
    const auto [place, is_new] = places.try_emplace(id.substr(0, space), nodes.size());
    if (is_new) nodes.push_back({place->first, {}});
    nodes[place->second].second.push_back(id.substr(space + 1));
  }
  std::vector<std::pair<Parts, Parts>> alike;  // parts, and the nodes that have these
  for (const auto& [node, parts] : nodes) {
    auto found = std::ranges::find(alike, parts, &std::pair<Parts, Parts>::first);
    if (found == alike.end()) found = alike.insert(found, {parts, {}});
    found->second.push_back(node);
  }
  std::string out;
  for (const auto& [parts, of] : alike)
    out += fmt::format("{}{} of {}", out.empty() ? "" : ", ", join_ids(parts), join_ids(of));
  return out;
}

}  // namespace gpufeed
