// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/plan/plan.h"

namespace gpufeed {

/// Of the GPUs' computing in a step, the longest, as long as it is expected to be: where times vary
/// by `step_jitter`, many GPUs wait for the one that takes longest. E[max] is the integral of
/// 1 - prod F_i(t), F_i the gamma distribution of GPU i's time, by Wilson and Hilferty's
/// approximation (1931): 0.1 % off where times vary by 30 %, less where they vary less.
Seconds expected_slowest(const Plan& plan);

}  // namespace gpufeed
