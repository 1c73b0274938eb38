// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace gpufeed::html {

struct ChartPoint {
  double x = 0, y = 0;
  std::string words;  ///< shown where one points at it
  bool strong = false;
};

/// Points of one color; at most six series are told apart.
struct Series {
  std::string name;  ///< in the legend; empty: not there
  std::vector<ChartPoint> points;
  bool line = false;  ///< joins them in their order
};

/// A chart whose axes begin at 0 or at a lower least value; a picture that keeps its shape.
struct Chart {
  std::string name;  ///< for those who do not see it
  std::string x_name, y_name;
  std::vector<std::string> categories;  ///< names of x = 0, 1, ...; empty: x are numbers
  std::vector<Series> series;
  bool x_from_zero = true;  ///< else the x axis begins near the least value

  std::string markup() const;
};

}  // namespace gpufeed::html
