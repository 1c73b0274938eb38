// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gpufeed {

struct Scenario;

/// Refuses what `simulate` would, in the same words, without simulating what takes long.
/// \throws InputError  as `simulate`
void check_ways(const Scenario& scenario);

}  // namespace gpufeed
