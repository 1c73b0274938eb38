// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "sim/load/read/catalog.h"
#include "ui/cli/verbs.h"

namespace gpufeed::cli {

/// gpufeed import training: a framework's training file becomes a scenario.
int import_training(const Arguments& arguments);

/// GPUs of a machine; 1 where it has none, as then one accelerator is emulated.
std::int64_t gpus_of_machine(const std::string& system, const Catalog& catalog);

}  // namespace gpufeed::cli
