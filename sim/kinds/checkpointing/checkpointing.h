// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/kinds/checkpointing.h"
#include "sim/model/result/result.h"

namespace gpufeed {

struct Scenario;

/// What the checkpointing of MLPerf Storage would report: all ranks save their files at once
/// (saved_state.h, phase.h), and load them with empty caches. A rank's bytes are copied by software
/// (three passes over memory), cross a NIC and the network, and end on the store's drives: fsync
/// waits for them, and memory serves no load, as the rules ask. Every save is like the others, and
/// so is every load.
/// \throws InputError  where a host does not reach the store
Result simulate_kind(const kind::Checkpointing& keys, const Scenario& scenario);

}  // namespace gpufeed
