// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/model/fields/field.h"

namespace gpufeed {

/// What failures make of a job, on the mean. Its useful work is what it takes without failures,
/// checkpoints left out; goodput is that over the time it takes with both.
struct FailureCost {
  double mtbf_s = 0;
  double count = 0;
  double time_s = 0;
  double goodput = 0;
  double checkpoints_s = 0;
  double restarts_s = 0;
  double lost_s = 0;
  std::optional<double> interval_s;
  std::optional<double> best_interval_s;
  std::optional<std::int64_t> best_interval_steps;
  std::optional<double> best_goodput;
  std::optional<double> free_goodput;
  std::string without_mtbf;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using F = FailureCost;
    visit(key("mtbf_s", &F::mtbf_s,
              "of all machines and stores together: mean time between failures that end the job"));
    visit(key("count", &F::count, "of failures until the job is done"));
    visit(key("time_s", &F::time_s,
              "time_to_result_s: staging, training, restarts, and work done again"));
    visit(key("goodput", &F::goodput,
              "useful work over that time, 0 to 1: what checkpoints, restarts and work done again "
              "leave"));
    visit(key("checkpoints_s", &F::checkpoints_s, "of time_s, what checkpoints cost, each once"));
    visit(key("restarts_s", &F::restarts_s,
              "of time_s: from failures until the job trains again, reading checkpoints back"));
    visit(key("lost_s", &F::lost_s, "of time_s: what no checkpoint held and is done again"));
    visit(key("interval_s", &F::interval_s,
              "work from one checkpoint to the next; null: there is none"));
    visit(key("best_interval_s", &F::best_interval_s,
              "of which goodput is highest; null: what a checkpoint costs is not known"));
    visit(key("best_interval_steps", &F::best_interval_steps, "the same in steps"));
    visit(key("best_goodput", &F::best_goodput, "with checkpoints so often"));
    visit(key("free_goodput", &F::free_goodput,
              "with checkpoints that cost nothing and are taken all the time: the most that a "
              "faster store for them could give"));
    visit(key("without_mtbf", &F::without_mtbf,
              "parts whose failures are not known and not in mtbf_s; empty: it is whole"));
  }
};

}  // namespace gpufeed
