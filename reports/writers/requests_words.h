// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/model/study/request_report.h"

namespace gpufeed {

/// "memory"; "memory_B", as programs read it.
std::string_view name_of(Need need);
std::string_view key_of(Need need);
/// "by earlier rows"; "earlier_rows".
std::string_view name_of(Clock clock);
std::string_view key_of(Clock clock);
/// "under 1 % too small"; "few-too-small".
std::string_view name_of(RequestPolicy policy);
std::string_view key_of(RequestPolicy policy);
std::string_view key_of(Level level);

/// "4.25 GiB", "150 MiB", "2.5 h", "4 GPUs".
std::string amount_text(Need need, double value);

/// "38 jobs of this command".
std::string learned_from(const NewJobNeed& job);

/// What the classes are: "classes of 128 MiB and twice as much each".
std::string class_words(Need need);

/// Whether the poll's requests are the cheapest, in plain sentences: over the log, and for which
/// commands a simpler one is; and how many more jobs run beside one another than with the users'.
std::vector<std::string> verdict_on(const NeedReport& need, const ClockReport& clock,
                                    RequestPolicy policy);

/// What jobs are learned from, and by which clocks.
struct Ground {
  std::string label, text;
};
std::vector<Ground> ground_of(const RequestReport& report);

}  // namespace gpufeed
