// SPDX-License-Identifier: Apache-2.0
#include "reports/study/chances.h"

#include <algorithm>
#include <map>

#include "reports/study/verdict.h"
#include "sim/range/chance.h"

namespace gpufeed {
namespace {

constexpr std::string_view kRate = "throughput_samples_per_s";

class Outcomes {
 public:
  explicit Outcomes(const Result& result) : result_(result) {}

  const PredictionInterval* interval_of(std::string_view key) const {
    const auto found =
        std::ranges::find(result_.prediction_intervals, key, &PredictionInterval::of);
    return found == result_.prediction_intervals.end() ? nullptr : &*found;
  }

  /// Of a key in an outcome, over what is predicted. Whoever is faster takes less time, and costs
  /// less; of rates and times that have no interval that of the rate stands.
  double factor(const std::string& key, double deviation) const {
    if (foresight_of(key) == Foresight::exact) return 1;
    const OfSpeed goes = of_speed(key);
    const double sign = goes == OfSpeed::time ? -1 : 1;
    if (const auto* own = interval_of(key)) return value_off_by(*own, sign * deviation) / own->p50;
    const PredictionInterval& rate = *interval_of(kRate);
    const double faster = value_off_by(rate, deviation) / rate.p50;
    if (goes == OfSpeed::time) return 1 / faster;
    return goes == OfSpeed::rate ? faster : 1;
  }

  Lookup in(double deviation) const {
    return [this, deviation](const std::string& name) {
      auto value = stated(name);
      if (name == kPasses && value && result_.benchmark) return passes(deviation, *value);
      if (auto* number = value ? std::get_if<Measure>(&*value) : nullptr)
        number->value *= factor(name, deviation);
      return value;
    };
  }

 private:
  static constexpr std::string_view kPasses = "benchmark.passes";

  /// A benchmark's verdict is that of its utilization.
  std::optional<Operand> passes(double deviation, Operand verdict) const {
    const double utilization =
        result_.benchmark->utilization_v1 * factor("benchmark.utilization_v1", deviation);
    if (auto* number = std::get_if<Measure>(&verdict))
      number->value = utilization >= result_.benchmark->threshold ? 1 : 0;
    return verdict;
  }

  const std::optional<Operand>& stated(const std::string& name) const {
    const auto [found, added] = stated_.try_emplace(name);
    if (added) found->second = values_in(result_, {name}).front();
    return found->second;
  }

  const Result& result_;
  mutable std::map<std::string, std::optional<Operand>> stated_;
};

}  // namespace

std::optional<Chances> chances_of(const Result& result, const std::vector<Condition>& conditions) {
  const Outcomes outcomes(result);
  if (!outcomes.interval_of(kRate)) return {};
  std::vector<std::size_t> holding(conditions.size());
  std::size_t all = 0;
  for (std::size_t i = 0; i < kOutcomes; ++i) {
    const Lookup values = outcomes.in(outcome_deviation(i));
    bool every = true;
    for (std::size_t which = 0; which < conditions.size(); ++which) {
      const bool good = holds(conditions[which], values);
      holding[which] += good ? 1 : 0;
      every = every && good;
    }
    all += every ? 1 : 0;
  }
  const auto share = [](std::size_t count) { return static_cast<double>(count) / kOutcomes; };
  Chances out;
  for (const std::size_t count : holding) out.each.push_back(share(count));
  out.all = share(all);
  return out;
}

}  // namespace gpufeed
