// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "sim/base/units.h"

namespace gpufeed {

/// Half width of an interval that too few values tell nothing of.
inline constexpr double kUnknown = std::numeric_limits<double>::infinity();

/// Mean with the half width of its 95 % confidence interval (Student's t), relative to the mean.
struct Confidence {
  double mean = 0;
  double half_width = 0;
};
/// \param values  at least two, taken as independent
Confidence confidence_of(const std::vector<double>& values);

/// How many of the first values of a run count as warm-up: one, and a quarter of the rest.
/// \param values  at least one
std::size_t warm_up_of(std::size_t values);

/// Whether a mean step is longer than one in which no GPU waits for data, by more than two numbers
/// that are each known to `precision` may differ.
bool gpus_wait(double mean_step_s, double undisturbed_s, double precision);

/// Batches per GPU that have passed two places of the loader, fractions of those under way
/// included.
struct Supply {
  double read = 0;
  double decoded = 0;
};

/// Where the batches are counted that tell the step time.
enum class Pace { trained, read, decoded };

/// Decides when the step time is known well enough. Steps form segments of equal length; the first
/// segment and a quarter of the rest are dropped as warm-up, and what is left is joined into eight
/// groups, so that the groups grow with the run: bursts of batches cancel out within a group.
///
/// In the long run as many batches are read and decoded as are trained, so the step time has three
/// estimates: time per batch trained, read, and decoded. The one at the stage that sets the pace
/// hardly varies, while the others swing with the stock between the stages. Where GPUs never wait,
/// training sets the pace. Where they do, reading or decoding counts as soon as one is known to the
/// precision, the slower of both; before that, the narrowest confidence interval does. Reading and
/// decoding count only once the stock before the GPUs rests, for while it fills they run ahead; and
/// while it drains, training does: what it changes by, per step, is uncertainty. A run that ends
/// while the stock of the first fill still drains is told by the slower of training and reading,
/// which is what lasts.
class SteadyState {
 public:
  /// \param segment_steps  steps per segment; a multiple of the loader's cycle, so that a segment
  ///                       holds whole bursts of batches
  /// \param undisturbed    length of a step in which no GPU waits for data
  SteadyState(std::int64_t segment_steps, Ratio precision, Seconds undisturbed);

  /// Whether the next step ends a segment, so that `add` needs the supply.
  bool ends_segment() const { return (steps_ + 1) % segment_steps_ == 0; }
  /// A step ended at `now`; the first call marks the start of the first segment.
  void add(Seconds now, const Supply& supply);

  bool steady() const { return steady_; }
  /// Step time over the segments in use; over all steps so far, with a half width of
  /// kUnknown, where those are too few.
  Confidence step_time() const;
  /// Where the step time was taken.
  Pace pace() const;
  /// Batches per GPU that had passed there at the last end of a segment.
  double passed() const;
  /// Segments that count as warm-up, of those so far.
  std::size_t warm_up() const;

 private:
  struct Mark {  ///< the state at the end of a segment
    Seconds date;
    Supply supply;
  };
  struct Estimate {
    Confidence step;
    double drift = 0;
    Pace pace = Pace::trained;
    bool known(double precision) const;
  };
  double passed_at(const Mark& mark, Pace pace) const;
  Estimate estimate(Pace pace) const;
  double stock_growth(Pace pace) const;
  double stock_drift(Pace pace) const;
  bool enough() const;
  std::size_t group_segments() const;
  const Mark& group_end(std::size_t group) const;
  Estimate best() const;
  bool drains_at(const Estimate& read) const;
  Estimate lasting(const Estimate& trained, const Estimate& read) const;

  std::int64_t segment_steps_;
  double precision_;
  double undisturbed_s_;
  std::int64_t steps_ = -1;
  Seconds now_;
  std::vector<Mark> marks_;  ///< the first: the start
  bool steady_ = false;
};

}  // namespace gpufeed
