// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/model/study/side_by_side.h"

namespace gpufeed {

/// What a scenario is called in a comparison: A, B, ..., Z, A1, ...
std::string scenario_letter(std::size_t number);

/// A value of a difference as it is shown: without TOML's quotes, "-" where there is none.
std::string shown_value(const std::string& value);
/// All of a difference so, products by their titles.
std::vector<std::string> shown_values(const Difference& difference);
/// What it is of, a product by its title.
std::string shown_name(const Difference& difference);

/// Whether it has a throughput; kinds of workload that train nothing have "-" for what follows, but
/// figures of their own.
bool trains(const ComparedRow& row);
bool any_trains(const SideBySide& comparison);
/// The value with its unit.
std::string figure_text(const ComparedFigure& figure);
/// Of all scenarios, each once.
std::vector<std::string> figure_names(const SideBySide& comparison);
/// "-" where it has no such figure.
std::string figure_text(const ComparedRow& row, const std::string& name);
std::string rate_text(const ComparedRow& row);
std::string tokens_text(const ComparedRow& row);
std::string busy_text(const ComparedRow& row);
std::string result_time_text(const ComparedRow& row);
/// "at least" where parts are missing in a sum.
std::string price_text(const ComparedRow& row);
std::string power_text(const ComparedRow& row);
/// \param sum  of its costs: an hour's, or that of a million samples
std::string cost_text(const ComparedRow& row, const std::optional<double>& sum);

/// Of every two scenarios, which is faster and how sure that is; where that does not tell it, also
/// which has its result sooner. Of those that train nothing, which is better in which figure.
std::vector<std::string> verdicts_of(const SideBySide& comparison);
/// What the verdicts rest on.
std::string certainty_of(const SideBySide& comparison);

/// What differs, then the results side by side, then which is faster and how sure that is.
std::string to_text(const SideBySide& comparison);

}  // namespace gpufeed
