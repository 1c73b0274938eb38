// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/model/entry.h"

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

  static constexpr auto fields() {
    using namespace literals;
    using T = PipelineStage;
    return std::tuple{
        key<T>("name", &T::name, "what the stage is called").needed(),
        key<T>("at", &T::at,
               "the volume, drive or store that it reads and writes; data that lie elsewhere are "
               "copied there first")
            .needed(),
        key<T>("rate", &T::rate,
               "bytes that one of its servers processes per second; default: as fast as they come")
            .between(1_kBps, 1e3_TBps),
        key<T>("samples_rate", &T::samples_rate,
               "instead of rate: samples that one of its servers processes per second")
            .between(1e-6_per_s, 1e12_per_s),
        key<T>("servers", &T::servers, "how many work on it").between(1, 1000000),
        key<T>("output", &T::output,
               "bytes written over bytes read; 0 %: it writes nothing, and leaves the data as they "
               "are")
            .between(0_percent, 100000_percent),
        key<T>("copy_rate", &T::copy_rate,
               "the most that copying its data in attains, where measured")
            .between(1_kBps, 1e3_TBps),
        key<T>(
            "trains", &T::trains,
            "whether the time to first result ends as this stage begins; default: the last one")};
  }
};

/// One step of a pipeline: a stage, or the copying of data to its place.
struct PipelineStep {
  std::string name;
  bool copies = false;
  std::string place;
  double read_B = 0;
  double written_B = 0;
  double time_s = 0;
  std::string limited_by;

  static constexpr auto fields() {
    using T = PipelineStep;
    return std::tuple{
        key<T>("name", &T::name, "of the stage, or \"copy to\" it"),
        key<T>("copies", &T::copies, "whether it only copies data to a stage's place"),
        key<T>("place", &T::place, "where the data lie; of a copy: from -> to"),
        key<T>("read_B", &T::read_B, "bytes that it reads"),
        key<T>("written_B", &T::written_B, "bytes that it writes"),
        key<T>("time_s", &T::time_s, "how long it takes"),
        key<T>("limited_by", &T::limited_by, "what it cannot be faster than")};
  }
};

/// What a pipeline amounts to; its times stand in the result itself.
struct PipelineSummary {
  std::vector<PipelineStep> steps;
  std::string first_result;
  double copied_B = 0;
  double copy_s = 0;
  double copy_share = 0;

  static constexpr auto fields() {
    using T = PipelineSummary;
    return std::tuple{key<T>("steps", &T::steps, "one after the other"),
                      key<T>("first_result", &T::first_result,
                             "the stage whose beginning counts as the first result"),
                      key<T>("copied_B", &T::copied_B, "bytes copied between stages"),
                      key<T>("copy_s", &T::copy_s, "time spent on copying"),
                      key<T>("copy_share", &T::copy_share, "the same over the whole time, 0 to 1")};
  }
};

}  // namespace gpufeed
