// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ui/cli/options.h"

namespace gpufeed::cli {

/// A sweep that a scheduler runs.
struct Submission {
  std::string stem;                ///< of the files that it makes: "sweep"
  std::vector<std::string> sweep;  ///< what follows "gpufeed sweep", without --shard and --jobs
  std::int64_t tasks = 1;
};

/// Writes STEM.array.sh and STEM.merge.sh, in this folder, and hands both to Slurm: the second
/// waits for the first to end well. \return what to tell
/// \throws InputError  where one of the files or STEM.sqlite is there, or Slurm does not take them
std::string submit_to_slurm(const Submission& what);

}  // namespace gpufeed::cli
