// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/model/result/elasticity.h"
#include "sim/model/result/result.h"
#include "sim/model/study/anchor.h"
#include "sim/model/study/observed.h"
#include "sim/model/study/recommendation.h"
#include "sim/model/study/side_by_side.h"
#include "sim/model/study/validation_report.h"
#include "sim/model/study/whatif.h"

namespace gpufeed {

/// The result as JSON: keys in the order of `fields()`, numbers such that they read back exactly,
/// an infinite number as null.
std::string to_json(const Result& result);
/// Several results as one JSON array.
std::string to_json(const std::vector<Result>& results);

/// With what more of each resource would give, at the key `elasticity`.
std::string to_json(const Result& result, const Elasticity& elasticity);

/// What more of each resource would give, alone.
std::string to_json(const Elasticity& elasticity);

/// What changes would give, in the same way.
std::string to_json(const WhatIf& report);

/// Why a run is not as predicted, in the same way.
std::string to_json(const Explanation& explanation);

/// The number that a run sets, in the same way.
std::string to_json(const Anchor& anchor);

/// Scenarios side by side, in the same way.
std::string to_json(const SideBySide& comparison);

/// What predictions are worth, in the same way.
std::string to_json(const ValidationReport& report);

/// The answer to a goal, in the same way.
std::string to_json(const Recommendation& recommendation);

/// Reads what `to_json` writes; null as a number is infinity. Missing and unknown keys are errors.
/// \throws InputError  with every problem found
Result result_from_json(std::string_view json);
Elasticity elasticity_from_json(std::string_view json);
WhatIf what_if_from_json(std::string_view json);
Explanation explanation_from_json(std::string_view json);
Recommendation recommendation_from_json(std::string_view json);

}  // namespace gpufeed
