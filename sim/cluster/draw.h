// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/model/cluster/document.h"

namespace gpufeed::cluster {

/// What a job of a scenario is, alone.
struct OwnRate {
  double length = 0;  ///< s, its whole job
  std::int64_t gpus = 0;
  double busy = 1;  ///< share of the time that they compute
  double io = 0;    ///< B/s from its store, mean of the job; 0 where it reads none
  std::string store;
};

/// The runs of each stream, simulated: one for each of its sizes. A scenario that several streams
/// run with as many GPUs is simulated again.
/// \throws InputError  as `simulate`
std::vector<std::vector<OwnRate>> own_rates(const Document& document);

/// The document with the jobs of its streams behind its own, in the order of their arrival.
/// \param rates  `own_rates` of it
Document with_streams(const Document& document, const std::vector<std::vector<OwnRate>>& rates,
                      std::uint64_t seed);

}  // namespace gpufeed::cluster
