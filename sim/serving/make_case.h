// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/serving/case.h"

namespace gpufeed::serving {

/// What a file says, in plain numbers; requests are drawn, or those of the log.
/// \throws InputError  where the weights, or one request, do not fit the GPUs
Case make_case(const Document& document);

/// GPUs, memory and drives that it takes.
struct Machines {
  std::int64_t gpus = 0;
  std::int64_t machines = 0;  ///< systems; 0: the file names a GPU alone
  double usd_per_hour = 0;
  double watts_idle = 0;
  double watts = 0;  ///< at full load, the building's share included
  bool has_price = false;
  bool has_power = false;
};
Machines machines_of(const Document& document);

/// Names of blocks and lengths, into `out`; the law and the pool are there.
void add_requests(Case& out, const Document& document);

}  // namespace gpufeed::serving
