// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/model/facts/layouts.h"
#include "sim/model/facts/limiters.h"
#include "sim/model/facts/warnings.h"
#include "sim/model/fields/default_value.h"
#include "sim/model/result/evidence.h"

namespace gpufeed {

/// The facts of a result in words: text, HTML, JSON and the window have them from here alone.
std::string sentence(const Warning& warning);
std::string sentence(const Assumption& assumption);
/// "CPU decode", "ssd0-ssd3 (bandwidth)": a name.
std::string sentence(const Limiter& limiter);
std::string sentence(const Evidence& evidence);
std::string sentence(const SplitOver& split);

/// The value of a key that is told: a sentence, or one for each fact.
template <FactCode Code>
std::string in_words(const Fact<Code>& fact) {
  return sentence(fact);
}
/// Empty where there is none.
template <FactCode Code>
std::string in_words(const std::optional<Fact<Code>>& fact) {
  return fact ? sentence(*fact) : "";
}
/// Clauses of one sentence.
std::string in_words(const std::vector<Evidence>& evidence);
/// "tensor 8 with sequence, pipeline 8 x 5, data 16".
std::string in_words(const std::vector<SplitOver>& layout);
template <FactCode Code>
std::vector<std::string> in_words(const std::vector<Fact<Code>>& facts) {
  std::vector<std::string> out;
  out.reserve(facts.size());
  for (const Fact<Code>& fact : facts) out.push_back(sentence(fact));
  return out;
}

/// "loader.workers_per_gpu = 8".
std::vector<std::string> in_words(const std::vector<DefaultValue>& defaults);
/// "with 16 the job is 45 % faster (--set loader.workers_per_gpu=16)".
std::string effect_in_words(const DecidingDefault& one);
/// "loader.workers_per_gpu = 8, which nobody gave: " and that.
std::string sentence(const DecidingDefault& one);

/// The first clause of a warning: what is so, without why.
std::string claim(const Warning& warning);
/// The rest of it; empty where there is no more to say.
std::string reason(const Warning& warning);

}  // namespace gpufeed
