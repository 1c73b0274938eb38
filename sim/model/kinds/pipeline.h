// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/model/kinds/shared.h"

namespace gpufeed {

/// One stage of a pipeline: it reads all data where they lie, works on them, and writes its output
/// to the same place at the same time. The next stage reads that output; where nothing is written,
/// what this one read.
struct PipelineStage {
  std::string name;
  PartRef at;
  std::optional<Bandwidth> rate;
  std::optional<Rate> samples_rate;
  std::int64_t servers = 1;
  Ratio output{1.0};
  std::optional<Bandwidth> copy_rate;
  bool trains = false;
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    using T = PipelineStage;
    visit(key("name", &T::name, "what the stage is called").needed());
    visit(key("at", &T::at,
              "the volume, drive or store that it reads and writes; data that lie elsewhere are "
              "copied there first")
              .needed());
    visit(key("rate", &T::rate,
              "bytes that one of its servers processes per second; default: as fast as they come")
              .between(1_kBps, 1e3_TBps));
    visit(key("samples_rate", &T::samples_rate,
              "instead of rate: samples that one of its servers processes per second")
              .between(1e-6_per_s, 1e12_per_s));
    visit(key("servers", &T::servers, "how many work on it").between(1, 1000000));
    visit(key("output", &T::output,
              "bytes written over bytes read; 0 %: it writes nothing, and leaves the data as they "
              "are")
              .between(0_percent, 100000_percent));
    visit(
        key("copy_rate", &T::copy_rate, "the most that copying its data in attains, where measured")
            .between(1_kBps, 1e3_TBps));
    visit(key("trains", &T::trains,
              "whether the time to first result ends as this stage begins; default: the last one"));
  }
};

namespace kind {

/// Stages that hand all data on, with copies between their places.
struct Pipeline : ReadsDataset {
  static constexpr std::string_view kName = "pipeline";
  static constexpr std::array<std::string_view, 2> kTakes{"data.at", "store"};
  static constexpr std::array<std::string_view, 2> kLeaves{"store.stripes", "store.metadata"};

  std::vector<PipelineStage> stages;
  std::optional<Bytes> input;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    dataset_fields(visit);
    visit(key("stage", &Pipeline::stages, "its stages, one after the other"));
    visit(key("input", &Pipeline::input, "instead of dataset: bytes that the first stage reads")
              .between(1_B, 1e5_PB));
  }
};

}  // namespace kind
}  // namespace gpufeed
