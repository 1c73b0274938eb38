// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/kinds/inference.h"
#include "sim/model/result/result.h"

namespace gpufeed {

struct Scenario;

/// Serves `workload.model`: how long it takes until every GPU holds it (cold_start.h), then how
/// many requests per second it answers (serving_job.h) and how long each takes.
/// - Capacity: a run of its own with so many clients that something is always full.
/// - Where more requests arrive than that (or within a thousandth), they are refused beyond it: the
///   result is that of the full machine, and says nothing of latency, which would grow without end.
/// - `workload.serving.requests` are simulated, of which the first tenth is left out. The mean
///   latency's uncertainty is that of the means of 20 parts of the rest.
/// \throws InputError  where there is no way between data and GPUs
Result simulate_kind(const kind::Inference& keys, const Scenario& scenario);
/// Refuses what that would. \throws InputError
void check_kind(const kind::Inference& keys, const Scenario& scenario);

}  // namespace gpufeed
