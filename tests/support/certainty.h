// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/base/numbers/statistics.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"

/// Whether what a result states of its certainty is true: its interval against full runs with
/// other random numbers.
namespace gpufeed {

/// What one simulation says, and how well it says that it knows.
struct Stated {
  double rate = 0;        ///< samples over time: the headline
  double time_s = 0;      ///< of all epochs
  double half_width = 0;  ///< relative; infinite: not stated
  double runs = 0;        ///< and of what is drawn once a run
  bool extrapolated = false;

  double width() const { return std::hypot(half_width, runs); }
};

struct Certainty {
  std::vector<Stated> stated;  ///< by seed, from 1 on
  std::vector<Stated> full;    ///< every step simulated, by fresh seeds

  /// Samples over time, the mean of all full runs.
  double true_rate() const {
    double sum = 0;
    for (const Stated& run : full) sum += run.rate;
    return sum / static_cast<double>(full.size());
  }
};

inline Stated stated_of(Scenario scenario, std::int64_t seed, bool extrapolate) {
  scenario.run.seed = seed;
  scenario.run.extrapolate = extrapolate;
  const Result result = simulate(scenario);
  return {result.throughput_samples_per_s, result.training_s,
          result.simulated.step_rate_uncertainty, result.simulated.run_uncertainty,
          result.simulated.extrapolated_steps > 0};
}

inline Certainty certainty_of(const Scenario& scenario, std::int64_t seeds,
                              std::int64_t full_runs) {
  Certainty out;
  constexpr std::int64_t kFresh = 1000;
  for (std::int64_t seed = 1; seed <= seeds; ++seed)
    out.stated.push_back(stated_of(scenario, seed, true));
  for (std::int64_t seed = 1; seed <= full_runs; ++seed)
    out.full.push_back(stated_of(scenario, kFresh + seed, false));
  return out;
}

/// How many of so many statements hold.
struct Share {
  std::int64_t held = 0, of = 0;
  void add(bool holds) {
    held += holds ? 1 : 0;
    ++of;
  }
  double percent() const {
    return of == 0 ? 100 : 100 * static_cast<double>(held) / static_cast<double>(of);
  }
};

/// Over many jobs.
struct CertaintySummary {
  Share covers_mean;      ///< the interval of the headline covers the mean of full runs
  Share covers_run;       ///< and any one of them
  Share time_covers_run;  ///< the interval covers the time of a full run, where it extrapolates
  std::vector<double> half_widths;
  std::int64_t unknown = 0;      ///< results that state no interval
  double worst_time = 0;         ///< an extrapolated time against the mean of full runs
  double worst_beyond_runs = 0;  ///< and beyond what it states that is drawn once a run

  void add(const Certainty& job) {
    const double truth = job.true_rate();
    double mean_time = 0;
    for (const Stated& run : job.full)
      mean_time += run.time_s / static_cast<double>(job.full.size());
    for (std::size_t i = 0; i < job.stated.size(); ++i) {
      const Stated& one = job.stated[i];
      const Stated& run = job.full[i % job.full.size()];
      if (!std::isfinite(one.half_width)) {
        ++unknown;
        continue;
      }
      half_widths.push_back(one.half_width);
      const double width = one.width() + kRounding;
      covers_mean.add(std::abs(one.rate / truth - 1) <= width);
      covers_run.add(std::abs(one.rate / run.rate - 1) <= width);
      if (!one.extrapolated) continue;
      time_covers_run.add(std::abs(one.time_s / run.time_s - 1) <= width);
      const double error = std::abs(one.time_s / mean_time - 1);
      worst_time = std::max(worst_time, error);
      worst_beyond_runs = std::max(worst_beyond_runs, error - one.runs);
    }
  }

  /// Of the half widths.
  double quantile(double share) const { return gpufeed::quantile(half_widths, share); }

  /// Equal numbers may differ in their last digits; a job without chance has no interval.
  static constexpr double kRounding = 1e-6;
};

}  // namespace gpufeed
