// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "reports/study/candidates.h"

namespace gpufeed {

/// Looks into a choice of an engine that serves a language model, as Candidates does into one of a
/// scenario: what is known without simulation, then what comes of it. \throws InputError
class ServedChoice {
 public:
  ServedChoice(const Choices& choices, std::int64_t choice, std::size_t workload);

  /// What it costs, and the keys that follow from it; the others are not known.
  void examine(Candidate& out, const std::vector<std::string>& keys) const;
  /// \return what it does
  serving::Answer simulate() const;
  /// As it is shown.
  Choice told(const serving::Answer& answer) const;
  /// That it meets the goal's constraints, and where what it gives will lie.
  Chances chances(std::vector<PredictionInterval>& intervals) const;

 private:
  const Choices& choices_;
  std::int64_t number_;
  serving::Document document_;
};

}  // namespace gpufeed
