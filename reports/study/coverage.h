// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/model/result/result.h"
#include "sim/model/study/validation_report.h"

namespace gpufeed {

/// Gives a row of a run the prediction interval that its result has for what the row measured: of
/// its key, or of the one key in a product with numbers. Others get none.
void add_interval(const Result& result, ValidationRow& row);

/// Says of each row with an interval whether its source has fed how far off predictions are.
void note_learned(const std::set<std::string>& sources, std::vector<ValidationRow>& rows);

/// Of the rows with an interval whose role is predict; nothing where there are none.
std::optional<Coverage> coverage_of(const std::vector<const ValidationRow*>& rows);
std::optional<Coverage> coverage_of(const std::vector<ValidationRow>& rows);

}  // namespace gpufeed
