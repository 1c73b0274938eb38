// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>

#include "sim/engine/engine.h"

namespace gpufeed {

/// What the module `libgpufeed_simgrid.so` has under the name `gpufeed_simgrid_engine`: makes an
/// engine, which the caller owns.
using EngineMaker = Engine* (*)();

/// Loads the module from the first of `folders` that has it; it stays loaded.
/// \throws InputError  where none has it, or it cannot be loaded, which means that SimGrid
///                     is missing
EngineMaker load_simgrid_module(std::span<const std::filesystem::path> folders);

}  // namespace gpufeed
