// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

/// What screens, pages and the window call the figures of a result.
namespace gpufeed::term {

inline constexpr std::string_view kJobRate =
    "Job rate";  ///< samples of all of it over all its time
inline constexpr std::string_view kGpuUtilization = "GPU utilization";
inline constexpr std::string_view kGpuUtil = "GPU util.";  ///< over a narrow column
inline constexpr std::string_view kFirstStep = "Time to first step";
inline constexpr std::string_view kInterval = "80 % prediction interval (P10 to P90)";
inline constexpr std::string_view kPercentiles = "P10 to P90";  ///< the same in short
inline constexpr std::string_view kMainUncertainty = "Main uncertainty";
inline constexpr std::string_view kDepreciation = "depreciation";
inline constexpr std::string_view kStragglers = "stragglers";

}  // namespace gpufeed::term
