// SPDX-License-Identifier: Apache-2.0
#include "sim/base/files/start_threads.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <thread>

using namespace gpufeed;

namespace {

/// A thread of a system that has only so many to give.
struct ScarceThread {
  static inline int left = 0;
  template <class Work>
  explicit ScarceThread(const Work& work) {
    if (left == 0) throw std::system_error(EAGAIN, std::generic_category());
    --left;
    work();
  }
};

}  // namespace

TEST_CASE("as many threads are started as the system gives") {
  for (const int given : {0, 1, 2, 3, 5}) {
    CAPTURE(given);
    ScarceThread::left = given;
    std::vector<ScarceThread> threads;
    int worked = 0;
    const std::size_t started = start_threads(threads, 3, [&] { ++worked; });
    CHECK(started == static_cast<std::size_t>(std::min(given, 3)));
    CHECK(threads.size() == started);
    CHECK(worked == std::min(given, 3));
  }
}

TEST_CASE("work that nobody else would do says when not one thread was to be had") {
  std::vector<ScarceThread> threads;
  ScarceThread::left = 0;
  try {
    start_a_thread_at_least(threads, 3, [] {});
    FAIL("no thread, and no word");
  } catch (const std::system_error& error) {
    CHECK(error.code() == std::errc::resource_unavailable_try_again);
  }
  CHECK(start_a_thread_at_least(threads, 0, [] {}) == 0);
  ScarceThread::left = 1;
  CHECK(start_a_thread_at_least(threads, 3, [] {}) == 1);
}

TEST_CASE("real threads are joined by whoever has them") {
  std::atomic<int> worked = 0;
  {
    std::vector<std::jthread> threads;
    CHECK(start_threads(threads, 4, [&] { ++worked; }) == 4);
  }
  CHECK(worked == 4);
}
