// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "reports/study/whatif.h"
#include "sim/load/load.h"
#include "tests/support/catalog.h"
#include "tests/support/temporary_folder.h"

namespace gpufeed {

inline const std::string kExamples = GPUFEED_SOURCE_DIR "/examples/";

inline ScenarioSource source_of(const std::filesystem::path& file,
                                const std::vector<std::string>& sets = {}) {
  static const Catalog catalog = own_catalog().remembering();
  std::vector<Override> overrides;
  for (const auto& set : sets) overrides.push_back(parse_override(set));
  return {file, catalog, overrides};
}

/// A scenario as a test writes it.
class Written {
 public:
  explicit Written(const std::string& text) { folder_.write("a.toml", text); }
  ScenarioSource with(const std::vector<std::string>& sets = {}) const {
    return source_of(folder_ / "a.toml", sets);
  }

 private:
  TemporaryFolder folder_;
};

inline WhatIf tried(const ScenarioSource& source, bool settings_only = false) {
  return what_if(source, own_catalog().remembering(), {.jobs = 2, .settings_only = settings_only});
}
inline WhatIf tried(const std::string& example) { return tried(source_of(kExamples + example)); }

inline bool has_subject(const WhatIf& report, const std::string& subject) {
  return std::ranges::count(report.rows, subject, &WhatIfRow::subject) > 0;
}

inline const WhatIfRow* with_set(const std::vector<WhatIfRow>& rows, const std::string& set) {
  const auto found = std::ranges::find(rows, std::vector<std::string>{set}, &WhatIfRow::sets);
  return found == rows.end() ? nullptr : &*found;
}
inline const WhatIfRow* with_set(const WhatIf& report, const std::string& set) {
  return with_set(report.rows, set);
}

/// Of those that are not proposed; null: it is, or nobody tried it.
inline const RejectedChange* rejected_with(const WhatIf& report, const std::string& set) {
  const auto found =
      std::ranges::find(report.rejected, std::vector<std::string>{set}, &RejectedChange::sets);
  return found == report.rejected.end() ? nullptr : &*found;
}

}  // namespace gpufeed
