// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/model/result/range.h"

namespace gpufeed {

/// "17,900 to 21,300".
std::string interval_text(const Interval80& interval);

/// "decode_time of imagenet-1k (estimate, +-25 %; 92 % of the range)".
std::string cause_text(const RangeCause& cause);

/// The range, what it rests on most, and what to measure: rows of the screen.
std::string range_rows(const Range& range);

}  // namespace gpufeed
