// SPDX-License-Identifier: Apache-2.0
#include "reports/study/in_parallel.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace gpufeed {

void in_parallel(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  const auto take = [&] {
    for (std::size_t i = next++; i < count; i = next++) work(i);
  };
  if (jobs <= 1) return take();
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < std::min<std::size_t>(jobs, count); ++i) threads.emplace_back(take);
}

}  // namespace gpufeed
