// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "reports/picture/picture.h"

namespace gpufeed {

/// A place in the units of a picture.
struct Point {
  float x = 0, y = 0;
};
/// Points that a line goes through.
using Path = std::vector<Point>;

/// Where a link between two boxes is drawn.
Path path_of_link(const Picture& picture, const Wire& wire);

/// The middle of where the load of a link is written: on its line, clear of what hangs beside it.
Point label_of_link(const Picture& picture, const Wire& wire);

}  // namespace gpufeed
