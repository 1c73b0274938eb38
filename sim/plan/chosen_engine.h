// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "sim/engine/engine.h"
#include "sim/model/run.h"

namespace gpufeed {

/// An engine of the kind that `run.engine` names. Whoever chooses the fluid one may simulate in any
/// number of threads at a time.
inline std::unique_ptr<Engine> make_engine(EngineKind kind) {
  return kind == EngineKind::fluid ? make_fluid_engine() : make_simgrid_engine();
}

}  // namespace gpufeed
