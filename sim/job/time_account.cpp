// SPDX-License-Identifier: Apache-2.0
#include "sim/job/time_account.h"

#include <algorithm>

#include "sim/base/assert.h"

namespace gpufeed {
namespace {

// What a picture of the first steps can show: the fill of the loaders and some steps after it, a
// row for each GPU of the largest machines.
constexpr std::int64_t kTimelineSteps = 8;
constexpr std::size_t kTimelineGpus = 16;

}  // namespace

void TimeAccount::add(std::size_t g, std::int64_t step, const Batch& used, const Computed& computed,
                      const Waits& waits) {
  GPUFEED_ASSERT(used.copy_end <= computed.start, "a batch is kept until its step is over");
  Seconds from = waits.from;
  const auto spend = [&](Activity activity, Seconds until) {
    if (until <= from) return;
    spent_[g][static_cast<std::size_t>(activity)] += (until - from).value;
    if (step < kTimelineSteps && g < kTimelineGpus)
      timeline_.push_back({plan_.gpus[g].number, step, activity, from.value, until.value});
    from = until;
  };
  spend(Activity::checkpoint, std::min(waits.stopped, computed.start));
  // While a GPU waits for the loader, its batch has been read and decoded: both delayed it, each
  // by the time it took.
  const Seconds lifetime = used.decode_end - used.read_start;
  if (used.decode_end > from && lifetime.value > 0)
    spend(Activity::storage,
          from + (used.decode_end - from) * ((used.read_end - used.read_start) / lifetime));
  spend(Activity::decode, used.decode_end);
  spend(Activity::copy, used.copy_end);
  spend(Activity::barrier, computed.start);
  spend(Activity::compute, computed.end);
  spend(Activity::barrier, waits.computed);
  spend(Activity::exchange, waits.exchanged);
  spend(Activity::checkpoint, waits.until);
}

}  // namespace gpufeed
