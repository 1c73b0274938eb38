// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/limits/lasting_speed.h"

#include "sim/base/numbers/statistics.h"

namespace gpufeed {
namespace {

/// The expected value of the one at `place`, from 1, of `count` standard normal ones in order.
double expected_in_order(std::int64_t place, std::int64_t count) {
  constexpr double kBlom = 0.375;
  const double part = (static_cast<double>(place) - kBlom) / (static_cast<double>(count) + 0.25);
  return normal_quantile(part);
}

}  // namespace

double lasting_slowness(Ratio spread, std::int64_t gpu, std::int64_t gpus, std::int64_t all) {
  if (spread.value == 0) return 1;
  const bool last = gpu + 1 == gpus;
  return 1 + spread.value * expected_in_order(last ? all : gpu + 1, last ? all : gpus);
}

}  // namespace gpufeed
