// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/kinds/checkpointing.h"
#include "sim/model/result/result.h"

namespace gpufeed {

struct Scenario;

/// What the checkpointing of MLPerf Storage would report. All ranks write equal parts at once, and
/// read them back with empty caches; the first hosts have one rank more where hosts do not divide
/// them. A rank's bytes are copied by software (three passes over memory, at most the CPU's
/// core_copy_bandwidth), cross a NIC and the network, and end on the store's drives: fsync waits
/// for them. Every save is like the others, and so is every load.
/// \throws InputError  where a host does not reach the store
Result simulate_kind(const kind::Checkpointing& keys, const Scenario& scenario);

}  // namespace gpufeed
