// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/result/result.h"
#include "sim/topology/graph.h"

namespace gpufeed {

struct Scenario;

/// What the replay of a log came to.
struct ReplayOutcome {
  Graph graph;
  ByResource<double> load;      ///< 0 to 1
  std::vector<PartId> sources;  ///< drives; of a store, the NICs that reach it
  std::vector<double> took_s;   ///< each request of the log
  double hit_rate = 0;          ///< of the page cache, in bytes read
  Bytes read;                   ///< from the storage
  Bytes written;
  Seconds end;  ///< of the last request
};

/// A log without any time between its requests still took some.
inline constexpr double kLeastTime_s = 1e-12;

/// What fio would report of the log's requests, and whether the storage keeps up with it.
Result replay_answer(const Scenario& scenario, const ReplayOutcome& outcome);

}  // namespace gpufeed
