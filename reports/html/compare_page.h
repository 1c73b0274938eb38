// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "reports/html/page.h"
#include "sim/model/study/side_by_side.h"

namespace gpufeed::html {

/// Scenarios side by side: what differs, what comes of it, which is faster and how sure that is.
std::string to_html(const SideBySide& comparison, const PageHead& head);

}  // namespace gpufeed::html
