// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "sim/load/load.h"
#include "sim/model/study/parameters.h"

namespace gpufeed {

/// Reads what `gpufeed calibrate` wrote; its folder of entries is then relative to where we are.
/// \param catalog  says where that folder may lie
/// \throws InputError  with every problem found
ParameterFile load_parameters(const std::filesystem::path& file,
                              const Catalog& catalog = Catalog({}));

/// Its values as overrides, with the basis "calibrated".
std::vector<Override> overrides_of(const ParameterFile& file);

}  // namespace gpufeed
