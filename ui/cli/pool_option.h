// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "reports/study/study_pool.h"
#include "ui/cli/options.h"

namespace gpufeed::cli {

/// `--pool DIR` and `--lease TIME`.
class PoolOption {
 public:
  /// \param things  what is taken from the folder ("points") \param rest  what else to know
  void add_to(Options& options, std::string_view things, std::string_view rest = "");
  /// \throws UsageError  where --lease stands alone, or is no time
  void check(const Options& options) const;

  bool asked_for() const { return folder_.has_value(); }
  const std::string& folder() const { return *folder_; }
  PoolRules rules(const Options& options) const;
  /// The pool of a study, which is asked to end as the process is; nothing without the option.
  std::optional<StudyPool> open(const Options& options) const;

 private:
  std::optional<std::string> folder_, lease_;
};

/// Tells that the same command goes on, and ends the process as it was asked to.
[[noreturn]] void end_in_pool();

}  // namespace gpufeed::cli
