// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/base/diagnostics.h"

namespace gpufeed {

class Reader;
struct Override;
struct Scenario;

/// Swaps parts as `[[replace]]` says. Clones hang where the parts that they multiply hang, in turn.
/// \param overrides  of which those of a part's product go into the one that replaces it
void apply_replacements(Scenario& scenario, const std::vector<Override>& overrides, Reader& reader,
                        Diagnostics& out);

}  // namespace gpufeed
