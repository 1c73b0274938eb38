// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/model/result/result.h"

namespace gpufeed {

/// One screen about one scenario, for a reader who wants to know whether to buy it.
std::string to_text(const Result& result);

/// One short table of several scenarios, one numbered row each; one table for those that train, one
/// for io and one for transfers.
std::string to_table(const std::vector<Result>& results);
/// What holds each of them back, one numbered sentence each: what follows the table.
std::string to_reasons(const std::vector<Result>& results);

}  // namespace gpufeed
