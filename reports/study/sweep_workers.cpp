// SPDX-License-Identifier: Apache-2.0
#include "reports/study/sweep_workers.h"

#include <algorithm>
#include <iterator>

#include "sim/base/files/start_threads.h"

namespace gpufeed {

SweepWorkers::SweepWorkers(const SweepPlan& plan, unsigned count) : plan_(plan) {
  start_a_thread_at_least(threads_, count, [this] { work(); });
}

SweepWorkers::~SweepWorkers() {
  {
    const std::scoped_lock lock(mutex_);
    todo_.clear();
    closed_ = true;
  }
  comes_.notify_all();
  for (auto& thread : threads_) thread.join();
}

void SweepWorkers::add(const std::vector<std::int64_t>& points) {
  {
    const std::scoped_lock lock(mutex_);
    todo_.insert(todo_.end(), points.begin(), points.end());
  }
  comes_.notify_all();
}

void SweepWorkers::stop() {
  const std::scoped_lock lock(mutex_);
  todo_.clear();
}

void SweepWorkers::collect(std::vector<SweepRow>& rows) {
  std::unique_lock lock(mutex_);
  ends_.wait_for(lock, kGlance, [&] { return hungry_; });
  hungry_ = false;
  std::ranges::move(rows_, std::back_inserter(rows));
  rows_.clear();
}

SweepWorkers::Load SweepWorkers::load() {
  const std::scoped_lock lock(mutex_);
  return {todo_.size(), threads_.size() - busy_, todo_.empty() && busy_ == 0 && rows_.empty()};
}

void SweepWorkers::work() {
  const RunMemory::InUse in_use(memory_);
  std::unique_lock lock(mutex_);
  while (true) {
    comes_.wait(lock, [&] { return closed_ || !todo_.empty(); });
    if (closed_) return;
    const std::int64_t point = todo_.front();
    todo_.pop_front();
    ++busy_;
    lock.unlock();
    SweepRow row = evaluate(plan_, point);
    lock.lock();
    rows_.push_back(std::move(row));
    --busy_;
    if (!todo_.empty()) continue;
    hungry_ = true;
    ends_.notify_one();
  }
}

}  // namespace gpufeed
