// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/load/key_help.h"

namespace gpufeed::cli {

/// Whether most scenarios say the key, sweeps and goals too: the others are advanced.
bool is_basic(const KeyHelp& key);

/// The same keys, basic ones first in each table.
std::vector<KeyHelp> basic_first(std::vector<KeyHelp> keys);

}  // namespace gpufeed::cli
