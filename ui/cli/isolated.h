// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace gpufeed::cli {

/// What became of a job: its text and `kGood`, or why it has none and the exit status to give.
struct Outcome {
  int status;
  std::string text;
};

using Job = std::function<std::string()>;

/// Runs each job in a process of its own, as many at a time as there are cores: none can depend on
/// what another left behind in a library, and a crash takes one with it only.
/// \return the outcomes, in the order of the jobs
std::vector<Outcome> run_isolated(const std::vector<Job>& jobs);

}  // namespace gpufeed::cli
