// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "reports/picture/picture.h"
#include "sim/model/result/result.h"

namespace gpufeed::ui {

/// The answer as a page of its own, as `gpufeed simulate --html` writes it.
/// \param file   of the scenario, for the command line that the page names
/// \param saved  whether the file says what was answered
std::string report_page(const Result& result, const Picture& picture, const std::string& file,
                        bool saved);

}  // namespace gpufeed::ui
