// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/base/diagnostics.h"

namespace gpufeed {

class Reader;
struct Scenario;

/// Swaps parts as `[[replace]]` says. Clones hang where the parts that they multiply hang, in turn.
void apply_replacements(Scenario& scenario, Reader& reader, Diagnostics& out);

}  // namespace gpufeed
