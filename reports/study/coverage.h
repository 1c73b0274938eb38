// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "sim/model/result/result.h"
#include "sim/model/study/validation_report.h"

namespace gpufeed {

/// Gives a row of a run the range that its result has for what the row measured: a throughput, a
/// utilization or a time to a result, as it stands or of a benchmark. Others get none. A range of a
/// throughput is that of the result's own, as a share of what is predicted.
void add_range(const Result& result, ValidationRow& row);

/// Says of each row with a range whether its system is one of those on which deviations were
/// learned: of the systems of a mechanism, by name, every other one, the first among them.
void split_systems(std::vector<ValidationRow>& rows);

/// Of the rows with a range whose role is predict and whose system taught nothing; nothing where
/// there are none.
std::optional<Coverage> coverage_of(const std::vector<const ValidationRow*>& rows);
std::optional<Coverage> coverage_of(const std::vector<ValidationRow>& rows);

}  // namespace gpufeed
