// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace gpufeed {

/// What gpufeed-gpu-probe, the program beside this one, did.
struct GpuProbe {
  std::string json;      ///< its raw measurements; empty where it made none
  std::string why_none;  ///< then: why, in words
};

/// Takes some seconds for each GPU. \throws InputError  when interrupted
GpuProbe measure_gpus(const std::filesystem::path& scratch);

}  // namespace gpufeed
