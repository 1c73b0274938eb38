// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/result/result.h"

namespace gpufeed {

/// What training takes with the failures of a result, in seconds, were it so many times as slow
/// with its checkpoints: longer than as many times as slow, as more of it fails. Infinite where the
/// job never gets through.
double training_with_failures(const Result& result, double slower);

}  // namespace gpufeed
