// SPDX-License-Identifier: Apache-2.0
#include "calib/probes/core_use.h"

#include <fmt/format.h>
#include <sys/times.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace gpufeed {
namespace {

struct Ticks {
  double all = 0;
  double busy = 0;
};

/// The first line of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal.
Ticks ticks_of_machine() {
  std::ifstream in("/proc/stat");
  std::string name;
  in >> name;
  Ticks ticks;
  constexpr int kKinds = 8;
  constexpr int kIdle = 3;
  constexpr int kWaits = 4;
  for (int i = 0; i < kKinds; ++i) {
    double value = 0;
    in >> value;
    ticks.all += value;
    if (i != kIdle && i != kWaits) ticks.busy += value;
  }
  return ticks;
}

double own_ticks() {
  tms now{};
  times(&now);
  return static_cast<double>(now.tms_utime + now.tms_stime + now.tms_cutime + now.tms_cstime);
}

}  // namespace

CoreUse::CoreUse() : own_start_(own_ticks()) {
  const Ticks now = ticks_of_machine();
  all_start_ = now.all;
  busy_start_ = now.busy;
}

double CoreUse::taken_by_others() const {
  const Ticks now = ticks_of_machine();
  const double all = now.all - all_start_;
  if (all <= 0) return 0;
  return std::clamp((now.busy - busy_start_ - (own_ticks() - own_start_)) / all, 0.0, 1.0);
}

std::string others_in_words(double share) {
  return fmt::format("others took {:.0f} % of the cores meanwhile{}", 100 * share,
                     share > kBusyMachine ? "; measure again on a quiet machine" : "");
}

}  // namespace gpufeed
