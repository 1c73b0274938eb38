// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/model/result/result.h"

namespace gpufeed {
struct Scenario;
}

namespace gpufeed::ui {

/// One of the configurations that stand side by side.
struct Candidate {
  std::shared_ptr<const Scenario> scenario;
  std::shared_ptr<const Result> result;
};

/// What all of them say to one question.
struct ComparedRow {
  std::string name;
  std::string help;                 ///< what it means; empty where the name says it
  std::vector<std::string> values;  ///< one for each candidate
  /// Against the first, such as "+12 %"; empty where none can be told, and for the first.
  std::vector<std::string> changes;
  std::optional<std::size_t> better;  ///< the one that is best; empty where none stands out
  bool changed = false;               ///< not all say the same
};

/// Rows in three groups, in each of them those that changed first.
struct Comparison {
  std::vector<ComparedRow> results;  ///< rate, times, price, power
  std::vector<ComparedRow> parts;    ///< products of the machine, by kind
  std::vector<ComparedRow> keys;     ///< settings, defaults included, in words; only changed ones
};

/// "+12 %", and nothing where there is less of a change than is shown.
std::string change_against(double value, double first);

/// Compares one to four candidates that were answered. A result is marked as better where it beats
/// every other by more than the two are uncertain by (the rate), or at all (what is not drawn at
/// random).
Comparison compare(const std::vector<Candidate>& candidates);

}  // namespace gpufeed::ui
