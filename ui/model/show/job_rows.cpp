// SPDX-License-Identifier: Apache-2.0
#include "ui/model/show/job_rows.h"

#include "reports/writers/job_text.h"
#include "reports/writers/phrases.h"
#include "reports/writers/without_training_text.h"
#include "sim/base/units.h"

namespace gpufeed::ui {

std::vector<JobRow> job_rows(const Result& result) {
  std::vector<JobRow> rows;
  const auto add = [&](std::string_view label, std::string words) {
    if (!words.empty()) rows.push_back({std::string(label), std::move(words)});
  };
  if (trains_nothing(result)) return rows;
  add("Time to result", total_time(result));
  add("Time to first step", time_text(result.time_to_first_result_s, 1));
  if (result.time_to_target_s) add("Time to target", time_text(*result.time_to_target_s));
  add("Tokens", token_rate_text(result));
  for (auto& [label, words] : training_rows(result)) add(label, std::move(words));
  return rows;
}

}  // namespace gpufeed::ui
