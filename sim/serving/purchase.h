// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "sim/model/serving/document.h"

namespace gpufeed::serving {

/// GPUs, memory, drives and stores that an engine takes, and what having them costs.
struct Machines {
  std::int64_t gpus = 0;
  std::int64_t machines = 0;        ///< systems; 0: the file names a GPU alone
  std::optional<double> price_USD;  ///< of what has a price; nothing: of none, or it is rented
  std::string without_price;        ///< what is not in it, joined by " + "
  std::int64_t unpriced = 0;        ///< how many kinds of parts those are
  std::optional<double> power_W;    ///< at full load, of what has one
  std::string without_power;
  std::int64_t unpowered = 0;
  std::optional<double> usd_per_hour;  ///< written off over `cost.life_time`, electricity; or rent
};
/// Of a file that names a GPU alone, what stands around the GPUs is in no sum. Memory and drives of
/// a system are its own; memory else is bought by modules of the tier. A store counts whole, for
/// KV caches alone.
Machines machines_of(const Document& document);

/// How many replicas share a machine.
std::int64_t replicas_on_one(const Document& document);

}  // namespace gpufeed::serving
