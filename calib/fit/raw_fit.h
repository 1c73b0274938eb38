// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpufeed {

struct Gpu;

/// What the catalog has of the GPU that its driver calls so; nothing where it has none.
using GpuCalled = std::function<std::optional<Gpu>(const std::string&)>;

/// What raw measurements tell, as files.
struct Calibration {
  std::string parameters;  ///< a file of --params
  /// Entries of a catalog: "decoder/calibrated-jpeg" to TOML.
  std::map<std::string, std::string> entries;
  std::vector<std::string> told;     ///< what was found, a line each, for the screen
  std::vector<std::string> refused;  ///< what the measurements do not determine
};

/// Fits laws to what `raw_json` (calib/probes/raw.h) wrote: drives by fio, decoding, memory,
/// transformers.
/// \param name     stands for the file in messages
/// \param catalog  the folder of the entries, as the parameter file names it; empty: they are
///                 not written, which it says
/// \throws InputError  where it is no such file
Calibration fit_raw(std::string_view text, const std::string& name, const std::string& catalog,
                    const GpuCalled& gpu_called = {});

}  // namespace gpufeed
