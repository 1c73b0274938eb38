// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/model/study/side_by_side.h"

namespace gpufeed {

/// What a scenario is called in a comparison: A, B, ..., Z, A1, ...
std::string scenario_letter(std::size_t number);

/// A value of a difference as it is shown: without TOML's quotes, "-" where there is none.
std::string shown_value(const std::string& value);

/// Whether it has a throughput; kinds of workload that train nothing have "-" for what follows.
bool trains(const ComparedRow& row);
std::string rate_text(const ComparedRow& row);
std::string busy_text(const ComparedRow& row);
std::string result_time_text(const ComparedRow& row);

/// Of every two scenarios, which is faster and how sure that is.
std::vector<std::string> verdicts_of(const SideBySide& comparison);

/// What differs, then the results side by side, then which is faster and how sure that is.
std::string to_text(const SideBySide& comparison);

}  // namespace gpufeed
