// SPDX-License-Identifier: Apache-2.0
#include "sim/model/failures/goodput.h"

#include <cmath>

namespace gpufeed {

double time_through(double length, const FailureTimes& times) {
  return times.between * std::exp(times.restart / times.between) *
         std::expm1(length / times.between);
}

double time_through(const Stretches& work, const FailureTimes& times) {
  double time = time_through(work.last, times);
  if (work.count > 0) time += work.count * time_through(work.length, times);
  return time;
}

double goodput(double interval, const FailureTimes& times) {
  if (interval <= 0) return times.checkpoint > 0 ? 0 : std::exp(-times.restart / times.between);
  return interval / time_through(interval + times.checkpoint, times);
}

double best_interval(const FailureTimes& times) {
  if (times.checkpoint <= 0) return 0;
  const double cost = times.checkpoint / times.between;
  // ln(1 - x) + x + d/M falls from above 0 to minus infinity as x = t/M goes from 0 to 1
  double low = 0;
  double high = 1;
  for (int i = 0; i < 200; ++i) {
    const double x = (low + high) / 2;
    (std::log1p(-x) + x + cost > 0 ? low : high) = x;
  }
  return low * times.between;
}

}  // namespace gpufeed
