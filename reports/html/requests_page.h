// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "reports/html/page.h"
#include "sim/model/study/request_report.h"

namespace gpufeed::html {

/// What jobs need by a log: what new ones should ask for, what requests would have cost, and a
/// chart of how often learners, modes and poll said the right class in five parts of the log.
std::string to_html(const RequestReport& report, const PageHead& head);

}  // namespace gpufeed::html
