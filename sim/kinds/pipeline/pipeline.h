// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/kinds/pipeline.h"
#include "sim/model/result/result.h"

namespace gpufeed {

struct Scenario;

/// Runs the stages of `workload.stage` one after the other, each over the whole data set.
/// - Where a stage's place differs from the place of the data, they are copied there first: a step
///   of its own. `data.at` is where they lie at the beginning.
/// - A stage reads all data, works at `servers` x `rate`, and writes `output` times as much to its
///   own place at the same time; what it takes of drives, stores and links: pipeline_ways.h. The
///   next stage reads what was written, or the same data again where nothing was.
/// - A step takes bytes read / the steady rate of all its ways. Latencies, opening of files and the
///   page cache are left out: a step is long.
/// - All stages use this machine's NICs and memory; what their servers do besides is their `rate`.
/// - The time to first result ends where the stage with `trains` (else the last) begins.
/// \throws InputError  where there is no way between a place and memory
Result simulate_kind(const kind::Pipeline& keys, const Scenario& scenario);

}  // namespace gpufeed
