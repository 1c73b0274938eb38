// SPDX-License-Identifier: Apache-2.0
#include "calib/probes/worker_cores.h"

#include <doctest/doctest.h>
#include <sched.h>

#include <functional>

#include "calib/probes/child.h"
#include "calib/replay/replay_plan.h"
#include "calib/replay/run_replay.h"
#include "tests/support/temporary_folder.h"

using namespace gpufeed;

namespace {

cpu_set_t mine() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  sched_getaffinity(0, sizeof cores, &cores);
  return cores;
}

/// In a process of its own: the cores of the calling one stay as they are.
bool holds(const std::function<bool()>& check) {
  return Child([&] { return check() ? 0 : 1; }).wait() == 0;
}

}  // namespace

TEST_CASE("workers that leave no core free keep to one each, and all are given back") {
  CHECK(holds([] {
    const cpu_set_t all = mine();
    const int cores = CPU_COUNT(&all);
    const WorkerCores twice(2 * cores);
    cpu_set_t seen;
    CPU_ZERO(&seen);
    for (int i = 0; i < cores; ++i) {
      twice.keep_to(i);
      const cpu_set_t one = mine();
      if (CPU_COUNT(&one) != 1) return false;
      CPU_OR(&seen, &seen, &one);
      twice.keep_to(cores + i);
      const cpu_set_t again = mine();
      if (!CPU_EQUAL(&one, &again)) return false;
    }
    twice.leave();
    const cpu_set_t after = mine();
    return CPU_EQUAL(&seen, &all) && CPU_EQUAL(&after, &all);
  }));
}

TEST_CASE("workers that leave cores free, or share them unevenly, go where they like") {
  CHECK(holds([] {
    const cpu_set_t all = mine();
    WorkerCores(CPU_COUNT(&all) + 1).keep_to(0);
    const cpu_set_t after = mine();
    return CPU_COUNT(&all) == 1 || CPU_EQUAL(&after, &all);
  }));
}

TEST_CASE("who took a replay's batches runs on all cores again") {
  const TemporaryFolder folder;
  const cpu_set_t before = mine();
  ReplayPlan plan;
  plan.folder = folder / "set";
  plan.files = 8;
  plan.file_size = {4096};
  plan.batch = 2;
  plan.workers = CPU_COUNT(&before);
  make_dataset(plan);
  run_replay(plan);
  const cpu_set_t after = mine();
  CHECK(CPU_EQUAL(&before, &after));
}
