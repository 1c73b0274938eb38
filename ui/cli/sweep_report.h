// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/html/sweep_page.h"
#include "reports/study/sweep_store.h"

namespace gpufeed::cli {

/// What a page shows of a store's points.
/// \param axes  names of the sweep's axes, columns of the store
html::SweptPoints swept_points(SweepStore& store, const std::vector<std::string>& axes);

}  // namespace gpufeed::cli
