// SPDX-License-Identifier: Apache-2.0
#include "sim/model/fields/generation.h"

namespace gpufeed {

std::optional<Generation> parse_generation(std::string_view text) {
  const std::size_t space = text.find(' ');
  if (space == 0 || space == std::string_view::npos || space + 1 == text.size()) return {};
  return Generation{std::string(text.substr(0, space)), std::string(text.substr(space + 1))};
}

std::string text(const Generation& generation) {
  return generation.maker + " " + generation.architecture;
}

}  // namespace gpufeed
