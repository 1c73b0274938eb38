// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "sim/base/units.h"

namespace gpufeed {

/// What gpufeed-pytorch-probe, -training-probe or -transformer-probe, programs beside this one,
/// did.
struct PytorchProbe {
  std::string json;      ///< its raw measurements; empty where it made none
  std::string why_none;  ///< then: why, in words
};

/// Settings that take `each`.
std::size_t pytorch_settings();

/// Decoding in workers of PyTorch's DataLoader, and what the loader itself costs. Makes the samples
/// that it decodes.
/// \param python  the interpreter that has torch, as the shell would find it
/// \throws InputError  where the samples cannot be written, or when interrupted
PytorchProbe measure_pytorch(const std::string& python, const std::filesystem::path& scratch,
                             Seconds each);

/// Whole training steps of networks of the catalog on the first GPU, as many as fit into the time.
/// \throws InputError  when interrupted
PytorchProbe measure_training(const std::string& python, const std::filesystem::path& scratch,
                              Seconds time);
/// The same of a transformer's parts and a small Llama's steps.
PytorchProbe measure_transformer(const std::string& python, const std::filesystem::path& scratch,
                                 Seconds time);

}  // namespace gpufeed
