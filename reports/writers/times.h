// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "reports/writers/layout.h"
#include "sim/model/result.h"

namespace gpufeed {

inline constexpr std::string_view kAtOnce = "at once";

// The times of one result share a unit, so that they can be compared and added by eye.
inline std::string total_time(const Result& result) { return time_text(result.time_to_result_s); }
inline std::string copy_in_time(const Result& result) {
  return result.staging_s > 0 ? time_text(result.staging_s, result.time_to_result_s) : "none";
}
/// `kAtOnce` where nothing is copied in and nobody would notice the wait.
inline std::string first_result_time(const Result& result) {
  constexpr double kNoticed = 60;
  if (result.staging_s <= 0 && result.time_to_first_result_s < kNoticed)
    return std::string(kAtOnce);
  return time_text(result.time_to_first_result_s, result.time_to_result_s);
}

}  // namespace gpufeed
