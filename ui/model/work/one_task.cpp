// SPDX-License-Identifier: Apache-2.0
#include "ui/model/work/one_task.h"

#include <chrono>
#include <exception>
#include <utility>

#include "ui/model/work/problems.h"

namespace gpufeed::ui {

OneTask::OneTask(std::function<void()> wake) : wake_(std::move(wake)) {}

OneTask::~OneTask() { cancel(); }

void OneTask::start(std::function<std::string()> work) {
  cancel();
  stopped_ = false;
  ended_ = false;
  thread_ = std::thread([this, work = std::move(work)] {
    try {
      end_ = run_in_child(work, [this] { return stopped_.load(); });
    } catch (const std::exception& error) {  // there can be no more processes
      end_ = WorkEnd{false, "", problems_of(error)};
    }
    ended_ = true;
    if (wake_) wake_();
  });
}

void OneTask::cancel() {
  stopped_ = true;
  if (thread_.joinable()) thread_.join();
  end_.reset();
}

std::optional<WorkEnd> OneTask::poll() {
  if (!thread_.joinable() || !ended_) return {};
  thread_.join();
  return std::exchange(end_, {});
}

void OneTask::finish() {
  while (thread_.joinable() && !ended_) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

}  // namespace gpufeed::ui
