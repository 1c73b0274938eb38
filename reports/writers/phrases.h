// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "reports/writers/layout.h"
#include "reports/writers/phrase_book.h"
#include "reports/writers/terms.h"
#include "sim/base/units.h"
#include "sim/model/result/result.h"

namespace gpufeed {

inline constexpr std::string_view kAtOnce = "at once";
inline constexpr std::size_t kLabels = 22;  ///< column at which the values of a screen begin

inline std::string item(std::string_view label, std::string_view text) {
  return labeled(label, text, kLabels);
}

/// The first few of a list that may be long; `--json` has them all.
inline std::string some_of(const std::vector<std::string>& list, const char* separator) {
  constexpr std::size_t kShown = 6;
  std::string out;
  for (std::size_t i = 0; i < std::min(kShown, list.size()); ++i)
    out += (i == 0 ? "" : separator) + list[i];
  if (list.size() > kShown) out += fmt::format("{}and {} more", separator, list.size() - kShown);
  return out;
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
  if (result.before_training_s() <= 0 && result.time_to_first_result_s < kNoticed)
    return std::string(kAtOnce);
  return time_text(result.time_to_first_result_s, result.time_to_result_s);
}

/// "store: nas (bandwidth), at 11 times the present rate"; empty where nothing would limit next.
inline std::string next_limit_text(const Bottleneck& bottleneck) {
  if (!bottleneck.next || !std::isfinite(bottleneck.distance)) return "";
  const std::string by = in_words(bottleneck.next_limit);
  return fmt::format("{}{}, at {} times the present rate", in_words(bottleneck.next),
                     by.empty() ? "" : ": " + by,
                     text_number(bottleneck.distance, bottleneck.distance < 2 ? 3 : 2));
}

/// What limits, and what would limit next.
inline std::string limit_lines(const Bottleneck& bottleneck) {
  const std::string next = next_limit_text(bottleneck);
  return "\n" + item("Bottleneck", in_words(bottleneck.evidence)) +
         (next.empty() ? "" : item("Next limit", next));
}

/// That GPUs cannot hold the job: what is told of it is as if they could. Null where they can.
inline const Warning* memory_short(const Result& result) {
  const auto found = std::ranges::find_if(result.warnings, [](const Warning& warning) {
    return warning.code == WarningCode::gpu_memory_short ||
           warning.code == WarningCode::gpu_memory_short_but_with;
  });
  return found == result.warnings.end() ? nullptr : &*found;
}
/// Follows a rate.
inline std::string_view if_it_fitted(const Result& result) {
  return memory_short(result) ? ", if it fitted" : "";
}

/// The defaults that are worth a line, the largest effect first; the other ones `--json` has.
inline std::vector<std::string> deciding_lines(const Result& result) {
  constexpr std::size_t kShown = 3;
  std::vector<std::string> lines;
  for (const DecidingDefault& one : result.deciding_defaults)
    if (lines.size() < kShown) lines.push_back(sentence(one));
  return lines;
}

/// The stage that the bottleneck holds back; where that is none, such as checkpoints: null; where
/// nothing names it, the one that could deliver least.
inline const Stage* tightest_stage(const Result& result) {
  const Stage* best = nullptr;
  const auto named = [&](const Stage& stage) {
    return result.bottleneck.resource == stage.stage ||
           (stage.limit && result.bottleneck.resource == stage.limit);
  };
  for (const Stage& stage : result.stages) {
    if (!std::isfinite(stage.capacity_samples_per_s)) continue;
    if (!best || (named(stage) && !named(*best)) ||
        (named(stage) == named(*best) &&
         stage.capacity_samples_per_s < best->capacity_samples_per_s))
      best = &stage;
  }
  return best && (named(*best) || !result.bottleneck.resource) ? best : nullptr;
}

}  // namespace gpufeed
