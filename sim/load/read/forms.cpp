// SPDX-License-Identifier: Apache-2.0
#include "sim/load/read/forms.h"

#include "sim/load/read/toml_text.h"

namespace gpufeed {

std::string expected_quantity(const UnitTable& units) {
  return fmt::format("text with a unit, such as \"{}\"", units.example);
}

std::string with_article(std::string_view kind) {
  const bool vowel = std::string_view("aeio").find(kind.front()) != std::string_view::npos;
  return fmt::format("{}{}", kind.ends_with('s') ? "" : vowel ? "an " : "a ", kind);
}

std::string expected_entry(std::string_view kind) {
  return fmt::format("the name of {} in the catalog, a path to its file, or a table",
                     with_article(kind));
}

std::string expected_word(std::span<const std::string_view> words) {
  return fmt::format("one of \"{}\"", fmt::join(words, "\", \""));
}

std::string expected_range(const UnitTable& units, double min, double max) {
  return fmt::format("text with a unit from {} to {}", toml_quantity(units, min),
                     toml_quantity(units, max));
}

std::string expected_range(std::int64_t min, std::int64_t max) {
  return fmt::format("a whole number from {} to {}", min, max);
}

}  // namespace gpufeed
