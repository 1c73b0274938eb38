// SPDX-License-Identifier: Apache-2.0
#include "sim/job/time_account.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "sim/base/assert.h"

namespace gpufeed {
namespace {

double& of(TimeSpent& spent, Activity activity) {
  return spent[static_cast<std::size_t>(activity)];
}
double of(const TimeSpent& spent, Activity activity) {
  return spent[static_cast<std::size_t>(activity)];
}

/// By how much the last GPU was later than another, by cause; `rest`: for none of these.
TimeSpent causes(const TimeSpent& last, const TimeSpent& own) {
  TimeSpent later{};
  for (const Activity cause :
       {Activity::storage, Activity::decode, Activity::copy, Activity::gpu_decode})
    of(later, cause) = std::max(0.0, of(last, cause) - of(own, cause));
  of(later, Activity::barrier) =
      std::max(0.0, of(last, Activity::compute) - of(own, Activity::compute)) +
      std::max(0.0, of(last, Activity::barrier) - of(own, Activity::barrier));
  return later;
}

}  // namespace

TimeSpent TimeAccount::until_computed(Seconds from, const Batch& used, const Computed& computed) {
  TimeSpent spent{};
  const auto spend = [&](Activity activity, Seconds until) {
    if (until <= from) return;
    of(spent, activity) += (until - from).value;
    from = until;
  };
  // While a GPU waits for the loader, its batch has been read and decoded: both delayed it, each
  // by the time it took.
  const Seconds lifetime = used.decode_end - used.read_start;
  if (used.decode_end > from && lifetime.value > 0)
    spend(Activity::storage,
          from + (used.decode_end - from) * ((used.read_end - used.read_start) / lifetime));
  spend(Activity::decode, used.decode_end);
  spend(Activity::copy, used.copy_end);
  spend(Activity::gpu_decode, used.gpu_decode_end);
  spend(Activity::barrier, computed.start);
  spend(Activity::compute, computed.end);
  return spent;
}

void TimeAccount::add(std::size_t g, std::int64_t step, const Batch& used, const Computed& computed,
                      const Waits& waits, const TimeSpent& last) {
  GPUFEED_ASSERT(used.gpu_decode_end <= computed.start, "a batch is kept until its step is over");
  Seconds from = waits.from;
  const auto spend = [&](Activity activity, Seconds until) {
    if (until <= from) return;
    of(spent_[g], activity) += (until - from).value;
    if (recorder_) recorder_->add(g, {step, activity, from.value, until.value});
    from = until;
  };
  constexpr std::array kWaits{Activity::storage, Activity::decode, Activity::copy,
                              Activity::gpu_decode, Activity::barrier};
  spend(Activity::checkpoint, std::min(waits.stopped, computed.start));
  const TimeSpent own = until_computed(from, used, computed);
  for (const Activity wait : kWaits) spend(wait, from + Seconds{of(own, wait)});
  if (computed.decoded > computed.start) spend(Activity::gpu_decode, computed.decoded);
  const double computing = 1 - plan_.gpus[g].stages_wait.value;
  spend(Activity::compute, from + (computed.end - from) * computing);
  spend(Activity::barrier, computed.end);
  if (waits.computed > from) {
    const TimeSpent later = causes(last, own);
    const double all = std::accumulate(later.begin(), later.end(), 0.0);
    const Seconds wait = waits.computed - from;
    for (const Activity cause : kWaits)
      if (all > 0) spend(cause, from + wait * (of(later, cause) / all));
    spend(Activity::barrier, waits.computed);
  }
  spend(Activity::exchange, waits.exchanged);
  spend(Activity::checkpoint, waits.until);
}

}  // namespace gpufeed
