// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <string_view>

#include "reports/writers/layout.h"
#include "sim/base/units.h"
#include "sim/model/result/result.h"

namespace gpufeed {

inline constexpr std::string_view kAtOnce = "at once";
inline constexpr std::size_t kLabels = 22;  ///< column at which the values of a screen begin

inline std::string item(std::string_view label, std::string_view text) {
  return labeled(label, text, kLabels);
}

// The times of one result share a unit, so that they can be compared and added by eye.
inline std::string total_time(const Result& result) { return time_text(result.time_to_result_s); }
inline std::string copy_in_time(const Result& result) {
  if (result.staging == "first-epoch") return "epoch 1";
  return result.staging_s > 0 ? time_text(result.staging_s, result.time_to_result_s) : "none";
}
/// `kAtOnce` where nothing is copied in and nobody would notice the wait.
inline std::string first_result_time(const Result& result) {
  constexpr double kNoticed = 60;
  if (result.staging_s <= 0 && result.time_to_first_result_s < kNoticed)
    return std::string(kAtOnce);
  return time_text(result.time_to_first_result_s, result.time_to_result_s);
}

/// "store: nas (bandwidth), at 11 times the present rate".
inline std::string next_limit_text(const Bottleneck& bottleneck) {
  const std::string& by = bottleneck.next_limited_by;
  return fmt::format("{}{}, at {} times the present rate", bottleneck.next,
                     by.empty() ? "" : ": " + by,
                     text_number(bottleneck.distance, bottleneck.distance < 2 ? 3 : 2));
}

/// What limits, and what would limit next.
inline std::string limit_lines(const Bottleneck& bottleneck) {
  std::string out = "\n" + item("Bottleneck", bottleneck.why);
  if (!bottleneck.next.empty() && std::isfinite(bottleneck.distance))
    out += item("Next limit", next_limit_text(bottleneck));
  return out;
}

/// How much one GPU eats, and how much it could get: "38.6 MB per GPU-second; ...".
inline std::string density_text(const Result& result) {
  const auto size = [](double bytes) {
    return std::isfinite(bytes) ? text(Bytes{bytes}, 3) : std::string("any rate");
  };
  return fmt::format("{} per GPU-second; this storage keeps up until {}",
                     size(result.bytes_per_gpu_second),
                     size(result.storage_limit_bytes_per_gpu_second));
}

/// The stage that the bottleneck holds back; where that is none, such as checkpoints: null; where
/// nothing names it, the one that could deliver least.
inline const Stage* tightest_stage(const Result& result) {
  const Stage* best = nullptr;
  const auto named = [&](const Stage& stage) {
    return stage.name == result.bottleneck.resource ||
           stage.limited_by == result.bottleneck.resource;
  };
  for (const Stage& stage : result.stages) {
    if (!std::isfinite(stage.capacity_samples_per_s)) continue;
    if (!best || (named(stage) && !named(*best)) ||
        (named(stage) == named(*best) &&
         stage.capacity_samples_per_s < best->capacity_samples_per_s))
      best = &stage;
  }
  return best && (named(*best) || result.bottleneck.resource.empty()) ? best : nullptr;
}

}  // namespace gpufeed
