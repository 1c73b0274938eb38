// SPDX-License-Identifier: Apache-2.0
#include "calib/probes/worker_processes.h"

#include <cstddef>
#include <memory>
#include <vector>

#include "calib/probes/child.h"
#include "calib/probes/worker_cores.h"

namespace gpufeed {

bool run_workers(int workers, const std::function<int(int number)>& body) {
  const WorkerCores cores(workers);
  std::vector<std::unique_ptr<Child>> children;
  children.reserve(static_cast<std::size_t>(workers));
  for (int number = 0; number < workers; ++number)
    children.push_back(std::make_unique<Child>([&body, &cores, number] {
      cores.keep_to(number);
      return body(number);
    }));
  bool good = true;
  for (const auto& child : children) good = child->wait() == 0 && good;
  return good;
}

}  // namespace gpufeed
