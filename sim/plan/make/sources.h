// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/engine/engine.h"
#include "sim/plan/plan.h"
#include "sim/plan/reading.h"

namespace gpufeed {

struct Store;

/// What samples are read from.
struct Sources {
  ReadFrom from;
  Reading reading;
  const Store* store = nullptr;  ///< of the scenario; null: drives
  std::vector<PartId> parts{};   ///< drives, or the one store
  bool whole_files = false;      ///< each on one drive; else every batch is striped over all
};
Sources sources_of(const Scenario& scenario, const ReadFrom& from);

/// Whether all data lie on one drive of one machine that tells its readers together that they were
/// served. Volumes of several such drives, and several machines, are taken to tell each.
bool told_together(const Scenario& scenario, const Sources& sources);

/// The most that the readers of one batch receive together from one source, whatever links carry;
/// infinite where nothing says:
/// - a store: what so many stripes of a file give;
/// - a drive: what requests one after the other attain, times its part of the drives that serve a
///   reader at once;
/// - a reader's thread: what the CPU says, over all sources that a sample is striped over.
/// Where files lie whole on drives, the readers of a batch share the drives that they are at.
/// \param readers  of one batch
/// \param cpu      that runs them
Bandwidth most_of_source(const Sources& sources, const System& system, PartId source,
                         const Cpu& cpu, std::int64_t readers);

}  // namespace gpufeed
