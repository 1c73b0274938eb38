// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <exception>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "reports/study/sweep_plan.h"
#include "sim/base/files/work_pool.h"

namespace gpufeed {

/// What a pool is of, a line for each part: its name, and of its text, however long, a number.
std::string identity_of(const std::vector<PlanPart>& parts);

/// A worker was asked to end before all was done.
struct PoolStopped : std::exception {
  const char* what() const noexcept override { return "the work of a pool was stopped"; }
};

/// A study that any number of workers do together, on any machines that see one folder. It goes in
/// rounds, the same in every worker: what a round gives decides the next one, so that a round is
/// whole before anyone goes on, and one who comes later reads those that are over. Each round is a
/// pool of its own (work_pool.h) in the folder round-N: TASK.row is what a task gave, "rows" that
/// of all tasks.
class StudyPool {
 public:
  /// \param version  of gpufeed \param rules  how workers judge each other
  /// \param stop     asked several times a second
  StudyPool(std::filesystem::path folder, std::string version, PoolRules rules,
            std::function<bool()> stop);

  /// Says of what the study is, before its rounds.
  void is_of(std::vector<PlanPart> parts);

  /// Does the tasks 0 to `count` - 1 together with the others, `jobs` at a time.
  /// \param work      does a task; its text must be the same whoever does it, and read back to it
  /// \param progress  told how many tasks of all workers are done
  /// \return the texts of all tasks
  /// \throws InputError   where the folder is of another study, or cannot be written
  /// \throws PoolStopped  where `stop` said so; and what `work` throws
  std::vector<std::string> round(
      std::size_t count, unsigned jobs, const std::function<std::string(std::size_t)>& work,
      const std::function<void(std::int64_t finished)>& progress = [](std::int64_t) {});

 private:
  std::filesystem::path folder_;
  std::vector<PlanPart> parts_;
  PoolRules rules_;
  std::function<bool()> stop_;
  std::size_t rounds_ = 0;
};

}  // namespace gpufeed
