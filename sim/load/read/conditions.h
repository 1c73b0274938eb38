// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/base/nearest.h"
#include "sim/model/study/condition.h"

namespace gpufeed {

/// Takes "drives * 2 <= cores" apart. Names are words, numbers may carry a unit, texts stand in
/// single quotes.
/// \return nothing after a problem was reported to `out`
std::optional<Condition> parse_condition(const std::string& text, const std::string& place,
                                         const Location& where, Diagnostics& out);

/// Reports every name of `condition` that is not one of `known`.
void check_names(const Condition& condition, const Names& known, Diagnostics& out);

}  // namespace gpufeed
