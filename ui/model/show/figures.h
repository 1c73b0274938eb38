// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/model/result/result.h"

namespace gpufeed::ui {

enum class Better { none, high, low };

/// One number by which answers are compared and drawn.
struct Figure {
  const char* name;
  const char* help;
  Better better;
  bool drawn;  ///< as uncertain as the rate is
  /// Nothing where the work has none.
  std::optional<double> (*of)(const Result& result);
  /// With its unit.
  std::string (*words)(double value);
  /// Whether something is left out: a price that is not known.
  bool (*is_part)(const Result& result);

  /// "over 4,608 USD"; a dash where there is none.
  std::string text(const Result& result) const;
};

/// All there are: the rate first.
const std::vector<Figure>& figures();

}  // namespace gpufeed::ui
