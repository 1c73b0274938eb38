// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

namespace gpufeed {

/// Calls `work` for 0 to `count` - 1, so many at a time, and returns when all have ended. What one
/// throws is thrown again, of several that of the lowest number.
void side_by_side(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& work);

}  // namespace gpufeed
