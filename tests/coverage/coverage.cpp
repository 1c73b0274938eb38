// SPDX-License-Identifier: Apache-2.0
// Whether the certainty that results state is true, over random jobs: coverage of full runs with
// other random numbers, widths, and whether more of a capacity ever costs throughput.
// Prints figures.
//   gpufeed_coverage [JOBS [SEEDS [FULL_RUNS [FIRST_JOB]]]]
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "sim/model/scenario.h"
#include "tests/support/certainty.h"
#include "tests/support/long_jobs.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

namespace {

std::int64_t argument(int argc, char** argv, int number, std::int64_t standard) {
  return number < argc ? std::strtoll(argv[number], nullptr, 10) : standard;
}

void print_job(std::int64_t seed, const Certainty& job) {
  CertaintySummary one;
  one.add(job);
  double low = job.stated.front().rate, high = low;
  for (const auto& stated : job.stated) {
    low = std::min(low, stated.rate);
    high = std::max(high, stated.rate);
  }
  const double truth = job.true_rate();
  fmt::print(
      "job {:4}  true {:10.1f}  stated {:+6.2f} to {:+6.2f} %  +- {:5.2f} %  covers mean "
      "{:3.0f} %, a run {:3.0f} %, time {:3.0f} %, worst {:5.2f} %{}\n",
      seed, truth, (low / truth - 1) * 100, (high / truth - 1) * 100, one.quantile(0.5) * 100,
      one.covers_mean.percent(), one.covers_run.percent(), one.time_covers_run.percent(),
      one.worst_time * 100, one.unknown > 0 ? fmt::format("  {} unknown", one.unknown) : "");
  std::fflush(stdout);
}

/// Jobs and the same with more of one capacity, by the same random numbers.
struct Twins {
  std::int64_t pairs = 0, slower = 0;
  double worst = 0;

  void compare(std::int64_t seed, const Scenario& scenario) {
    const Stated before = stated_of(scenario, seed, true);
    Random random(static_cast<std::uint64_t>(seed) + 4'000'000);
    for (int which = 0; which < kCapacities; ++which) {
      Scenario more = scenario;
      const double factor = random.uniform(1.05, 3);
      if (!raise_capacity(more, which, factor)) continue;
      const Stated after = stated_of(more, seed, true);
      if (!std::isfinite(before.half_width + after.half_width)) continue;
      ++pairs;
      const double lost = 1 - after.rate / before.rate;
      const double noise = std::hypot(before.width(), after.width()) + CertaintySummary::kRounding;
      if (lost <= noise) continue;
      ++slower;
      worst = std::max(worst, lost - noise);
      fmt::print("job {:4}  capacity {} x {:.2f}: {:+.2f} %, known to {:.2f} %\n", seed, which,
                 factor, -lost * 100, noise * 100);
    }
  }
};

}  // namespace

int main(int argc, char** argv) {
  const std::int64_t jobs = argument(argc, argv, 1, 300);
  const std::int64_t seeds = argument(argc, argv, 2, 20);
  const std::int64_t full_runs = argument(argc, argv, 3, 20);
  const std::int64_t first = argument(argc, argv, 4, 1);
  CertaintySummary all;
  Twins twins;
  for (std::int64_t seed = first; seed < first + jobs; ++seed) {
    const Scenario scenario = long_job(static_cast<std::uint64_t>(seed));
    const Certainty job = certainty_of(scenario, seeds, full_runs);
    print_job(seed, job);
    all.add(job);
    twins.compare(seed, scenario);
  }
  fmt::print(
      "{} jobs, {} seeds, {} full runs each: covers the mean of full runs {:.1f} %, any of them "
      "{:.1f} %; half width {:.2f} %, 95th percentile {:.2f} %; extrapolated time within {:.1f} %, "
      "worst {:.1f} %, {:.1f} % beyond what is drawn once a run; {} state no interval\n",
      jobs, seeds, full_runs, all.covers_mean.percent(), all.covers_run.percent(),
      all.quantile(0.5) * 100, all.quantile(0.95) * 100, all.time_covers_run.percent(),
      all.worst_time * 100, all.worst_beyond_runs * 100, all.unknown);
  fmt::print(
      "{} twins with more of a capacity, {} slower beyond the interval, by {:.2f} % at most\n",
      twins.pairs, twins.slower, twins.worst * 100);
  return 0;
}
