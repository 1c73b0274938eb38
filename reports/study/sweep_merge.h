// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "reports/study/sweep_store.h"

namespace gpufeed {

/// Points from one number to another, both included.
struct Gap {
  std::int64_t first = 0;
  std::int64_t last = 0;

  bool operator==(const Gap&) const = default;
};

/// What a file of results lacks to be the whole sweep.
struct MergeReport {
  std::int64_t points = 0;   ///< of the whole sweep
  std::int64_t missing = 0;  ///< of them
  std::vector<Gap> gaps;
};

/// Joins files of results of one sweep into the new file `out`, which is as if all points had been
/// run into it: `gpufeed sweep --out` can go on with it.
/// \throws InputError  where a file is no such file, is of another version or plan than the first,
///                     or has a point that another has too; `out` is not made then
MergeReport merge_sweeps(const std::filesystem::path& out,
                         const std::vector<std::filesystem::path>& files);

/// The same of files that may have points in common, of which one is taken: workers of a pool, who
/// simulate the same to the same.
/// \param own  one of them, which is open already
/// \return whether `out` was made; else it came to be there meanwhile: another has joined them
bool join_sweeps(const std::filesystem::path& out, SweepStore& own,
                 const std::vector<std::filesystem::path>& others);

}  // namespace gpufeed
