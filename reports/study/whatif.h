// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "reports/study/change.h"
#include "sim/model/study/whatif.h"

namespace gpufeed {

class StudyPool;

/// How to try changes.
struct WhatIfRun {
  unsigned jobs = 1;           ///< changes at a time, in threads
  bool settings_only = false;  ///< only what is free
  /// Told how many of how many changes are tried; by one thread at a time.
  std::function<void(std::int64_t tried, std::int64_t of)> progress = [](auto, auto) {};
  StudyPool* pool = nullptr;  ///< whoever else tries some of them; not of an engine that serves
};

/// Simulates a scenario with every change of `setting_changes`, `purchase_changes` and
/// `saving_changes` in turn, each alone and with the scenario's own seed, and keeps those that
/// help. One that costs no less, and whose bound (`optimistic_result`) is what is reached now, is
/// not simulated. A gain or loss within the noise of its own pair (`noise_of`) is none. A gain is
/// that of the whole job's rate; one by rarer checkpoints is none, and one of another training
/// stands by itself. Of changes of one subject, one that costs as much as another or more, and
/// gives no more than it, is left out. \param catalog  one that remembers \throws InputError  where
/// the scenario is wrong, or trains, emulates and loads nothing
WhatIf what_if(const ScenarioSource& source, const Catalog& catalog, const WhatIfRun& run);

}  // namespace gpufeed
