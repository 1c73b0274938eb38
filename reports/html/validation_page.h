// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "reports/html/page.h"
#include "sim/model/study/validation_report.h"

namespace gpufeed::html {

/// Scores, pictures and rows on a page.
std::string to_html(const ValidationReport& report, const PageHead& head);

/// Predicted against measured of one mechanism, as a page shows it; empty where it has no row.
std::string validation_plot(const ValidationReport& report, const MechanismScore& score);

/// A square for each mechanism, in a picture that stands by itself.
std::string to_svg(const ValidationReport& report);

}  // namespace gpufeed::html
