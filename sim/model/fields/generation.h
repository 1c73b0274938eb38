// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace gpufeed {

/// A generation of GPUs: NVIDIA Hopper, AMD CDNA 3.
struct Generation {
  std::string maker;
  std::string architecture;

  auto operator<=>(const Generation&) const = default;
};

/// Nothing where `text` does not say both, the maker in one word before the rest.
std::optional<Generation> parse_generation(std::string_view text);
std::string text(const Generation& generation);

}  // namespace gpufeed
