// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/html/sweep_page.h"
#include "reports/study/sweep_store.h"

namespace gpufeed::cli {

/// What a page shows of a store's points. \param sweep  whose axes are columns of the store
html::SweptPoints swept_points(SweepStore& store, const Sweep& sweep, const Catalog& catalog);

}  // namespace gpufeed::cli
