// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "sim/model/result/elasticity.h"
#include "sim/model/study/whatif.h"

namespace gpufeed {

/// What more of each resource would give, what binds next, and the best settings that cost nothing.
std::string to_text(const Elasticity& elasticity, const WhatIf& settings);

/// What changes would do: a ranked list with the option that makes each, and what was tried
/// besides. \param most  rows shown; none: all
std::string to_text(const WhatIf& report, std::optional<std::size_t> most);

/// "--set 'a=[1]'": as a shell takes it.
std::string set_option(const std::string& set);

}  // namespace gpufeed
