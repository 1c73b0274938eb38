// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "sim/job/epochs/running_plan.h"
#include "sim/job/job.h"
#include "sim/model/run.h"

namespace gpufeed {

/// All that a run depends on.
struct RunOrder {
  RunningPlan plan;
  EngineKind engine{};
  std::uint64_t seed = 0;
  StopRule stop;
  Epochs epochs;

  bool operator==(const RunOrder&) const = default;
};

/// Runs of earlier scenarios, for studies of many that differ in what some of their jobs do not
/// need: drives that are not read, connections to a store that has none of the data. A run that is
/// remembered is the one that would have been simulated. Safe in several threads at a time.
class RunMemory {
 public:
  /// While one lives, runs of its thread are looked up in `memory` and added to it.
  class InUse {
   public:
    explicit InUse(RunMemory& memory);
    ~InUse();
    InUse(const InUse&) = delete;
    InUse& operator=(const InUse&) = delete;

   private:
    RunMemory* before_;
  };
  /// That of this thread, if any.
  static RunMemory* in_use();

  /// The record of `order`, which `simulate` makes unless it is remembered.
  Record of(RunOrder order, const std::function<Record()>& simulate);

  /// Runs that were simulated, and those that were looked up instead.
  struct Counts {
    std::int64_t simulated = 0;
    std::int64_t remembered = 0;
  };
  Counts counts() const;

 private:
  struct Run {
    RunOrder order;
    Record record;
    std::size_t size = 0;
  };
  using Runs = std::unordered_multimap<std::size_t, Run>;

  std::optional<Record> find(std::size_t hash, const RunOrder& order);
  void add(std::size_t hash, Run run);

  mutable std::mutex mutex_;
  Runs runs_;                          ///< by hash
  std::deque<Runs::iterator> oldest_;  ///< first
  std::size_t size_ = 0;
  Counts counts_;
};

}  // namespace gpufeed
