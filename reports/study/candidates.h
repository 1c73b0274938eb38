// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reports/study/chances.h"
#include "reports/study/choices.h"
#include "reports/study/cost_tables.h"
#include "reports/study/faster.h"
#include "reports/study/verdict.h"
#include "sim/job/epochs/run_memory.h"
#include "sim/model/study/pooled.h"
#include "sim/model/study/recommendation.h"

namespace gpufeed {

/// How far a choice has been looked into.
enum class Insight { unseen, refused, fails_exactly, fails_bound, open, simulated };

/// Values of the keys that matter, by workload.
using Values = std::vector<std::vector<std::optional<Operand>>>;

struct Candidate {
  Insight stage = Insight::unseen;
  CostOf cost;
  std::optional<double> price_USD;  ///< of the first workload
  std::string without_price;        ///< parts that are not counted in it
  bool chooses_unpriced = false;    ///< whether an axis takes a product that has no price
  double most_samples_per_s = 0;    ///< of the first workload, by its bound
  Values optimistic;
  Values simulated;
  Choice choice;                          ///< once simulated
  bool meets = false;                     ///< all constraints as predicted, once simulated
  double noise = 0;                       ///< once simulated: the share of a value that is chance
  std::string refusal;                    ///< why it cannot be built
  std::vector<std::string> broken_rules;  ///< about its products, in words
};

/// What a bill sums to, and what is missing from it.
CostOf cost_of(const Result& result);

/// Whether `a` is less than `b` by more than the chance in what is simulated, a share of `b`.
inline bool clearly_less(double a, double b, double noise) {
  return a < (std::isfinite(b) ? b - noise * std::abs(b) : b);
}

/// The choices of a goal as far as they have been looked into. Different choices may be looked into
/// at the same time.
class Candidates {
 public:
  explicit Candidates(const Choices& choices);

  /// Makes the scenarios of a choice, unless that was done, and notes what their bounds tell.
  Candidate& examine(std::int64_t choice);
  /// Simulates it too, unless it cannot be built.
  Candidate& simulate(std::int64_t choice);

  /// That what would be measured of a simulated choice meets all constraints, which takes another
  /// run of each workload the first time; nothing where its prediction interval is not known.
  std::optional<double> chance_of(std::int64_t choice);

  /// The first workload of a choice that can be built, to be held against those of others.
  Contestant contestant_of(std::int64_t choice);

  /// Whether it was simulated, meets all constraints as predicted, and does so with this chance.
  bool counts(std::int64_t choice, std::optional<Ratio> least_chance);

  /// What is known of a choice, for others of a pool, and back: what they found out counts as if it
  /// was done here.
  PooledChoice told_of(std::int64_t choice) const;
  void take(std::int64_t choice, PooledChoice told);

  const Candidate* find(std::int64_t choice) const { return all_[index(choice)].get(); }
  const Choices& choices() const { return choices_; }

  /// Whether constraint number `which` fails for certain, or does since it was simulated.
  bool fails(const Candidate& candidate, std::size_t which) const;
  /// The value of a key, simulated where it was, else the best that bounds allow; of several
  /// workloads that of the worst.
  std::optional<double> value(const Candidate& candidate, const std::string& key, bool more) const;

 private:
  void examine_as_result(Candidate& candidate, std::int64_t choice, std::size_t workload) const;
  void simulate_as_result(Candidate& candidate, std::int64_t choice, std::size_t workload) const;
  std::optional<Chances> chances_as_result(Candidate& candidate, std::int64_t choice,
                                           std::size_t workload) const;
  static std::size_t index(std::int64_t choice) { return static_cast<std::size_t>(choice); }
  /// Constraints that it meets by less than what two runs of one choice differ by.
  std::vector<std::string> met_by_chance(const Candidate& candidate) const;
  std::size_t number_of(const std::string& key) const;
  Lookup lookup(const Values& values, std::size_t workload) const;
  void judge(Candidate& candidate) const;
  /// Whether a condition wants a sum of prices to be small that lacks a product which an axis
  /// takes: that it holds is not known.
  static bool is_open(const Condition& condition, const Candidate& candidate);

  const Choices& choices_;
  std::vector<std::string> keys_;
  std::vector<std::unique_ptr<Candidate>> all_;
  RunMemory memory_;
};

/// How many choices there are, and how far each was looked into.
void count(const Candidates& candidates, Recommendation& out);

}  // namespace gpufeed
