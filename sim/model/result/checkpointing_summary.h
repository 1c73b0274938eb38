// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sim/model/facts/limiters.h"
#include "sim/model/fields/field.h"
#include "sim/model/fields/told.h"

namespace gpufeed {

/// One way, saving or loading, of a state by all ranks at once; each bandwidth is the whole state's
/// bytes over the time beside it.
struct CheckpointPhase {
  double rank0_s = 0;
  double rank0_Bps = 0;
  double slowest_s = 0;
  double slowest_Bps = 0;
  double span_s = 0;
  Limiter limit = {};

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("rank0_s", &CheckpointPhase::rank0_s, "until rank 0 has ended its own").as_time());
    visit(key("rank0_Bps", &CheckpointPhase::rank0_Bps, "what MLPerf Storage reports"));
    visit(key("slowest_s", &CheckpointPhase::slowest_s, "until every rank has").as_time());
    visit(key("slowest_Bps", &CheckpointPhase::slowest_Bps, "what a job that waits for all gets"));
    visit(key("span_s", &CheckpointPhase::span_s, "of all ten, pauses between saves included")
              .as_time());
    visit(told("limited_by", &CheckpointPhase::limit, "deprecated: limit, in words"));
    visit(key("limit", &CheckpointPhase::limit, "what carries all it can"));
  }
};

struct CheckpointingSummary {
  std::int64_t ranks = 0;
  double size_B = 0;
  std::int64_t files = 0;
  double rank0_B = 0;
  CheckpointPhase save;
  CheckpointPhase load;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("ranks", &CheckpointingSummary::ranks, "of all hosts; each writes its part"));
    visit(key("size_B", &CheckpointingSummary::size_B, "of one checkpoint"));
    visit(key("files", &CheckpointingSummary::files, "of one checkpoint, by all ranks"));
    visit(key("rank0_B", &CheckpointingSummary::rank0_B, "of rank 0's part"));
    visit(key("save", &CheckpointingSummary::save, "writing and fsync"));
    visit(key("load", &CheckpointingSummary::load, "reading back, caches empty"));
  }
};

}  // namespace gpufeed
