// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>

#include "sim/base/units.h"
#include "ui/cli/options.h"

namespace gpufeed::cli {

/// The value of an option with a unit, above zero. \throws UsageError
template <class Q>
Q quantity_of(const std::optional<std::string>& given, Q otherwise, const char* option,
              const Options& options) {
  if (!given) return otherwise;
  const auto value = parse_in(units_of<Q>(), *given);
  if (value && *value > 0) return {*value};
  throw options.error(fmt::format("{} must be a quantity such as \"{}\"; found \"{}\"", option,
                                  text(otherwise), *given));
}

}  // namespace gpufeed::cli
