// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>
#include <cstddef>
#include <system_error>
#include <vector>

namespace gpufeed {

/// Starts `count` threads that do `work`, or as many as the system gives: where memory or threads
/// are limited, fewer do the same. Of a vector of std::thread a failure would otherwise end the
/// process. \return how many
template <class Thread, class Work>
std::size_t start_threads(std::vector<Thread>& threads, std::size_t count, const Work& work) {
  const std::size_t before = threads.size();
  threads.reserve(before + count);
  try {
    while (threads.size() < before + count) threads.emplace_back(work);
  } catch (const std::system_error&) {  // told by the number
  }
  return threads.size() - before;
}

/// The same of work that nobody else would do. \throws std::system_error  EAGAIN: not one
template <class Thread, class Work>
std::size_t start_a_thread_at_least(std::vector<Thread>& threads, std::size_t count,
                                    const Work& work) {
  const std::size_t started = start_threads(threads, count, work);
  if (started == 0 && count > 0) throw std::system_error(EAGAIN, std::generic_category());
  return started;
}

}  // namespace gpufeed
