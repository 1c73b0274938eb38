// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "ui/cli/options.h"

namespace gpufeed::cli {

/// What `gpufeed calibrate` measures of this machine, rather than reads from fio's files.
struct CalibrateHere {
  bool io = false;
  bool decode = false;
  bool memory = false;
  bool page_cache = false;
  bool gpu = false;
  bool pytorch = false;
  bool training = false;
  std::optional<std::string> python;      ///< `--python`
  std::optional<std::string> folder;      ///< `--dir`
  std::optional<std::string> most_time;   ///< `--max-time`
  std::optional<std::string> most_bytes;  ///< `--max-bytes`
  std::optional<std::string> raw;         ///< `--raw`: fits this instead of measuring

  void add_to(Options& options);
  bool asked() const {
    return io || decode || memory || page_cache || gpu || pytorch || training || raw;
  }
};

/// Measures or reads, fits, and writes `output` (a file of --params), its raw measurements and the
/// entries beside it. \return the exit status
int calibrate_here(const CalibrateHere& given, const std::optional<std::string>& output,
                   const Options& options);

}  // namespace gpufeed::cli
