// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>

#include "sim/model/scenario.h"
#include "tests/support/systems.h"

/// Scenarios share their parts, which therefore never change: what a test alters is a copy.
namespace gpufeed::systems {

/// Lets `shared` refer to a copy that `change` has altered.
template <class Entry, class Change>
void edit(Ref<Entry>& shared, Change change) {
  Entry entry = *shared;
  change(entry);
  if constexpr (std::same_as<Entry, System>) entry = joined(std::move(entry));
  shared = ref(std::move(entry));
}

/// Alters the product of every one of the `parts`: of sockets, drives, GPUs...
template <class Part, class Change>
void edit_all(std::vector<Part>& parts, Change change) {
  for (auto& part : parts) edit(part.model, change);
}

template <class Change>
void edit_cpus(Scenario& scenario, Change change) {
  edit(scenario.system, [&](System& system) { edit_all(system.sockets, change); });
}

template <class Change>
void edit_drives(Scenario& scenario, Change change) {
  edit(scenario.system, [&](System& system) { edit_all(system.drives, change); });
}

/// Lets `decoder` say what decoding costs, instead of a time of the dataset.
inline void decode_by(Scenario& scenario, const Decoder& decoder) {
  edit(scenario.workload.dataset(), [&](Dataset& dataset) {
    dataset.decode_time = {};
    dataset.decoder = ref(Decoder(decoder));
  });
}

}  // namespace gpufeed::systems
