// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "sim/model/result/elasticity.h"
#include "sim/model/study/whatif.h"

namespace gpufeed {

/// What more of each resource would give, what binds next, and the best settings that cost nothing.
std::string to_text(const Elasticity& elasticity, const WhatIf& settings);

/// What changes would do: a ranked list with the option that makes each, changes of what is
/// trained, savings, and what was tried besides. \param most  rows shown of each; none: all \param
/// why_not also lists what is not proposed, with the cause
std::string to_text(const WhatIf& report, std::optional<std::size_t> most, bool why_not = false);

/// "+8.9 %", "-0.42 %": of a share of 1; "+0 %" below a thousandth of a percent.
std::string signed_percent(double share);

/// "+1,200", "-30", "0"; "?" where it is not known.
std::string signed_number(const std::optional<double>& value);

/// What was tried, and what came of what is not in the list.
std::string tally_text(const WhatIf& report);

/// What holds the configuration back as it is, and how that shows.
std::string held_back_text(const WhatIf& report);

/// Where the gain is that of the time to the result: both times, and the throughput's gain; else
/// empty.
std::string result_gain_text(const WhatIfRow& row, const WhatIfFigures& now);

/// "faster with a chance of 63 %"; empty where that is not known.
std::string chance_text(const WhatIfRow& row);

/// "--set 'a=[1]'": as a shell takes it.
std::string set_option(const std::string& set);

}  // namespace gpufeed
