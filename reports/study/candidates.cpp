// SPDX-License-Identifier: Apache-2.0
#include "reports/study/candidates.h"

#include <algorithm>
#include <set>

#include "reports/study/served_choice.h"
#include "reports/study/supply.h"
#include "reports/writers/phrase_book.h"
#include "reports/writers/result_cells.h"
#include "sim/bounds.h"
#include "sim/elasticity.h"
#include "sim/load/purchase/product_titles.h"
#include "sim/model/scenario.h"
#include "sim/range/widening.h"
#include "sim/simulate.h"

namespace gpufeed {
namespace {

/// The result's keys that a goal names.
std::vector<std::string> keys_of(const Goal& goal, Studied what) {
  std::set<std::string> named(goal.front.begin(), goal.front.end());
  named.insert({goal.minimize, goal.maximize});
  for (const Condition& condition : goal.constraints)
    for (const Side* side : {&condition.left, &condition.right})
      named.insert(side->names.begin(), side->names.end());
  std::vector<std::string> keys;
  std::ranges::copy_if(named, std::back_inserter(keys), [what](const auto& key) {
    return std::ranges::count(result_columns(what), key, &ResultColumn::name) > 0;
  });
  return keys;
}

/// Products without a price that one of the values names.
std::vector<std::string> without_price(const std::vector<ChosenValue>& values,
                                       const Result& result) {
  std::vector<std::string> names;
  if (result.without_price.empty()) return names;
  for (const BillLine& line : result.bill) {
    const bool chosen = std::ranges::any_of(values, [&](const ChosenValue& one) {
      return one.value.find(line.name) != std::string::npos;
    });
    if (!line.price_USD && chosen && !std::ranges::count(names, line.name))
      names.push_back(line.name);
  }
  return names;
}

/// How it is unlike all that was measured, in words.
std::vector<std::string> extrapolations_of(const Result& result) {
  std::vector<std::string> out;
  for (const Warning& warning : result.warnings)
    if (step_of(warning.code) || warning.code == WarningCode::rate_estimated_beyond)
      out.push_back(claim(warning));
  return out;
}

/// Of what it gives.
std::vector<PredictionInterval> intervals_of(const Result& result) {
  std::vector<PredictionInterval> out;
  for (const char* key : {"job_samples_per_s", "time_to_result_s"})
    if (const auto found =
            std::ranges::find(result.prediction_intervals, key, &PredictionInterval::of);
        found != result.prediction_intervals.end())
      out.push_back(*found);
  return out;
}

Choice choice_of(const Choices& choices, std::int64_t number, const Result& result) {
  Choice out;
  out.number = number;
  out.values = values_of(choices, number);
  out.price_USD = result.price_USD;
  out.oldest_price_year = result.oldest_price_year;
  out.newest_price_year = result.newest_price_year;
  out.without_price = result.without_price;
  out.chosen_without_price = without_price(out.values, result);
  out.power_W = result.power_W;
  out.without_power = result.without_power;
  out.job_samples_per_s = result.job_samples_per_s;
  out.job_gpu_utilization = result.job_gpu_utilization;
  out.throughput_samples_per_s = result.throughput_samples_per_s;
  out.accelerator_utilization = result.accelerator_utilization;
  out.time_to_result_s = result.time_to_result_s;
  out.job_tokens_per_s = result.job_tokens_per_s;
  if (result.transformer) out.memory_typical_B = result.transformer->memory_typical_B;
  out.bottleneck = in_words(result.bottleneck.resource);
  out.extrapolations = extrapolations_of(result);
  return out;
}

/// Of the same constraints on two workloads, whose predictions err independently.
std::optional<Chances> together(std::optional<Chances> some, const std::optional<Chances>& other) {
  if (!some || !other) return {};
  some->all *= other->all;
  for (std::size_t i = 0; i < some->each.size(); ++i)
    some->each[i] = std::min(some->each[i], other->each[i]);
  return some;
}

}  // namespace

CostOf cost_of(const Result& result) {
  CostOf cost{result.price_USD.value_or(0), result.power_W.value_or(0)};
  for (const BillLine& line : result.bill) {
    if (lacks_price(line, result.rented)) cost.unpriced += std::abs(line.count);
    if (lacks_power(line)) cost.unpowered += std::abs(line.count);
  }
  return cost;
}

Candidates::Candidates(const Choices& choices)
    : choices_(choices),
      keys_(keys_of(choices.goal, choices.studied())),
      all_(index(choices.count())) {}

Candidate& Candidates::examine(std::int64_t choice) {
  auto& slot = all_[index(choice)];
  if (slot) return *slot;
  auto candidate = std::make_unique<Candidate>();
  try {
    for (std::size_t i = 0; i < choices_.workloads.size(); ++i)
      if (choices_.workloads[i].served)
        ServedChoice(choices_, choice, i).examine(*candidate, keys_);
      else
        examine_as_result(*candidate, choice, i);
    judge(*candidate);
  } catch (const InputError& error) {
    candidate->stage = Insight::refused;
    candidate->refusal = sentence(error.problems().front());
  }
  slot = std::move(candidate);
  return *slot;
}

void Candidates::examine_as_result(Candidate& candidate, std::int64_t choice,
                                   std::size_t workload) const {
  const Result result = optimistic_result(scenario_of(choices_, choice, workload));
  if (workload == 0) {
    candidate.cost = cost_of(result);
    candidate.price_USD = result.price_USD;
    candidate.without_price = result.without_price;
    candidate.chooses_unpriced = !without_price(values_of(choices_, choice), result).empty();
    candidate.most_samples_per_s = result.job_samples_per_s;
  }
  for (auto& rule : broken_rules(choices_.goal, result))
    if (std::ranges::find(candidate.broken_rules, rule) == candidate.broken_rules.end())
      candidate.broken_rules.push_back(std::move(rule));
  candidate.optimistic.push_back(values_in(result, keys_));
}

void Candidates::judge(Candidate& candidate) const {
  candidate.stage = candidate.broken_rules.empty() ? Insight::open : Insight::fails_exactly;
  for (const Condition& condition : choices_.goal.constraints)
    for (std::size_t i = 0; i < candidate.optimistic.size(); ++i) {
      bool exactly = is_open(condition, candidate);
      if (!exactly && !surely_fails(condition, lookup(candidate.optimistic, i), exactly)) continue;
      if (exactly) candidate.stage = Insight::fails_exactly;
      if (candidate.stage == Insight::open) candidate.stage = Insight::fails_bound;
    }
}

bool Candidates::is_open(const Condition& condition, const Candidate& candidate) {
  const LimitedKey limited = limited_key(condition);
  return candidate.chooses_unpriced && !limited.wants_more && sum_of(limited.key) == SumOf::prices;
}

Candidate& Candidates::simulate(std::int64_t choice) {
  Candidate& candidate = examine(choice);
  if (candidate.stage == Insight::refused || candidate.stage == Insight::simulated)
    return candidate;
  candidate.meets = candidate.stage == Insight::open;
  const RunMemory::InUse in_use(memory_);
  for (std::size_t i = 0; i < choices_.workloads.size(); ++i) {
    if (choices_.workloads[i].served) {
      const ServedChoice served(choices_, choice, i);
      const serving::Answer answer = served.simulate();
      if (i == 0) candidate.choice = served.told(answer);
      candidate.simulated.push_back(values_in(answer, keys_));
      candidate.noise = kLeastGain;
    } else {
      simulate_as_result(candidate, choice, i);
    }
    for (const Condition& condition : choices_.goal.constraints)
      candidate.meets = candidate.meets && holds(condition, lookup(candidate.simulated, i));
  }
  candidate.stage = Insight::simulated;
  if (!candidate.meets) return candidate;
  candidate.choice.by_chance = met_by_chance(candidate);
  return candidate;
}

void Candidates::simulate_as_result(Candidate& candidate, std::int64_t choice,
                                    std::size_t workload) const {
  const Scenario scenario = scenario_of(choices_, choice, workload);
  const Result result = gpufeed::simulate(scenario);
  if (workload == 0)
    candidate.choice = choice_of(choices_, choice, missing_by_title(result, scenario));
  candidate.simulated.push_back(values_in(result, keys_));
  candidate.noise = std::max(candidate.noise, noise_of(result, result, kLeastGain));
}

std::optional<Chances> Candidates::chances_as_result(Candidate& candidate, std::int64_t choice,
                                                     std::size_t workload) const {
  Scenario scenario = scenario_of(choices_, choice, workload);
  scenario.run.range_samples = Run{}.range_samples;
  const Result result = gpufeed::simulate(scenario);
  if (workload == 0) candidate.choice.prediction_intervals = intervals_of(result);
  return chances_of(result, choices_.goal.constraints);
}

bool Candidates::counts(std::int64_t choice, std::optional<Ratio> least_chance) {
  const Candidate* const candidate = find(choice);
  if (!candidate || !candidate->meets) return false;
  return !least_chance || chance_of(choice).value_or(0) >= least_chance->value;
}

std::optional<double> Candidates::chance_of(std::int64_t choice) {
  Candidate& candidate = *all_[index(choice)];
  if (candidate.choice.chance) return candidate.choice.chance;
  const Goal& goal = choices_.goal;
  std::optional<Chances> all;
  for (std::size_t i = 0; i < choices_.workloads.size(); ++i) {
    std::vector<PredictionInterval> intervals;
    const auto one = choices_.workloads[i].served
                         ? ServedChoice(choices_, choice, i).chances(intervals)
                         : chances_as_result(candidate, choice, i);
    if (i == 0 && !intervals.empty()) candidate.choice.prediction_intervals = std::move(intervals);
    all = i == 0 ? one : together(all, one);
  }
  if (!all) return {};
  candidate.choice.chance = all->all;
  for (std::size_t which = 0; which < goal.constraints.size(); ++which)
    candidate.choice.chances.push_back({goal.constraints[which].text, all->each[which]});
  return candidate.choice.chance;
}

Contestant Candidates::contestant_of(std::int64_t choice) {
  constexpr std::size_t kDraws = 200;
  constexpr std::int64_t kSeed = 1;
  const RunMemory::InUse in_use(memory_);
  const Scenario scenario = scenario_of(choices_, choice, 0);
  const Result result = gpufeed::simulate(scenario);
  return contestant(result, drawn(scenario, result, kDraws, kSeed));
}

std::vector<std::string> Candidates::met_by_chance(const Candidate& candidate) const {
  std::vector<std::string> out;
  for (const Condition& condition : choices_.goal.constraints)
    for (std::size_t i = 0; i < choices_.workloads.size(); ++i) {
      const Lookup values = lookup(candidate.simulated, i);
      const auto holds_with = [&](double factor) {
        return holds(condition, [&](const std::string& name) {
          auto value = values(name);
          auto* number = value ? std::get_if<Measure>(&*value) : nullptr;
          const Foresight known = foresight_of(name);
          const bool by_simulation = known == Foresight::at_most || known == Foresight::at_least;
          if (number && by_simulation) number->value *= factor;
          return value;
        });
      };
      if (holds_with(1 - candidate.noise) && holds_with(1 + candidate.noise)) continue;
      out.push_back(condition.text);
      break;
    }
  return out;
}

std::size_t Candidates::number_of(const std::string& key) const {
  return static_cast<std::size_t>(std::ranges::find(keys_, key) - keys_.begin());
}

Lookup Candidates::lookup(const Values& values, std::size_t workload) const {
  return [this, &values, workload](const std::string& name) {
    return values[workload][number_of(name)];
  };
}

bool Candidates::fails(const Candidate& candidate, std::size_t which) const {
  const Condition& condition = choices_.goal.constraints[which];
  if (is_open(condition, candidate)) return true;
  for (std::size_t i = 0; i < candidate.optimistic.size(); ++i) {
    bool exactly = false;
    if (!candidate.simulated.empty()
            ? !holds(condition, lookup(candidate.simulated, i))
            : surely_fails(condition, lookup(candidate.optimistic, i), exactly))
      return true;
  }
  return false;
}

std::optional<double> Candidates::value(const Candidate& candidate, const std::string& key,
                                        bool more) const {
  const Values& values = candidate.simulated.empty() ? candidate.optimistic : candidate.simulated;
  std::optional<double> worst;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto& one = values[i][number_of(key)];
    const auto* number = one ? std::get_if<Measure>(&*one) : nullptr;
    if (!number) return {};
    worst = !worst ? number->value
            : more ? std::min(*worst, number->value)
                   : std::max(*worst, number->value);
  }
  return worst;
}

void count(const Candidates& candidates, Recommendation& out) {
  const Choices& choices = candidates.choices();
  out.title = choices.goal.title;
  out.scenario = choices.goal.scenario.path;
  out.choices = choices.count();
  out.layouts_tried = choices.layouts_tried;
  for (std::int64_t choice = 0; choice < choices.count(); ++choice) {
    const Candidate* const candidate = candidates.find(choice);
    const Insight stage = candidate ? candidate->stage : Insight::unseen;
    out.looked_at += candidate != nullptr;
    out.not_buildable += stage == Insight::refused;
    out.excluded_by_aim += stage == Insight::unseen || stage == Insight::open;
    out.excluded_by_conditions += stage == Insight::fails_exactly;
    out.excluded_by_bound += stage == Insight::fails_bound;
    out.simulated += stage == Insight::simulated;
    if (stage == Insight::refused && out.first_refusal.empty())
      out.first_refusal = candidate->refusal;
  }
  out.excluded_without_price = std::min(out.excluded_without_price, out.excluded_by_aim);
  out.excluded_by_aim -= out.excluded_without_price;
}

}  // namespace gpufeed
