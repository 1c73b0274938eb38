// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/kinds/shared.h"

namespace gpufeed::kind {

/// A storage benchmark that only sleeps in the GPUs' place.
struct Emulated : FeedsGpus, RunsEpochs {
  static constexpr std::string_view kName = "emulated";
  static constexpr std::array<std::string_view, 7> kTakes{"nodes", "fabric", "data", "loader",
                                                          "store", "cost",   "run"};
  static constexpr std::array<std::string_view, 5> kLeaves{"fabric.latency", "data.path",
                                                           "loader.pinned_memory", "loader.copy",
                                                           "loader.persistent_workers"};

  std::optional<Ref<Job>> job;
  Defaulted<Ratio> step_jitter;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    input_fields(visit);
    visit(key("job", &Emulated::job, "the benchmark: a name, a path or a table"));
    gpu_fields(visit);
    batch_field(visit, "as the job says");
    length_fields(visit);
    visit(key("step_jitter", &Emulated::step_jitter,
              "standard deviation of an accelerator's time for a step, as its share, where it has "
              "a core to itself")
              .between(0_percent, 100_percent)
              .except("as the job says"));
  }
};

}  // namespace gpufeed::kind
