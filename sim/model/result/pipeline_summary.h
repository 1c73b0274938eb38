// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/model/facts/limiters.h"
#include "sim/model/fields/told.h"

namespace gpufeed {

/// One step of a pipeline: a stage, or the copying of data to its place.
struct PipelineStep {
  std::string name;
  bool copies = false;
  std::string place;
  double read_B = 0;
  double written_B = 0;
  double time_s = 0;
  Limiter limit;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using T = PipelineStep;
    visit(key("name", &T::name, "of the stage, or \"copy to\" it"));
    visit(key("copies", &T::copies, "whether it only copies data to a stage's place"));
    visit(key("place", &T::place, "where the data lie; of a copy: from -> to"));
    visit(key("read_B", &T::read_B, "bytes that it reads"));
    visit(key("written_B", &T::written_B, "bytes that it writes"));
    visit(key("time_s", &T::time_s, "how long it takes").as_time());
    visit(told("limited_by", &T::limit, "deprecated: limit, in words"));
    visit(key("limit", &T::limit, "what it cannot be faster than"));
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
    visit(key("copy_s", &T::copy_s, "time spent on copying").as_time());
    visit(key("copy_share", &T::copy_share, "the same over the whole time, 0 to 1"));
  }
};

}  // namespace gpufeed
