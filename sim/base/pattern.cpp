// SPDX-License-Identifier: Apache-2.0
#include "sim/base/pattern.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>

namespace gpufeed {
namespace {

/// "ssd*" for ssd0, ssd1; each once.
Names families_of(const Names& ids) {
  Names families;
  for (const std::string& id : ids) {
    const std::string family = id.substr(0, id.find_last_not_of("0123456789") + 1) + "*";
    if (!std::ranges::count(families, family)) families.push_back(family);
  }
  return families;
}

}  // namespace

bool is_pattern(const std::string& text) { return text.find_first_of("*?") != std::string::npos; }

bool matches(const std::string& pattern, const std::string& id) {
  return fnmatch(pattern.c_str(), id.c_str(), 0) == 0;
}

std::string suggestion_for(const std::string& pattern, const Names& ids) {
  if (is_pattern(pattern))
    if (const auto near = nearest(pattern, families_of(ids)))
      return fmt::format("did you mean \"{}\"?", *near);
  return suggestion(pattern, ids);
}

}  // namespace gpufeed
