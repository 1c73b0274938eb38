// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/load/read/reader.h"

namespace gpufeed {

/// The catalog with what `[[own]]` of a scenario's table says of its products. Names and keys that
/// the catalog does not have are reported to `out`; values are checked where their entry is read.
Catalog with_own_values(const toml::table& scenario, const std::string& file,
                        const Catalog& catalog, Diagnostics& out);

}  // namespace gpufeed
