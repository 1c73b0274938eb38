// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/model/uncertain.h"

namespace gpufeed {

/// How far off a value of this kind may be that is known in this way: standard deviation of the
/// logarithm of the true value over the stated one. 0: it is exact.
double deviation_of(Basis basis, Measurand measurand);

/// What would tell a value better.
std::string remedy_for(const UncertainValue& value);

}  // namespace gpufeed
