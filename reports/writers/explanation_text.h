// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/model/study/observed.h"

namespace gpufeed {

/// Above the causes: what they are, and what to look at first where none explains all.
std::string causes_heading(const Explanation& explanation);
/// "what storage delivers: 0.18 times what the scenario says".
std::string cause_text(const Cause& cause);
/// "GPU utilization 55.4 %": what would be seen of what was observed.
std::string predictions_text(const Cause& cause);
/// What tells the causes that explain all apart; empty where at most one does.
std::string telling_text(const Explanation& explanation);

/// What was seen beside what was predicted; causes that may be why, the best first, each with what
/// to look at; what tells them apart; what it cannot be.
std::string to_text(const Explanation& explanation);

}  // namespace gpufeed
