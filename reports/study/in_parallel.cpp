// SPDX-License-Identifier: Apache-2.0
#include "reports/study/in_parallel.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

#include "sim/base/files/start_threads.h"

namespace gpufeed {

void in_parallel(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  const auto take = [&] {
    for (std::size_t i = next++; i < count; i = next++) work(i);
  };
  if (jobs <= 1) return take();
  std::vector<std::jthread> threads;
  if (start_threads(threads, std::min<std::size_t>(jobs, count), take) == 0) take();
}

void both(unsigned jobs, const std::function<void()>& first, const std::function<void()>& other) {
  std::array<std::exception_ptr, 2> thrown;
  in_parallel(2, jobs, [&](std::size_t i) {
    try {
      i == 0 ? first() : other();
    } catch (...) {
      thrown[i] = std::current_exception();
    }
  });
  for (const std::exception_ptr& error : thrown)
    if (error) std::rethrow_exception(error);
}

}  // namespace gpufeed
