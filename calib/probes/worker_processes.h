// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace gpufeed {

/// Runs the body once for each worker, numbers from 0, all at once, each in a process of its own
/// that keeps to its core (`WorkerCores`), and waits for all. What they find they leave in shared
/// memory. \param body  returns 0 where it succeeds \return whether all succeeded
bool run_workers(int workers, const std::function<int(int number)>& body);

}  // namespace gpufeed
