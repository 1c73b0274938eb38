// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/plan/exchange/tuning.h"
#include "sim/plan/exchange/ways.h"

namespace gpufeed {

/// The library that sums over the ranks of an exchange, and what it sees of their machine; asked
/// for once, as it is the same for all their collectives.
class RankLibrary {
 public:
  /// `ways` must outlive it.
  explicit RankLibrary(const ExchangeWays& ways);

  /// Of GPUs that are not alike, as the first has it. Null where one names none, or
  /// `exchange.rings` asks for those of an older one.
  const CollectiveLibrary* costs() const { return costs_; }

  /// What it sees of collectives. \param phase  of them, by a ring or tree: whether they take
  /// NVLink
  CollectiveShape shape_of(const ExchangePhase& phase, const CollectiveCalls& calls) const;

  /// Gives the calls of phases the library's latency, and their flows what its protocol makes of
  /// their bytes; copies by themselves stay as they are, and all do without a library.
  /// \param algorithm  tree and nvls as such (of nvls, `phases` are those of a ring), others by
  ///                   rings
  /// \return false where there is no such collective on this machine
  bool tune_phases(Algorithm algorithm, ExchangePhases& phases) const;

  /// The same, each phase by a ring or by NVLS, whichever the library takes to be quicker.
  void tune_as_it_chooses(ExchangePhases& phases) const;

  /// Of what phases take, the part in which kernels of the library carry it over NVLink and
  /// computing stands still. What waits for a network, or goes over PCIe, leaves computing alone;
  /// parameter servers copy without kernels.
  double lost_to_kernels(Algorithm algorithm, const ExchangePhases& phases) const;

 private:
  std::optional<TunedCollective> tuned(Algorithm algorithm, const ExchangePhase& phase) const;

  const ExchangeWays& ways_;
  const CollectiveLibrary* const costs_;
  const double cycle_;  ///< of the slowest GPU in use, over that for which the costs hold
  const bool on_one_switch_;
};

/// A ring, tree or NVLS by the library: of nvls, `plain` is that of a ring.
std::optional<TunedCollective> tune_as(const CollectiveLibrary& library, Algorithm algorithm,
                                       const CollectiveShape& shape, Seconds plain);

}  // namespace gpufeed
