// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/limits/concurrent_readers.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gpufeed {
namespace {

/// Of a request by the law, which meets what n - 1 readers have under way.
Seconds time_by_law(const DriveLaw& law, const ConcurrentReaders& readers) {
  double others = 0;
  Seconds time{};
  for (double n = 1; n <= readers.count; ++n) {
    const double under_way = 1 + others;
    time = Bytes{readers.request.value * under_way} /
           attained_bandwidth(law, readers.request, under_way);
    others = n * (time / (time + readers.beside));
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

Seconds wait_among(const DriveLaw& law, const ConcurrentReaders& readers) {
  const Seconds by_law = time_by_law(law, readers);
  const Seconds alone =
      readers.request /
      attained_bandwidth(law, readers.request, std::numeric_limits<double>::infinity());
  // Longer waits would let readers of large requests meet less often; but those march in step.
  const Seconds moving = time_by_sharing(alone, readers.count, readers.beside + law.latency);
  return std::max(law.latency, by_law - moving);
}

}  // namespace gpufeed
