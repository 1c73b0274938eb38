// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/load/scenario_source.h"

namespace gpufeed {

/// One change of a scenario that a user may make, before anybody knows whether it can be made, or
/// helps.
struct Change {
  std::string subject;            ///< loader, data, exchange, drives, ...: changes of one compete
  std::string text;               ///< "16 loader workers per GPU instead of 8"
  std::vector<std::string> sets;  ///< as `--set` takes them: "loader.workers_per_gpu=16"
  std::string why;                ///< what it acts on
  bool is_free = false;           ///< a setting, nothing is bought
  bool alters = false;            ///< what is trained: the result may be another
  bool saves = false;             ///< less or cheaper parts: meant to cost less, not to be faster
};

/// Settings of software: those of `model_changes`, loader, reading, decoding, placement, batch,
/// activations, precision, exchange, clients of stores, checkpoints, which none makes rarer: larger
/// batches leave as many samples between two, or fewer. \param catalog  whose decoders for GPUs are
/// offered
std::vector<Change> setting_changes(const Scenario& scenario, const Catalog& catalog);

/// Of how a model is computed: stages of a pipeline; of one given by its architecture also kernels
/// and overlaps, and what makes it fit where the GPUs' memory does not hold it.
std::vector<Change> model_changes(const Scenario& scenario);

/// Drives as a cache of the store that is read; of one that is there, other rules of what leaves
/// it, all its drives hold, another volume, or all data copied in instead.
std::vector<Change> cache_changes(const Scenario& scenario);

/// Parts and machines of the catalog that would be bought around the GPUs, which stay: drives,
/// network cards, processors, memory, blades of a store that is read, other stores in its place, a
/// service in another size, and other machines with as many of the same GPUs. A part is proposed
/// only where it fits in form, and is faster in something, unless a cheaper one outdoes it; a drive
/// built for more writes only where the job writes, a store only where it is sold, not rented. In
/// the place of a rented machine only others are rented. Whether a chassis has room for a part is
/// told when it is loaded. \param source  of the scenario; tells whether the machine is made of a
/// chassis and parts
std::vector<Change> purchase_changes(const Scenario& scenario, const Catalog& catalog,
                                     const ScenarioSource& source);

/// Fewer or cheaper drives of those that training reads, half a store's blades or a cheaper store,
/// cheaper processors of the same socket whose cores are known to be as fast, half the memory.
/// Cheaper is what costs less by a price of the same year.
std::vector<Change> saving_changes(const Scenario& scenario, const Catalog& catalog,
                                   const ScenarioSource& source);

/// The overrides that a change consists of.
std::vector<Override> overrides_of(const Change& change);

}  // namespace gpufeed
