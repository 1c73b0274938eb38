// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "sim/base/units.h"
#include "sim/job/loaders/supply.h"

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

/// To what a mean is to be known, where `half_width` is what is known of it after so many batches:
/// to `precision`, where that takes two million of them at most. Else to what more effort hardly
/// betters, for an error falls with the root of it: for each time that it is above the precision,
/// fifty thousand are enough. A precision finer than 0.5 % is worth more of both, as many times
/// as reaching it takes more.
double worth_knowing(double precision, double half_width, double batches);

/// Whether a mean step is longer than one in which no GPU waits for data, by more than two numbers
/// that are each known to `precision` may differ.
bool gpus_wait(double mean_step_s, double undisturbed_s, double precision);

/// Where the batches are counted.
enum class Pace { trained, read, decoded };

/// Decides when the step time is known well enough. Steps form segments of equal length; the first
/// segment and a quarter of the rest are dropped as warm-up, and what is left is joined into eight
/// groups, so that the groups grow with the run.
///
/// - What a group takes swings with the stock between loaders and GPUs, which in the long run
///   neither grows nor shrinks: its growth, counted where batches are read and where they are
///   decoded, is a control variate (Lavenberg and Welch, Management Science 27, 1981). The step
///   time is that of a group whose stock rests. A stock that fills while no worker is waited for is
///   no control: the GPUs wait for something else, and train no faster once it is full.
/// - The interval is Student's t over the groups, less one degree of freedom for each control;
///   where what is left of neighbors is alike, it is wider by that correlation.
/// - It looks only at lengths that grow by half each time, and is content when two looks in a row
///   know the step time to the precision, or what of it is `worth_knowing`, their early and late
///   halves agree and so do the looks: an interval that is narrow by chance would otherwise end the
///   run. One look suffices that knows it four times as well.
/// - While the stock drains, the rate that lasts is that of reading, where that is the slower: what
///   the stock changes by, per step, is uncertainty.
class SteadyState {
 public:
  /// \param segment_steps  steps per segment; a multiple of the loader's cycle, so that a segment
  ///                       holds whole bursts of batches
  /// \param undisturbed    length of a step in which no GPU waits for data
  /// \param least_steps   that it takes at least, where something slow must have its course
  /// \param batches_of_step  that are simulated, by their effort; 0: no effort is too much
  SteadyState(std::int64_t segment_steps, Ratio precision, Seconds undisturbed,
              std::int64_t least_steps = 0, std::size_t batches_of_step = 0);

  /// Whether the next step ends a segment, so that `add` needs the supply.
  bool ends_segment() const { return (steps_ + 1) % segment_steps_ == 0; }
  /// A step ended at `now`; the first call marks the start of the first segment.
  void add(Seconds now, const Supply& supply);

  bool steady() const { return steady_; }
  /// Step time over the segments in use; over all steps so far, with a half width of
  /// kUnknown, where those are too few.
  Confidence step_time() const;
  /// Where batches pass most evenly.
  Pace pace() const;
  /// Steps that it rests on; 0 where they are too few to tell.
  std::int64_t used_steps() const;
  /// Segments that count as warm-up, of those so far.
  std::size_t warm_up() const;

 private:
  static constexpr std::size_t kGroups = 8;
  using Groups = std::array<double, kGroups>;
  struct Mark {  ///< the state at the end of a segment
    Seconds date;
    Supply supply;
  };
  struct Estimate {
    Confidence step;
    double drift = 0;  ///< of the late half of the groups against the early one
    bool known(double precision) const {
      return step.half_width <= precision && drift <= precision;
    }
  };
  void look();
  bool enough() const;
  std::size_t group_segments() const;
  const Mark& group_end(std::size_t group) const;
  Groups times() const;
  Groups growth(double Supply::*count) const;
  /// Whether a stock grows by more than the precision of a batch each step, while a worker's batch
  /// is waited for in a smaller share of the steps.
  bool fills(const Groups& stock) const;
  Estimate estimate() const;

  std::int64_t segment_steps_;
  double precision_;
  double undisturbed_s_;
  std::int64_t least_steps_;
  double batches_of_step_;
  std::int64_t steps_ = -1;
  Seconds now_;
  std::vector<Mark> marks_;    ///< the first: the start
  std::size_t next_look_ = 0;  ///< segments
  std::optional<Confidence> known_before_;
  bool steady_ = false;
};

}  // namespace gpufeed
