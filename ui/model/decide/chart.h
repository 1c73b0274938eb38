// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "ui/model/decide/sweeper.h"
#include "ui/model/show/figures.h"

namespace gpufeed::ui {

/// A point of a sweep in its chart.
struct ChartPoint {
  double x = 0;
  std::optional<double> y;  ///< nothing: it failed, waits, or has no such figure
  std::size_t point = 0;    ///< of the sweep
};

/// A line: one value of the sweep's second axis.
struct ChartLine {
  std::string name;  ///< empty where there is one axis
  std::vector<ChartPoint> points;
  bool failed = false;  ///< every point of it: they cannot be built
};

/// A figure over the values of the first axis.
struct Chart {
  std::string x_name;
  std::string line_name;             ///< the second axis; empty where there is none
  std::vector<std::string> x_texts;  ///< of the values, without quotes
  std::vector<double> x;             ///< their places: the numbers themselves, or 0, 1, 2, ...
  std::vector<ChartLine> lines;
  double low = 0, high = 0;  ///< of the points; both 0 where there is none
};

/// Places are proportional to the values where all are numbers in one unit and the greatest is at
/// most 20 times the smallest; else evenly spaced.
Chart chart_of(const SweepJob& job, const std::vector<SweptPoint>& points, const Figure& figure);

/// Round numbers from 0 to at least `high`, about so many steps.
std::vector<double> ticks_to(double high, int steps);

}  // namespace gpufeed::ui
