// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <fstream>
#include <sstream>

#include "reports/study/sweep_best.h"
#include "reports/study/sweep_csv.h"
#include "reports/study/sweep_merge.h"
#include "reports/study/sweep_run.h"
#include "reports/study/sweep_summary.h"
#include "sim/base/files/run_files.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"
#include "tests/support/temporary_folder.h"

/// A small sweep, run into files.
namespace gpufeed::sweeps {

inline constexpr const char* kBase =
    "system = 'nvidia-dgx1-p100'\n"
    "workload = { model = 'alexnet', dataset = 'imagenet-200kb-10m' }\n"
    "run = { max_steps = 5 }\n";
inline constexpr const char* kSweep =
    "scenario = 'base.toml'\n"
    "constraint = ['accelerator_utilization >= 20 %']\n"
    "[[axis]]\nname = 'workers'\npath = 'loader.workers_per_gpu'\nvalues = [1, 4, 8]\n"
    "[[axis]]\nname = 'batch'\npath = 'workload.batch_per_gpu'\nvalues = [16, 64, 1000000]\n";

/// A folder with a base scenario and a sweep of it.
struct SweepStudy {
  TemporaryFolder folder;

  explicit SweepStudy(const std::string& sweep = kSweep, const std::string& base = kBase) {
    folder.write("base.toml", base);
    folder.write("sweep.toml", sweep);
  }
  SweepPlan plan(const std::string& version = "1") const {
    return plan_sweep(folder / "sweep.toml", own_catalog(), {}, version);
  }
  /// Runs until `most` points are finished in all, or more that were under way.
  std::string csv(const std::string& file, const SweepPlan& plan, const Shard& shard = {},
                  unsigned jobs = 2, std::int64_t most = 1000000) const {
    SweepStore store(folder / file, plan, shard);
    std::int64_t finished = 0;
    run_sweep(plan, store,
              {.shard = shard,
               .jobs = jobs,
               .stop = [&] { return finished >= most; },
               .progress = [&](std::int64_t done, std::int64_t) { finished = done; }});
    return to_csv(store);
  }
  std::string refused(const std::string& file, const SweepPlan& other, const Shard& shard = {}) {
    forget_files();  // as a run of its own
    return without_folder(refusal_of([&] { SweepStore(folder / file, other, shard); }));
  }
  std::string merged(const std::vector<std::string>& files) {
    std::vector<std::filesystem::path> paths;
    for (const auto& file : files) paths.push_back(folder / file);
    forget_files();
    return without_folder(refusal_of([&] { merge_sweeps(folder / "all.sqlite", paths); }));
  }
  std::string without_folder(std::string text) const {
    const std::string start = (folder / "").string();
    for (auto at = text.find(start); at != std::string::npos; at = text.find(start))
      text.erase(at, start.size());
    return text;
  }
};

inline std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace gpufeed::sweeps
