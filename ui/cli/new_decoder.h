// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/load/load.h"
#include "ui/cli/new_machine.h"

namespace gpufeed::cli {

/// The job of `new --model` where that is a language model given by its architecture: bf16, AdamW
/// and the layout that a person would begin with on these GPUs, each choice with its reason;
/// nothing for other models. \throws InputError  where nothing that is known fits, with what would
/// \param machine  the rest of the scenario, as TOML
std::optional<std::string> decoder_job(const MachineArguments& arguments,
                                       const std::string& machine, const std::string& place,
                                       const Catalog& catalog,
                                       const std::vector<Override>& overrides,
                                       const Options& options);

}  // namespace gpufeed::cli
