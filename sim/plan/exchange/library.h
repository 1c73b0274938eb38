// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/plan/exchange/tuning.h"
#include "sim/plan/exchange/ways.h"

namespace gpufeed {

/// The library that sums over the ranks; null where their GPUs name none or several, or where
/// `exchange.rings` asks for those of an older one.
const CollectiveLibrary* library_of(const ExchangeWays& ways);

/// A collective over all ranks, or over those of one job of a node.
/// \param phases  of a ring or tree over them: whether they take NVLink
CollectiveShape shape_of(const ExchangeWays& ways, const ExchangePhases& phases,
                         CollectiveOperation operation, Bytes size);

/// A ring, tree or NVLS by the library: of nvls, `plain` is that of a ring.
std::optional<TunedCollective> tune_as(const CollectiveLibrary& library, Algorithm algorithm,
                                       const CollectiveShape& shape, Seconds plain);

/// Gives the phases of a ring, tree or NVLS the library's latency, and its flows what its protocol
/// makes of their bytes. Of nvls, `phases` are those of a ring. Others stay as they are.
/// \param pieces  collectives that follow one another, with an equal part of the gradients each
/// \return false where there is no such collective on this machine
bool tune_phases(const ExchangeWays& ways, Algorithm algorithm, double pieces,
                 ExchangePhases& phases);

/// Of what phases take, the part in which kernels of the library carry it over NVLink and computing
/// stands still. What waits for a network, or goes over PCIe, leaves computing alone; parameter
/// servers copy without kernels.
double lost_to_kernels(const ExchangeWays& ways, Algorithm algorithm, const ExchangePhases& phases);

}  // namespace gpufeed
