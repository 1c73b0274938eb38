// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "sim/load/read/reader.h"
#include "sim/model/catalog/chassis.h"

namespace gpufeed {

/// A machine that is asked for: a chassis, and the table that says which parts go into it.
struct Request {
  const toml::table& system;
  const KeyPath& place;  ///< of the table: system
  const Chassis& chassis;
  Reader& reader;
  Diagnostics& out;  ///< for whatever does not fit

  /// Reports what does not go into the chassis, in words that go on behind the key.
  template <class... Args>
  Problem& refuse(std::string_view key, const Location& where, fmt::format_string<Args...> format,
                  Args&&... args) const {
    Problem& problem = out.refuse(place / key, where, format, std::forward<Args>(args)...);
    problem.code = ProblemCode::unfit_part;
    return problem;
  }
};

/// The keys that say what goes into a chassis; no other system has them, but for tables of "gpu".
inline constexpr std::array<std::string_view, 6> kPartKeys{"cpu",    "memory", "gpu",
                                                           "drives", "nics",   "place"};

/// Whether a key says parts by text or texts, such as `gpu = "8 x NAME"`, not as tables of parts.
inline bool is_text(const toml::node* node) {
  if (!node) return false;
  if (const auto* list = node->as_array()) return !list->is_array_of_tables();
  return true;
}

}  // namespace gpufeed
