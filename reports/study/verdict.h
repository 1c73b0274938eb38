// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/model/result/result.h"
#include "sim/model/serving/answer.h"
#include "sim/model/study/condition.h"

namespace gpufeed {

/// What the table of its fields says of a key; see `optimistic_result`.
Foresight foresight_of(const std::string& key);
SumOf sum_of(const std::string& key);
OfSpeed of_speed(const std::string& key);

/// The values of some keys of a result; nothing where one has none.
std::vector<std::optional<Operand>> values_in(const Result& result,
                                              const std::vector<std::string>& keys);

std::vector<std::optional<Operand>> values_in(const serving::Answer& answer,
                                              const std::vector<std::string>& keys);

/// Whether a condition on a result fails for certain, by what is known before the simulation: all
/// its keys are exact, or one is bounded, stands alone on its side, and even the bound fails.
/// \param exactly  set where it fails by exact keys alone
bool surely_fails(const Condition& condition, const Lookup& optimistic, bool& exactly);

/// The key that a condition such as "job_samples_per_s >= 5000" limits, and whether more of
/// it is wanted; an empty key where the condition is of another form.
struct LimitedKey {
  std::string key;
  bool wants_more = false;
};
LimitedKey limited_key(const Condition& condition);

}  // namespace gpufeed
