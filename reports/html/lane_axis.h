// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

namespace gpufeed::html {

/// Width of a picture's lanes, in units of theirs.
inline constexpr double kLaneWidth = 10000;

/// The marks below lanes, both ends included.
/// \param words  what stands at a place, 0 at the left end to 1 at the right one
std::string lane_axis(const std::function<std::string(double)>& words);

}  // namespace gpufeed::html
