// SPDX-License-Identifier: Apache-2.0
#include "reports/study/side_by_side.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "sim/base/fault.h"
#include "sim/base/files/start_threads.h"

namespace gpufeed {

void side_by_side(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::size_t failed = count;
  std::exception_ptr failure;
  const auto take = [&] {
    for (std::size_t i = next++; i < count; i = next++) try {
        const FaultsThrow guard;
        work(i);
      } catch (...) {
        const std::scoped_lock lock(mutex);
        if (i < failed) failure = std::current_exception();
        failed = std::min(failed, i);
      }
  };
  std::vector<std::jthread> threads;
  start_threads(threads, std::max<std::size_t>(1, std::min<std::size_t>(jobs, count)) - 1, take);
  take();
  threads.clear();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace gpufeed
