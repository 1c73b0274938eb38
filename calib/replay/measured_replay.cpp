// SPDX-License-Identifier: Apache-2.0
#include "calib/replay/measured_replay.h"

#include "calib/probes/core_use.h"
#include "calib/replay/replay_plan.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

/// Whether a replay of so many epochs pauses after the first `done` of them to measure.
bool pauses_after(int done, int epochs) {
  constexpr int kParts = 3;
  if (done <= 0 || done >= epochs) return false;
  for (int part = 1; part < kParts; ++part)
    if (done == (2 * part * epochs + kParts) / (2 * kParts)) return true;  // rounded
  return false;
}

}  // namespace

MeasuredReplay measure_replay(const Scenario& scenario, const ReplayPlan& plan) {
  MeasuredReplay out;
  const auto measure_all = [&] {
    const ReplayLoader loader = measure_loader(plan);
    out.moments.push_back(measure_parts(scenario, plan));
    out.moments.back().loader = loader;
  };
  measure_all();
  out.full_cache = full_cache_now(scenario, plan, out.moments.front().copy);
  const CoreUse cores;
  out.epochs = run_replay(plan, [&](int done) {
    if (pauses_after(done, plan.epochs)) out.moments.push_back(measure_parts(scenario, plan));
  });
  out.others = cores.taken_by_others();
  measure_all();
  return out;
}

}  // namespace gpufeed
