// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "reports/study/validate.h"
#include "reports/study/validation_scores.h"

namespace gpufeed {

/// A case and the file that it is in.
struct CaseTask {
  const Validation* file;
  const ValidationCase* one;
};

/// What became of a case.
struct CaseOutcome {
  std::vector<ScoredRow> rows;
  std::string message;    ///< why there are none
  bool internal = false;  ///< the fault is ours
};

/// What is wrong, a problem a line.
std::string in_lines(const InputError& error);

/// Predicts all cases with the fluid engine, `run.jobs` at a time.
std::vector<CaseOutcome> predict_all(const std::vector<CaseTask>& tasks, const Catalog& catalog,
                                     const ValidationRun& run);

}  // namespace gpufeed
