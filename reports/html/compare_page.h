// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "reports/html/page.h"
#include "sim/model/result/result.h"
#include "sim/model/study/side_by_side.h"

namespace gpufeed::html {

/// Scenarios side by side: what differs, what comes of it, which is faster and how sure that is.
/// \param results  of all scenarios in turn, for the first page; empty: there is none
std::string to_html(const SideBySide& comparison, const PageHead& head,
                    const std::vector<Result>& results = {});

}  // namespace gpufeed::html
