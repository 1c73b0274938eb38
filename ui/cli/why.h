// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/model/result/elasticity.h"
#include "sim/model/result/result.h"
#include "sim/model/study/whatif.h"
#include "ui/cli/output_option.h"
#include "ui/cli/scenarios.h"

namespace gpufeed::cli {

/// What holds one scenario back, found by trying.
struct Why {
  Elasticity elasticity;
  WhatIf settings;
};

/// Of the only scenario of `arguments`. \param result  of it \throws InputError
Why why_of(const ScenarioArguments& arguments, const Scenario& scenario, const Result& result,
           unsigned jobs);

/// Tells why what was observed is not what the only scenario of `arguments` predicts.
/// \return the exit status \throws InputError
int explain_one(const ScenarioArguments& arguments, const std::string& observed_file,
                OutputOption& json, unsigned jobs);

}  // namespace gpufeed::cli
