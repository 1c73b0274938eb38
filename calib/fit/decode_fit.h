// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/base/units.h"

namespace gpufeed {

/// One kind of sample, decoded by one worker.
struct DecodeTime {
  double pixels = 0;
  Bytes stored;
  Seconds of_sample;
};

/// per_sample + stored / byte_rate + pixels / pixel_rate, without the terms that the times do not
/// determine.
struct DecodeFit {
  Seconds per_sample;
  std::optional<Bandwidth> byte_rate;
  std::optional<Rate> pixel_rate;
  double residual = 0;                ///< how far it departs from a time, median
  double deviation = 0;               ///< of the least certain of its terms, over the term
  std::vector<std::string> left_out;  ///< terms that the times do not determine, in words
};

/// Least squares of log(law / measured), in which departures above 10 % count linearly. A term is
/// left out where it is known no better than to a half.
/// \throws InputError  where there are fewer than 3 times, or all of one size
DecodeFit fit_decoding(const std::vector<DecodeTime>& times, const std::string& name);

}  // namespace gpufeed
