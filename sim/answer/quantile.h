// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace gpufeed {

/// The least that at least a share of `values` does not exceed, as fio counts. Reorders them.
/// \param values  at least one
double quantile(std::vector<double>& values, double share);

}  // namespace gpufeed
