// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/model/result/range.h"

namespace gpufeed {

/// "17,900 to 21,300".
std::string interval_text(const Interval80& interval);

/// Whether it says no more than the order of magnitude: its ends are more than a factor of 4 apart.
bool order_of_magnitude(const Interval80& interval);

/// Of a logarithm: "±25 %", from 50 % on "within a factor of 3.8".
std::string deviation_text(double deviation);

/// "decode time of ImageNet-1k": as buyers call it.
std::string parameter_in_words(const RangeCause& cause);

/// "decode_time of imagenet-1k (±25 %, estimate; 92 % of the variance)".
std::string cause_text(const RangeCause& cause);

/// The range, what it rests on most, and what to measure: rows of the screen.
std::string range_rows(const Range& range);

}  // namespace gpufeed
