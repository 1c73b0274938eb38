// SPDX-License-Identifier: Apache-2.0
#include "calib/replay/drive_now.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "calib/replay/replay_plan.h"
#include "sim/base/labels/label_text.h"
#include "sim/base/pages.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

constexpr Seconds kLong{1};

const Device<Drive>* drive_of(const Scenario& scenario) {
  const auto& drives = scenario.system->drives;
  const auto found = std::ranges::find(drives, scenario.data.at.id, &Device<Drive>::id);
  return found == drives.end() ? nullptr : &*found;
}

/// Whether what is stated of the drive that data lie on was calibrated.
bool calibrated(const Scenario& scenario, const char* key) {
  const Device<Drive>* const drive = drive_of(scenario);
  return drive && drive->model->provenance_of(key).basis == Basis::calibrated;
}

bool wants_small(const Scenario& scenario) { return calibrated(scenario, "read_latency"); }
bool wants_large(const Scenario& scenario) { return calibrated(scenario, "read_bandwidth"); }

BlockReaders small_readers(const Scenario& scenario) {
  return {.block = {kPageBytes},
          .readers = static_cast<int>(scenario.loader.workers_per_gpu.value)};
}

/// Takes turns until neither moves: each hardly depends on the other.
class DriveSolver {
 public:
  DriveSolver(const Drive& drive, const DriveReads& reads)
      : before_(drive), now_(drive), reads_(reads) {}

  void solve() {
    constexpr int kMost = 100;
    constexpr double kMoves = 1e-9;
    for (int i = 0; i < kMost; ++i) {
      const Drive last = now_;
      solve_latency();
      solve_bandwidth();
      if (std::abs(now_.read_latency / last.read_latency - 1) < kMoves &&
          std::abs(now_.read_bandwidth / last.read_bandwidth - 1) < kMoves)
        return;
    }
  }

  std::optional<Seconds> latency() const {
    return reads_.small ? std::optional(now_.read_latency) : std::nullopt;
  }
  std::optional<Bandwidth> bandwidth() const {
    return reads_.large ? std::optional(now_.read_bandwidth) : std::nullopt;
  }

 private:
  void solve_latency() {
    if (!reads_.small) return;
    const auto& [by, each] = *reads_.small;
    // one piece of memory, as in the huge pages of the calibration
    const DriveLaw law = now_.read_law();
    const auto found = latency_of_wait(law, by.block, by.readers, each);
    // of a disk the law's latency is not all of the drive's
    now_.read_latency = before_.read_latency;
    if (found)
      now_.read_latency = before_.read_latency + (*found - before_.read_law().latency);
    else
      reads_.small.reset();
  }

  void solve_bandwidth() {
    if (!reads_.large) return;
    const auto& [by, each] = *reads_.large;
    const auto found = bandwidth_of_wait(now_.read_law(), by.block, by.readers, each);
    now_.read_bandwidth = found.value_or(before_.read_bandwidth);
    if (!found) reads_.large.reset();
  }

  const Drive& before_;
  Drive now_;
  DriveReads reads_;
};

}  // namespace

std::optional<BlockReaders> large_readers(const Scenario& scenario) {
  constexpr Bytes kLeast{256 << 10};
  constexpr Bytes kMost{8 << 20};  // of the calibration, too
  const Bytes sample = scenario.workload.dataset()->sample_size;
  if (sample < kLeast) return {};
  const Bytes asked =
      scenario.data.mode == ReadMode::direct ? sample : std::min(sample, scenario.data.readahead);
  const double pages = std::floor(std::clamp(asked, kLeast, kMost) / Bytes{kPageBytes});
  return BlockReaders{{pages * kPageBytes}, small_readers(scenario).readers, true};
}

DriveReads measure_drive(const Scenario& scenario, const ReplayPlan& plan) {
  const auto measure = [&](const BlockReaders& by) -> std::optional<TimedReads> {
    const auto sum = measure_block_reads(
        [&](std::int64_t number) { return sample_file(plan, number); }, plan.files, by, kLong);
    return sum ? std::optional(TimedReads{by, sum->each()}) : std::nullopt;
  };
  DriveReads out;
  if (wants_small(scenario)) out.small = measure(small_readers(scenario));
  const auto large = large_readers(scenario);
  if (large && wants_large(scenario)) out.large = measure(*large);
  return out;
}

std::optional<DriveNow> drive_now(const Scenario& scenario, const DriveReads& reads) {
  const Device<Drive>* const found = drive_of(scenario);
  if (!found) return {};
  const Drive& drive = *found->model;
  DriveNow now{text_of(found->id), reads, drive.read_latency, drive.read_bandwidth, {}, {}};
  if (!wants_small(scenario)) now.reads.small.reset();
  if (!wants_large(scenario)) now.reads.large.reset();
  DriveSolver solver(drive, now.reads);
  solver.solve();
  now.latency = solver.latency();
  now.bandwidth = solver.bandwidth();
  if (!now.latency && !now.bandwidth) return {};
  return now;
}

}  // namespace gpufeed
