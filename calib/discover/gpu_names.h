// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/load/load.h"

namespace gpufeed {

/// The GPUs of the catalog that a driver or lspci may mean by a name such as "NVIDIA H100 80GB
/// HBM3", "Tesla V100-SXM2-32GB" or "GH100 [H100 PCIe]": those whose own name has each of its
/// words, and as few others as possible; without a word for the form, modules come before cards, as
/// in NVIDIA's names. Empty where there is none.
std::vector<const EntryText*> gpus_called(const std::vector<EntryText>& gpus,
                                          const std::string& name);

}  // namespace gpufeed
