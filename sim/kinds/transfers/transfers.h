// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/kinds/transfers.h"
#include "sim/model/result/result.h"

namespace gpufeed {

struct Scenario;

/// What nvbandwidth would print for `workload.tests`, one after the other, and the rates of all
/// `workload.copy` at the same time (copy_streams.h). All are steady max-min fair rates; nothing
/// else runs.
/// - Host memory is that of the GPU's own socket, where nvbandwidth allocates it.
/// - Single tests copy to or from one GPU at a time; bidirectional ones run both directions and
///   count one (GPU to GPU: both and their sum); "all" tests run all GPUs at once.
/// - GPU to GPU is the write test: row to column. Pairs without a peer-to-peer way copy
///   through host memory here; nvbandwidth prints N/A for them.
/// \throws InputError  where two ends of a copy are not connected
Result simulate_kind(const kind::Transfers& keys, const Scenario& scenario);

}  // namespace gpufeed
