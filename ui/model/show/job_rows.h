// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/model/result/result.h"

namespace gpufeed::ui {

/// One thing that an answer says of the job as a whole.
struct JobRow {
  std::string label;
  std::string words;
};

/// What of a training job no card and no chart tells, in the words of the screen and the report:
/// its times, tokens, exchange, layout, memory, checkpoints. Only what the job has.
std::vector<JobRow> job_rows(const Result& result);

}  // namespace gpufeed::ui
