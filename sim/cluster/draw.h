// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/cluster/case.h"
#include "sim/model/cluster/document.h"

namespace gpufeed::cluster {

/// What a job of a scenario is, alone.
struct OwnRate {
  double length = 0;  ///< s, its whole job
  std::int64_t gpus = 0;
  double busy = 1;        ///< share of the time that they compute
  std::string store;      ///< of the document; empty: none of them
  double staging = 0;     ///< s that data are copied in before
  double staging_io = 0;  ///< B/s from the store in that
  double cold = 0;        ///< s of the first epoch
  double cold_io = 0;
  double io = 0;  ///< B/s in later epochs
  std::int64_t checkpoints = 0;
  double checkpoint_every = 0;  ///< s of work
  double checkpoint_cost = 0;   ///< s
  double checkpoint_size = 0;   ///< B that it writes to the store
  double restart = 0;           ///< s, where the scenario has failures or checkpoints
};

/// The runs of each stream, simulated: one for each of its sizes. A scenario that several streams
/// run with as many GPUs is simulated again.
/// \throws InputError  as `simulate`
std::vector<std::vector<OwnRate>> own_rates(const Document& document);

/// The document with the jobs of its streams behind its own, in the order of their arrival.
/// \param rates  `own_rates` of it
Document with_streams(const Document& document, const std::vector<std::vector<OwnRate>>& rates,
                      std::uint64_t seed);

/// A document's case under its scheduler, and behind it the same with what could as well be: other
/// draws, and lengths that differ by 0.1 % at most. The same seed gives the same.
/// \param rates  `own_rates` of it
std::vector<Case> with_repeats(const Document& document,
                               const std::vector<std::vector<OwnRate>>& rates);

}  // namespace gpufeed::cluster
