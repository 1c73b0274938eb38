// SPDX-License-Identifier: Apache-2.0
#pragma once

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

}  // namespace gpufeed
