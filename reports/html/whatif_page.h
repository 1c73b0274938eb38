// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "reports/html/page.h"
#include "sim/model/study/whatif.h"

namespace gpufeed::html {

/// What one change at a time would do: a bar for each that helps, a table, and what was tried.
std::string to_html(const WhatIf& report, const PageHead& head);

}  // namespace gpufeed::html
