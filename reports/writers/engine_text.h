// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/model/serving/answer.h"

namespace gpufeed {

/// What an engine that serves a language model did, on one screen.
std::string to_text(const serving::Answer& answer);

/// What most of the time goes to, or what requests wait for.
std::string bottleneck_text(const serving::Answer& answer);
/// What its ranges and chances are of: "of 20 simulations, ...".
std::string basis_text(const serving::Answer& answer);
/// Of what little or nothing is measured.
std::string unmeasured_text(serving::Unmeasured why);

/// Of the changes in `what_if`, tried with chances, what to buy or set, and how sure that is; with
/// all of them as a table.
std::string advice_text(const serving::Answer& answer);

/// The same as CSV, a value a line: key, value. Of tables each row is numbered from 0.
std::string to_csv(const serving::Answer& answer);

}  // namespace gpufeed
