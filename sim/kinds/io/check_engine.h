// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/base/diagnostics.h"
#include "sim/model/kinds/io.h"

namespace gpufeed {

/// Refuses what the engine of an `io` job cannot do, and its keys where they do nothing.
/// \param where  the job stands
/// \param store  it reads or writes one, whose client takes the cores
void check_engine(const IoJob& io, const Location& where, bool store, Diagnostics& out);

}  // namespace gpufeed
