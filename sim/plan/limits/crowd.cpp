// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/limits/crowd.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gpufeed {
namespace {

/// Of a request, by the law.
Seconds time_by_law(const DriveLaw& law, const Crowd& crowd) {
  constexpr int kRounds = 60;  // each halves the error
  double under_way = crowd.readers;
  Seconds time{};
  for (int round = 0; round < kRounds; ++round) {
    time =
        Bytes{crowd.request.value * under_way} / attained_bandwidth(law, crowd.request, under_way);
    const double part = time / (time + crowd.beside);
    under_way = (under_way + 1 + (crowd.readers - 1) * part) / 2;
  }
  return time;
}

/// How long a request moves bytes, of readers that share the drive's rate evenly and spend `beside`
/// between: Reiser and Lavenberg, Mean-Value Analysis (1980), for a queue and a delay.
Seconds time_by_sharing(Seconds alone, double readers, Seconds beside) {
  double queue = 0;
  Seconds time = alone;
  for (double n = 1; n <= readers; ++n) {
    time = alone * (1 + queue);
    queue = n * (time / (time + beside));
  }
  return time;
}

}  // namespace

Seconds wait_in_crowd(const DriveLaw& law, const Crowd& crowd) {
  const Seconds by_law = time_by_law(law, crowd);
  const Seconds alone = crowd.request / attained_bandwidth(law, crowd.request,
                                                           std::numeric_limits<double>::infinity());
  // Longer waits would let readers of large requests meet less often; but those march in step.
  const Seconds moving = time_by_sharing(alone, crowd.readers, crowd.beside + law.latency);
  return std::max(law.latency, by_law - moving);
}

}  // namespace gpufeed
