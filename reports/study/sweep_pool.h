// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "reports/study/sweep_plan.h"
#include "reports/study/sweep_store.h"
#include "sim/base/files/work_pool.h"

namespace gpufeed {

/// How to work in a pool.
struct PoolRun {
  unsigned jobs = 1;  ///< points at a time, in threads; 1 where the plan is `one_at_a_time`
  PoolRules rules;
  /// As those of `SweepRun`; of the points of all workers.
  std::function<bool()> stop;
  std::function<void(std::int64_t finished, std::int64_t of)> progress;
};

/// Where a pool has its results, once all are there.
std::filesystem::path pooled_store(const std::filesystem::path& folder);

/// Simulates points of a sweep together with whoever else works in `folder` (work_pool.h), until
/// all are done; the last to finish joins what the stores of all workers hold.
/// \return the store of all, open; null where it was stopped
/// \throws InputError  where the pool is of another sweep or version, or cannot be written
std::unique_ptr<SweepStore> run_in_pool(const SweepPlan& plan, const std::filesystem::path& folder,
                                        const PoolRun& run);

}  // namespace gpufeed
