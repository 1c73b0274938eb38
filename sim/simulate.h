// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/result/result.h"

namespace gpufeed {

struct Scenario;

/// Simulates a checked scenario: staging, then training until the throughput is known to
/// `run.precision`, and explains the answer. Fills all of Result but `version` and `scenario`.
/// The same scenario gives the same bytes, whatever was simulated before.
/// \throws InputError  where the machine lacks a way that the job needs
Result simulate(const Scenario& scenario);

/// What other usual values would change that nobody gave: of every default that may well be
/// otherwise, the largest effect first. Each is simulated.
/// \throws InputError  as `simulate`
std::vector<DecidingDefault> effects_of_defaults(const Scenario& scenario);

}  // namespace gpufeed
