// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

#include "sim/load/read/catalog.h"
#include "sim/model/study/observed.h"

namespace gpufeed {

/// Reads what was seen on a run. \throws InputError  with every problem found: wrong keys and
/// units, values that cannot be, or none at all
Observed load_observed(const std::filesystem::path& file, const Catalog& catalog);
/// The same from text; `name` stands for the file in messages.
Observed parse_observed(std::string_view text, const std::string& name, const Catalog& catalog);

}  // namespace gpufeed
