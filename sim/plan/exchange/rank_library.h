// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/plan/exchange/tuning.h"
#include "sim/plan/exchange/ways.h"

namespace gpufeed {

/// The library that sums over the ranks: of GPUs that are not alike, as the first has it. Null
/// where one names none, or `exchange.rings` asks for those of an older one.
const CollectiveLibrary* library_of(const ExchangeWays& ways);

/// What the library sees of collectives. \param phase  of them, by a ring or tree: whether they
/// take NVLink
CollectiveShape shape_of(const ExchangeWays& ways, const ExchangePhase& phase,
                         const CollectiveCalls& calls);

/// A ring, tree or NVLS by the library: of nvls, `plain` is that of a ring.
std::optional<TunedCollective> tune_as(const CollectiveLibrary& library, Algorithm algorithm,
                                       const CollectiveShape& shape, Seconds plain);

/// Gives the calls of phases the library's latency, and their flows what its protocol makes of
/// their bytes; copies by themselves stay as they are, and all do without a library.
/// \param algorithm  tree and nvls as such (of nvls, `phases` are those of a ring), others by rings
/// \return false where there is no such collective on this machine
bool tune_phases(const ExchangeWays& ways, Algorithm algorithm, ExchangePhases& phases);

/// The same, each phase by a ring or by NVLS, whichever the library takes to be quicker.
void tune_as_library_chooses(const ExchangeWays& ways, ExchangePhases& phases);

/// Of what phases take, the part in which kernels of the library carry it over NVLink and computing
/// stands still. What waits for a network, or goes over PCIe, leaves computing alone; parameter
/// servers copy without kernels.
double lost_to_kernels(const ExchangeWays& ways, Algorithm algorithm, const ExchangePhases& phases);

}  // namespace gpufeed
