// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <thread>

#include "ui/model/work/child.h"

namespace gpufeed::ui {

/// One piece of work at a time, in a process of its own, so that it can be ended at any moment and
/// no frame waits. All calls are of one thread.
class OneTask {
 public:
  /// \param wake  called from another thread when it has ended
  explicit OneTask(std::function<void()> wake = {});
  ~OneTask();
  OneTask(const OneTask&) = delete;
  OneTask& operator=(const OneTask&) = delete;

  /// As `run_in_child` does it; what still runs is ended first.
  void start(std::function<std::string()> work);
  void cancel();
  /// How it ended, once.
  std::optional<WorkEnd> poll();
  /// Waits for its end, which `poll` then tells.
  void finish();
  bool running() const { return thread_.joinable(); }

 private:
  std::function<void()> wake_;
  std::atomic<bool> stopped_ = false;
  std::atomic<bool> ended_ = false;
  std::optional<WorkEnd> end_;
  std::thread thread_;  // last: it uses all the others
};

}  // namespace gpufeed::ui
