// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "reports/study/sweep_plan.h"
#include "sim/job/epochs/run_memory.h"

namespace gpufeed {

inline constexpr std::chrono::milliseconds kGlance{100};  ///< between two looks at what has come
inline constexpr std::chrono::milliseconds kCommit{500};  ///< work that a kill may cost

/// Threads that take points from a list that may grow, and rows that wait to be written.
class SweepWorkers {
 public:
  /// \throws std::system_error  the system gives not one thread
  SweepWorkers(const SweepPlan& plan, unsigned count);
  /// Waits for the points under way; no further one is begun.
  ~SweepWorkers();
  SweepWorkers(const SweepWorkers&) = delete;
  SweepWorkers& operator=(const SweepWorkers&) = delete;

  void add(const std::vector<std::int64_t>& points);
  /// Drops the points that are not begun.
  void stop();

  /// Moves what has finished to the end of `rows`, after a while, or when a thread finds
  /// nothing more to do.
  void collect(std::vector<SweepRow>& rows);

  struct Load {
    std::size_t waiting = 0;  ///< points that no thread has taken
    std::size_t idle = 0;     ///< threads
    bool none = true;         ///< nothing waits, is under way or was not collected
  };
  Load load();

 private:
  void work();

  const SweepPlan& plan_;
  std::mutex mutex_;
  std::condition_variable comes_;
  std::condition_variable ends_;
  std::deque<std::int64_t> todo_;
  std::vector<SweepRow> rows_;
  std::size_t busy_ = 0;
  bool hungry_ = false;  ///< a thread has found nothing more to do since the last look
  bool closed_ = false;
  RunMemory memory_;
  std::vector<std::thread> threads_;
};

}  // namespace gpufeed
