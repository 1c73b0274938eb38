// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/model/fields/mechanism.h"

namespace gpufeed {

struct Outlook;
struct Result;
struct Scenario;

/// What the rate of a job that runs epochs rests on: where GPUs wait for data for a twentieth of
/// the time, what they wait for; else what they compute, and how that is known.
Mechanism mechanism_of_job(const Scenario& scenario, const Result& result, const Outlook& outlook);

/// What it would rest on if no GPU waited for data. \return nothing of loaders alone
std::optional<Mechanism> mechanism_of_fed(const Scenario& scenario);

/// What reading and writing at the place of the data rests on.
Mechanism mechanism_of_io(const Scenario& scenario);

/// "how GPUs of a node keep pace with one another": what of the model is uncertain, in words.
std::string_view words_of(Mechanism mechanism);
/// What would tell it better.
std::string_view remedy_for(Mechanism mechanism);

}  // namespace gpufeed
