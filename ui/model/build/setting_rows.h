// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/base/problem.h"
#include "sim/load/key_help.h"

namespace gpufeed::ui {

/// One key that a scenario may have.
struct SettingRow {
  std::string path;  ///< "workload.batch_per_gpu"
  std::string help;
  ValueForm kind;          ///< what may stand there
  std::string form;        ///< "a whole number from 1 to 4096"
  std::string standard;    ///< where it is left out: a default, "required", or empty
  std::string value;       ///< as it can be typed in; empty where it is left out
  bool in_tables = false;  ///< it stands in tables with headers, which are changed in the file
};

/// The keys of all sections but the machine's own, those of `workload` as its kind has them.
/// \param text  a scenario; one that is no TOML has no values
std::vector<SettingRow> setting_rows(const std::string& text);

/// Those whose path or help has all words of `search`, whatever the case.
std::vector<const SettingRow*> found_in(const std::vector<SettingRow>& rows,
                                        const std::string& search);

/// What is wrong with the key; empty where nothing is.
std::string problem_of(const KeyPath& path, const std::vector<Problem>& problems);

/// A value as TOML writes it as one would type it in: text without its quotes, where that is taken
/// for the same text.
std::string as_typed(const std::string& value);

}  // namespace gpufeed::ui
