// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace gpufeed {

/// What of this machine's cores others took since it was made: other processes, and other guests of
/// the same host.
class CoreUse {
 public:
  CoreUse();
  /// Share of all cores, 0 to 1; 0 where /proc/stat does not tell. Counts processes of this one
  /// only once they have been waited for.
  double taken_by_others() const;

 private:
  double all_start_;  ///< ticks of all cores, idle ones too
  double busy_start_;
  double own_start_;
};

/// A share of the cores that others took from which on what was measured shows it.
constexpr double kBusyMachine = 0.05;

/// "others took 12 % of the cores meanwhile; measure again on a quiet machine".
std::string others_in_words(double share);

}  // namespace gpufeed
