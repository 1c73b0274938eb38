// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

namespace gpufeed {

/// The day, in UTC; where the environment has SOURCE_DATE_EPOCH (seconds since 1970, as builds that
/// shall be the same at any time set it), that one's.
std::chrono::year_month_day today();

/// "2026-11-27".
std::string date_text(std::chrono::year_month_day day);

}  // namespace gpufeed
