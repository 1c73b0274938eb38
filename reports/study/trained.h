// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/result/result.h"

namespace gpufeed {

/// How much longer the first epoch takes than a later one; 0 where it is the only one.
double longer_first_s(const Result& result);

/// In all epochs.
double samples_trained(const Result& result);

}  // namespace gpufeed
