// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/model/fields/field.h"

namespace gpufeed {

/// Between these lie 80 of 100 outcomes: of what is measured, not of runs of the simulation.
struct Interval80 {
  double p10 = 0;
  double p90 = 0;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("p10", &Interval80::p10, "a tenth of the outcomes lies below"));
    visit(key("p90", &Interval80::p90, "a tenth of the outcomes lies above"));
  }
};

/// An input that makes a result uncertain.
struct RangeCause {
  std::string parameter;
  std::string basis;
  double deviation = 0;
  double share = 0;
  std::string remedy;
  std::string of_key = {}, kind = {}, owner = {};

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("parameter", &RangeCause::parameter, "key and owner, or what is not modeled"));
    visit(key("basis", &RangeCause::basis, "how it is known; empty: of the model itself"));
    visit(key("deviation", &RangeCause::deviation,
              "standard deviation of its logarithm: 0.1 is a factor of 1.1 up or down"));
    visit(
        key("share", &RangeCause::share, "of the variance of the throughput's logarithm, 0 to 1"));
    visit(key("remedy", &RangeCause::remedy, "what to measure to narrow the range"));
    visit(key("key", &RangeCause::of_key,
              "the key of `parameter`; empty where it is no key's value"));
    visit(key("kind", &RangeCause::kind, "the kind of the entry that has the key"));
    visit(key("owner", &RangeCause::owner, "the entry that has the key, or the part of one"));
  }
};

/// The three prediction intervals that a job is judged by, and what makes them wide. Another thing
/// than the noise of a simulation, which `simulated` tells.
struct Range {
  std::int64_t samples = 0;
  Interval80 job_samples_per_s;
  Interval80 job_gpu_utilization;
  Interval80 throughput_samples_per_s;
  Interval80 accelerator_utilization;
  Interval80 time_to_result_s;
  std::vector<RangeCause> causes;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("samples", &Range::samples, "run.range_samples; none are drawn"));
    visit(key("job_samples_per_s", &Range::job_samples_per_s, "P10 to P90").as_rate());
    visit(key("job_gpu_utilization", &Range::job_gpu_utilization, "P10 to P90, 0 to 1"));
    visit(key("throughput_samples_per_s", &Range::throughput_samples_per_s,
              "deprecated: job_samples_per_s; P10 to P90")
              .as_rate());
    visit(key("accelerator_utilization", &Range::accelerator_utilization,
              "deprecated: job_gpu_utilization; P10 to P90, 0 to 1"));
    visit(key("time_to_result_s", &Range::time_to_result_s, "P10 to P90").as_time());
    visit(key("causes", &Range::causes, "what makes the range wide, the weightiest first"));
  }
};

}  // namespace gpufeed
