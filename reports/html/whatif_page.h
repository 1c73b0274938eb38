// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "reports/html/page.h"
#include "reports/html/result_page.h"
#include "sim/model/study/whatif.h"

namespace gpufeed::html {

/// What one change at a time would do: a bar for each that helps, a table, and what was tried.
/// \param now  the scenario as it is, for the first page; null: there is none
std::string to_html(const WhatIf& report, const PageHead& head, const Result* now = nullptr);

}  // namespace gpufeed::html
