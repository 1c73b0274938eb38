// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/load/reader.h"

namespace gpufeed {

/// Whether `id` fits `pattern`, where * stands for any text and ? for any one character.
bool matches(const std::string& pattern, const std::string& id);

/// Swaps parts as `[[replace]]` says. Clones hang where the parts that they multiply hang, in turn.
void apply_replacements(Scenario& scenario, Reader& reader, Diagnostics& out);

/// Ids, attachments, cycles and connections.
void check_system(const System& system, Diagnostics& out);

/// What ties system, workload, data and loader together; fills in `data.at` where it is clear, and
/// expands the patterns of volumes and stores into ids.
void check_scenario(Scenario& scenario, Diagnostics& out);

/// Keys that a workload of its kind needs; one that is there but misspelt is not missing.
void check_workload_keys(const Scenario& scenario,
                         const std::set<std::string, std::less<>>& misspelt, Diagnostics& out);

/// Whether parts, data and loaders fit one another: capacities, memory, lanes, power, RAID sizes,
/// the ways of GPUDirect.
void check_fit(const Scenario& scenario, const System& system, Diagnostics& out);

/// That a store on which a job writes says how fast it takes it.
/// \param key  where `place` is named
void check_writable(const Scenario& scenario, const PartRef& place, std::string_view key,
                    Diagnostics& out);

/// That the training's state can be saved as `[checkpoint]` says; fills in where and how much.
void check_checkpoint(Scenario& scenario, const System& system, Diagnostics& out);

/// What each kind of workload must fulfil, and the defaults that depend on the kind.
void check_workload(Scenario& scenario, const System& system, Diagnostics& out);

}  // namespace gpufeed
