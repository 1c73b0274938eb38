// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/units.h"

namespace gpufeed {

/// Mean with the half width of its 95 % confidence interval (Student's t), relative to the mean.
struct Confidence {
  double mean = 0;
  double half_width = 0;
};
/// \param values  at least two, taken as independent
Confidence confidence_of(const std::vector<double>& values);

/// Decides when the step time is known well enough. Steps form segments of equal length; the first
/// segment and a quarter of the rest are dropped as warm-up, and what is left is joined into eight
/// groups, so that the groups grow with the run: bursts of batches cancel out within a group. Steady
/// when the confidence interval of the groups' means and the drift between their halves both lie
/// within the precision.
class SteadyState {
 public:
  /// \param segment_steps  steps per mean; a multiple of the loader's cycle, so that a mean holds
  ///                       whole bursts of batches
  SteadyState(std::int64_t segment_steps, Ratio precision);

  /// A step ended at `now`; the first call marks the start of the first segment.
  /// \return true where it ended a segment
  bool add(Seconds now);

  bool steady() const { return steady_; }
  /// Step time over the segments in use; over all steps so far where none is complete.
  Confidence step_time() const;
  /// Segments that count as warm-up, of those so far.
  std::size_t warm_up() const;
  std::size_t segments() const { return means_.size(); }

 private:
  void judge();

  std::vector<double> group_means() const;

  std::int64_t segment_steps_;
  double precision_;
  std::int64_t steps_ = -1;
  Seconds start_;
  Seconds segment_start_;
  Seconds now_;
  std::vector<double> means_;
  bool steady_ = false;
};

}  // namespace gpufeed
