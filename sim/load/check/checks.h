// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "sim/base/diagnostics.h"
#include "sim/base/units.h"
#include "sim/model/fields/discrepancy.h"

namespace gpufeed {

class Catalog;
struct PartRef;
struct Scenario;
struct System;

/// Ids, attachments, cycles and connections.
void check_system(const System& system, Diagnostics& out);

/// What ties system, workload, data and loader together; fills in `data.at` where it is clear, and
/// expands the patterns of volumes and stores into ids.
void check_scenario(Scenario& scenario, Diagnostics& out);

/// Keys that a workload of its kind needs; one that is there but misspelt is not missing.
void check_workload_keys(const Scenario& scenario,
                         const std::set<std::string, std::less<>>& misspelt, Diagnostics& out);

/// Whether such a machine can be built: RAID sizes, lanes and their number, links of GPUs, memory
/// and power.
/// \param name  of the system, as the user knows it
void check_buildable(const std::string& name, const System& system, Diagnostics& out);

/// Whether machine, data and loaders fit one another: capacities, memory, the ways of GPUDirect.
void check_fit(const Scenario& scenario, const System& system, Diagnostics& out);

/// Several nodes, how they exchange gradients, and how a model is split over them.
void check_nodes(const Scenario& scenario, const System& system, Diagnostics& out);

/// That something names each store which an option adds to those of the file.
/// \param options  of each: "--set store.nas.model=..."
void check_added_stores(const Scenario& scenario, const std::map<std::string, std::string>& options,
                        Diagnostics& out);

/// That a store on which a job writes says how fast it takes it.
/// \param key  where `place` is named
void check_writable(const Scenario& scenario, const PartRef& place, std::string_view key,
                    Diagnostics& out);

/// Which GPUs share a board.
void check_boards(const Scenario& scenario, Diagnostics& out);

/// That parameters, gradients, optimizer and activations fit into the memory of every GPU in use.
void check_memory(const Scenario& scenario, Diagnostics& out);

/// Gives a decoder as many tokens as `workload.sequence` says.
void set_sequence(Scenario& scenario, Diagnostics& out);

/// Cuts the data's samples to the tokens that a model takes at once, with `workload.packing`.
void pack_samples(Scenario& scenario, Diagnostics& out);

/// Fills in what follows from the data set's format: order, mapping, building an index.
void check_format(Scenario& scenario, Diagnostics& out);

/// How a decoder is split, and whether it fits into memory; times its step.
void check_transformer(Scenario& scenario, Diagnostics& out);

/// Stages and their places; the data lie where the first stage reads unless `data.at` says
/// otherwise.
void check_pipeline(Scenario& scenario, const System& system, Diagnostics& out);

/// Requests, rates of the forward pass, and whether the GPUs hold the model.
void check_inference(const Scenario& scenario, const System& system, Diagnostics& out);

/// Bytes that a volume, drive or store holds; 0 where that is not known.
Bytes capacity_at(const Scenario& scenario, const System& system, const PartRef& place);
/// That it is known how often the machine of a training fails, where the scenario has failures.
void check_failures(const Scenario& scenario, const System& system, Diagnostics& out);

/// That the training's state can be saved as `[checkpoint]` says; fills in where and how much.
void check_checkpoint(Scenario& scenario, const System& system, Diagnostics& out);

/// The shapes of matrix products, and what their times depend on.
void check_matmul(const Scenario& scenario, const System& system, Diagnostics& out);

/// Parts, directions and copies of transfers.
void check_transfers(Scenario& scenario, const System& system, Diagnostics& out);

/// The requests of an io workload; reads their log.
void check_io(Scenario& scenario, const System& system, Diagnostics& out);

/// That what decoding the data set costs is known where it is decoded.
void check_decoding(const Scenario& scenario, const System& system, Diagnostics& out);

/// Of drives that are a cache of a store (data.staging, mode read-through): how large it is, what
/// leaves it and what it fetches, where nobody says; and that nobody says it where there is none.
void check_read_through(Scenario& scenario, const System& system, Diagnostics& out);

/// The defaults that depend on the kind of workload and on other keys.
void fill_defaults(Scenario& scenario, const System& system, Diagnostics& out);

/// What the catalog knows of how far off predictions are; no mechanism is missed.
Discrepancies discrepancies_in(const Catalog& catalog, Diagnostics& out);

/// What each kind of workload must fulfil; fills in its defaults first.
void check_workload(Scenario& scenario, const System& system, Diagnostics& out);

}  // namespace gpufeed
