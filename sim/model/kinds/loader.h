// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/kinds/shared.h"

namespace gpufeed::kind {

/// Reading and decoding alone.
struct Loader : FeedsGpus, RunsEpochs {
  static constexpr std::string_view kName = "loader";
  static constexpr std::array<std::string_view, 7> kTakes{"nodes", "fabric", "data", "loader",
                                                          "store", "cost",   "run"};
  static constexpr std::array<std::string_view, 4> kLeaves{"fabric.latency", "data.path",
                                                           "loader.pinned_memory", "loader.copy"};

  std::optional<std::int64_t> global_batch;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    input_fields(visit);
    gpu_fields(visit);
    batch_field(visit);
    visit(key("global_batch", &Loader::global_batch,
              "instead of batch_per_gpu: samples of one step of all loaders together")
              .between(1, 1000000000));
    length_fields(visit);
  }
};

}  // namespace gpufeed::kind
