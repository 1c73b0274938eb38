// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/model/study/validation.h"
#include "sim/model/study/validation_report.h"

namespace gpufeed {

/// A row and what its baseline is made from.
struct ScoredRow {
  ValidationRow row;
  std::optional<Baseline> baseline;
};

/// The error of a value against the measured one; see `ErrorScore`.
double error_of(const ValidationRow& row, double value);

/// Fills the baselines in: those that are means are made of the other rows, so that no row helps to
/// tell itself.
void add_baselines(std::vector<ScoredRow>& rows);

/// The scores of all mechanisms, in the order of their names.
std::vector<MechanismScore> mechanism_scores(const std::vector<ValidationRow>& rows);

/// Compares rows of one group and key whose measured values differ by more than 5 %.
PairScore pair_score(const std::vector<ValidationRow>& rows);

}  // namespace gpufeed
