// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/fields/field.h"

namespace gpufeed {

/// What a run of the benchmark that is emulated would report, mean over its epochs. Version 1.0 of
/// MLPerf Storage: utilization = nominal compute after the first step / (epoch - own first step);
/// throughput = samples / epoch, first fill included. Later versions leave the first step (and in
/// the sample count the last) out of both.
struct BenchmarkScore {
  double utilization_v1 = 0;
  double throughput_v1_samples_per_s = 0;
  double throughput_v1_MiBps = 0;
  double throughput_later_samples_per_s = 0;
  double first_step_s = 0;
  double threshold = 0;
  bool passes = false;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("utilization_v1", &BenchmarkScore::utilization_v1,
              "accelerator utilization by the rules of version 1.0, 0 to 1"));
    visit(key("throughput_v1_samples_per_s", &BenchmarkScore::throughput_v1_samples_per_s,
              "by the rules of version 1.0: the first fill included")
              .as_rate());
    visit(key("throughput_v1_MiBps", &BenchmarkScore::throughput_v1_MiBps,
              "the same in MiB/s of nominal sample sizes")
              .as_rate());
    visit(key("throughput_later_samples_per_s", &BenchmarkScore::throughput_later_samples_per_s,
              "by the rules of later versions: the first step left out")
              .as_rate());
    visit(key("first_step_s", &BenchmarkScore::first_step_s,
              "from the first read until an accelerator has ended its first step, mean")
              .as_time());
    visit(key("threshold", &BenchmarkScore::threshold, "utilization that a run must reach"));
    visit(key("passes", &BenchmarkScore::passes, "whether this one does"));
  }
};

}  // namespace gpufeed
