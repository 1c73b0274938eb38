// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/chosen_engine.h"

namespace gpufeed {

std::unique_ptr<Engine> make_engine(EngineKind kind) {
  return kind == EngineKind::fluid ? make_fluid_engine() : make_simgrid_engine();
}

}  // namespace gpufeed
