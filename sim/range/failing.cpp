// SPDX-License-Identifier: Apache-2.0
#include "sim/range/failing.h"

#include <algorithm>

#include "sim/model/failures/goodput.h"

namespace gpufeed {
namespace {

Stretches stretches_of(const Result& result, double slower) {
  Stretches out{0, 0, result.training_s * slower};
  if (!result.failures->interval_s) return out;
  out.count = static_cast<double>(result.checkpoint->count);
  out.length = (*result.failures->interval_s + std::max(0.0, result.checkpoint->cost_s)) * slower;
  out.last = std::max(0.0, out.last - out.count * out.length);
  return out;
}

}  // namespace

double training_with_failures(const Result& result, double slower) {
  const double now = result.time_to_result_s - result.before_training_s();
  if (!result.failures) return now * slower;
  const FailureTimes times{result.failures->mtbf_s, 0, 0};  // restarts are a factor of both
  return now * time_through(stretches_of(result, slower), times) /
         time_through(stretches_of(result, 1), times);
}

}  // namespace gpufeed
