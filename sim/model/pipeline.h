// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/model/fields/entry.h"

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

/// One step of a pipeline: a stage, or the copying of data to its place.
struct PipelineStep {
  std::string name;
  bool copies = false;
  std::string place;
  double read_B = 0;
  double written_B = 0;
  double time_s = 0;
  std::string limited_by;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using T = PipelineStep;
    visit(key("name", &T::name, "of the stage, or \"copy to\" it"));
    visit(key("copies", &T::copies, "whether it only copies data to a stage's place"));
    visit(key("place", &T::place, "where the data lie; of a copy: from -> to"));
    visit(key("read_B", &T::read_B, "bytes that it reads"));
    visit(key("written_B", &T::written_B, "bytes that it writes"));
    visit(key("time_s", &T::time_s, "how long it takes"));
    visit(key("limited_by", &T::limited_by, "what it cannot be faster than"));
  }
};

/// What a pipeline amounts to; its times stand in the result itself.
struct PipelineSummary {
  std::vector<PipelineStep> steps;
  std::string first_result;
  double copied_B = 0;
  double copy_s = 0;
  double copy_share = 0;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using T = PipelineSummary;
    visit(key("steps", &T::steps, "one after the other"));
    visit(key("first_result", &T::first_result,
              "the stage whose beginning counts as the first result"));
    visit(key("copied_B", &T::copied_B, "bytes copied between stages"));
    visit(key("copy_s", &T::copy_s, "time spent on copying"));
    visit(key("copy_share", &T::copy_share, "the same over the whole time, 0 to 1"));
  }
};

}  // namespace gpufeed
