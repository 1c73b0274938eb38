// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/export/parts.h"
#include "sim/import/dlio.h"

namespace gpufeed {

/// A scenario in DLIO's terms, as its own files are read.
struct DlioScenario {
  DlioWorkload workload;
  std::optional<std::string> format;  ///< of the files, where the decoder tells it
  std::int64_t accelerators = 1;      ///< of all nodes
  std::string name;                   ///< DLIO's of the model
};

/// \throws InputError  where DLIO has nothing for the kind of workload
DlioScenario dlio_scenario_of(const ExportSource& source, ToolText& notes);

/// One key of DLIO's file.
struct DlioSetting {
  std::string section;  ///< empty: the top of the file
  std::string key;
  std::string value;  ///< as YAML has it
  /// Whether a file that was read so says the same.
  std::function<bool(const DlioWorkload&)> same;
};

/// What the scenario says, in the order of DLIO's files. \source  DLIO, docs/source/config.rst
std::vector<DlioSetting> dlio_settings(const DlioScenario& scenario);

/// The deviation that DLIO must be told so that its square records deviate by `deviation`: what
/// `square_record_deviation` takes back.
Bytes told_deviation(Bytes length, Bytes deviation);

}  // namespace gpufeed
