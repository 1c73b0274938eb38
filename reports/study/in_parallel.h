// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

namespace gpufeed {

/// Calls `work(i)` for every i below `count`, `jobs` at a time, each in one of as many threads, or
/// one by one in this thread; returns when all are done. `work` must not throw.
void in_parallel(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& work);

/// Calls both, at the same time where `jobs` is above 1. What they throw is thrown when both are
/// done, that of the first before that of the other.
void both(unsigned jobs, const std::function<void()>& first, const std::function<void()>& other);

}  // namespace gpufeed
