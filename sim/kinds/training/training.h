// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/job/epochs/held.h"
#include "sim/model/kinds/emulated.h"
#include "sim/model/kinds/loader.h"
#include "sim/model/kinds/training.h"
#include "sim/model/result/result.h"
#include "sim/plan/make/lever.h"

namespace gpufeed {

struct Scenario;

/// Simulates a job of loaders and, unless it only loads, GPUs or what a benchmark has in their
/// place. \throws InputError  where a GPU has no way to the data, or two GPUs none to each other
Result simulate_kind(const kind::Training& keys, const Scenario& scenario);
Result simulate_kind(const kind::Emulated& keys, const Scenario& scenario);
Result simulate_kind(const kind::Loader& keys, const Scenario& scenario);

/// Any of these, and how far it was from its bound before it was held to that.
struct WithUnheld {
  Result result;
  Unheld unheld;
};
WithUnheld simulate_with_unheld(const Scenario& scenario);

/// Any of these by few nodes that stand for all, whatever chance makes of one of many: to be held
/// against another that was simulated so.
Result simulate_few_nodes(const Scenario& scenario);

/// Refuses what these would. \throws InputError
void check_kind(const kind::Training& keys, const Scenario& scenario);
void check_kind(const kind::Emulated& keys, const Scenario& scenario);
void check_kind(const kind::Loader& keys, const Scenario& scenario);

/// Any of these with levers of its plan moved, draw by draw as without: the same seed draws the
/// same for every batch. Copying data in before training stays as it is.
Result simulate_shifted(const Scenario& scenario, const std::vector<Shift>& shifts);

}  // namespace gpufeed
