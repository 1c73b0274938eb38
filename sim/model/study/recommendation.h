// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/model/fields/field.h"
#include "sim/model/result/prediction_interval.h"

namespace gpufeed {

/// What a choice takes on an axis.
struct ChosenValue {
  std::string axis;
  std::string path;
  std::string value;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("axis", &ChosenValue::axis, "its name"));
    visit(key("path", &ChosenValue::path, "the key, as --set names it"));
    visit(key("value", &ChosenValue::value, "in TOML"));
  }
};

/// How likely what would be measured meets a constraint.
struct ConstraintChance {
  std::string constraint;
  double chance = 0;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("constraint", &ConstraintChance::constraint, "as the goal has it"));
    visit(key("chance", &ConstraintChance::chance, "that what would be measured meets it, 0 to 1"));
  }
};

/// A configuration that was simulated and meets every constraint; the numbers are those of the
/// first workload.
struct Choice {
  std::int64_t number = 0;
  std::vector<ChosenValue> values;
  std::optional<double> price_USD;
  std::optional<std::int64_t> oldest_price_year, newest_price_year;
  std::string without_price;
  std::vector<std::string> chosen_without_price;
  std::optional<double> power_W;
  std::string without_power;
  double job_samples_per_s = 0;
  double job_gpu_utilization = 0;
  double throughput_samples_per_s = 0;
  double accelerator_utilization = 0;
  double time_to_result_s = 0;
  std::optional<double> job_tokens_per_s;
  std::optional<double> memory_typical_B;
  std::string bottleneck;
  std::vector<std::string> by_chance;
  std::vector<ConstraintChance> chances;
  std::optional<double> chance;
  std::optional<double> chance_over_last;
  std::optional<double> chance_best;
  std::vector<PredictionInterval> prediction_intervals;
  std::vector<std::string> extrapolations;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using C = Choice;
    visit(key("number", &C::number, "among all choices, from 0; the last axis varies fastest"));
    visit(key("values", &C::values, "what it takes on each axis"));
    visit(key("price_USD", &C::price_USD, "of all machines and stores; null: not known"));
    visit(key("oldest_price_year", &C::oldest_price_year, "of the prices in it; null: none"));
    visit(key("newest_price_year", &C::newest_price_year, "of the prices in it; null: none"));
    visit(key("without_price", &C::without_price, "parts that are not counted"));
    visit(key("chosen_without_price", &C::chosen_without_price,
              "products of them that the axes choose: with these, another choice may be cheaper"));
    visit(key("power_W", &C::power_W, "at full load; null: not known"));
    visit(key("without_power", &C::without_power, "parts that are not counted in it"));
    visit(key("job_samples_per_s", &C::job_samples_per_s, "of the whole job, simulated"));
    visit(
        key("job_gpu_utilization", &C::job_gpu_utilization, "of the whole job, simulated, 0 to 1"));
    visit(key("throughput_samples_per_s", &C::throughput_samples_per_s,
              "deprecated: job_samples_per_s; without staging and a first epoch that differs"));
    visit(key("accelerator_utilization", &C::accelerator_utilization,
              "deprecated: job_gpu_utilization; likewise"));
    visit(key("time_to_result_s", &C::time_to_result_s, "simulated"));
    visit(key("job_tokens_per_s", &C::job_tokens_per_s,
              "of a language model, of all GPUs, simulated; else null"));
    visit(
        key("memory_typical_B", &C::memory_typical_B,
            "of a language model: what the fullest GPU holds as jobs usually take it; else null"));
    visit(key("bottleneck", &C::bottleneck, "what holds it back"));
    visit(key("by_chance", &C::by_chance,
              "constraints that it meets by less than what chance makes of a run"));
    visit(key("chances", &C::chances, "of each constraint; of several workloads the least"));
    visit(key("chance", &C::chance,
              "that what would be measured meets all constraints, 0 to 1, by the prediction "
              "interval; workloads err independently; null: the interval is not known"));
    visit(key("chance_over_last", &C::chance_over_last,
              "of a front: that what would be measured of it is faster than of the choice before "
              "it, 0 to 1; null: there is none, or it is not known"));
    visit(key("chance_best", &C::chance_best,
              "of a layout: that what would be measured of it is the fastest of the answer and its "
              "rivals, 0 to 1; null: not asked for, or not known"));
    visit(key("prediction_intervals", &C::prediction_intervals,
              "of what it gives; empty: not known"));
    visit(key("extrapolations", &C::extrapolations,
              "how it is unlike all that was measured, which widens its intervals"));
  }
};

/// The best choice with more confidence than was asked for.
struct SurerChoice {
  double confidence = 0;
  std::vector<Choice> choice;
  bool all_seen = true;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("confidence", &SurerChoice::confidence,
              "the least chance that what would be measured meets all constraints, 0 to 1"));
    visit(key("choice", &SurerChoice::choice, "the best that has it; empty: none"));
    visit(key("all_seen", &SurerChoice::all_seen,
              "false: the search ended early; a goal with this confidence looks at all"));
  }
};

/// Why there is no choice.
struct Obstacle {
  std::string constraint;
  bool alone = false;
  std::string key;
  std::optional<double> closest;
  bool others_held = false;
  std::vector<ChosenValue> values;
  std::string bottleneck;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using O = Obstacle;
    visit(gpufeed::key<O>("constraint", &O::constraint, "as the goal has it"));
    visit(
        gpufeed::key<O>("alone", &O::alone, "no choice meets it, whatever the other constraints"));
    visit(gpufeed::key<O>("key", &O::key, "of the result that it limits; empty: not a single one"));
    visit(gpufeed::key<O>("closest", &O::closest,
                          "that the key can attain; null: not known, or nothing meets the others"));
    visit(gpufeed::key<O>("others_held", &O::others_held,
                          "in a choice that meets all other constraints; false: in any choice"));
    visit(gpufeed::key<O>("values", &O::values, "of the choice that attains it"));
    visit(gpufeed::key<O>("bottleneck", &O::bottleneck,
                          "what holds that choice back; empty where it was not simulated"));
  }
};

/// The answer to a goal, and what proves it.
struct Recommendation {
  std::string title;
  std::string scenario;
  std::vector<std::string> options;
  std::string aim;
  std::int64_t choices = 0;
  std::int64_t not_buildable = 0;
  std::int64_t excluded_by_aim = 0;
  std::int64_t excluded_by_conditions = 0;
  std::int64_t excluded_by_bound = 0;
  std::int64_t excluded_without_price = 0;
  std::int64_t simulated = 0;
  std::int64_t looked_at = 0;
  std::int64_t checked_sums = 0;
  double noise = 0;
  std::string first_refusal;
  std::int64_t layouts_tried = 0;
  std::vector<Choice> chosen;
  std::vector<Choice> rivals;
  std::vector<SurerChoice> surer;
  std::vector<Obstacle> obstacles;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using R = Recommendation;
    visit(key("title", &R::title, "of the goal"));
    visit(key("scenario", &R::scenario, "the file that the axes vary"));
    visit(key("options", &R::options,
              "names and values in turn, of the command line beside the goal: a simulation of the "
              "choice wants them, too"));
    visit(key("aim", &R::aim, "what is wanted, in words"));
    visit(key("choices", &R::choices, "that the axes and filters allow"));
    visit(key("not_buildable", &R::not_buildable, "refused as scenarios"));
    visit(key(
        "excluded_by_aim", &R::excluded_by_aim,
        "no better than the answer in what is wanted, or as good and no cheaper, so that nothing "
        "else of them counts"));
    visit(key("excluded_by_conditions", &R::excluded_by_conditions,
              "by price, power or stock, which are known without simulation"));
    visit(key("excluded_by_bound", &R::excluded_by_bound,
              "by the analytic bound of their rate or what follows from it"));
    visit(key("excluded_without_price", &R::excluded_without_price,
              "not compared: with parts that have no price, they cannot be called cheaper; "
              "--prices takes what is quoted"));
    visit(key("simulated", &R::simulated, "because nothing else could decide"));
    visit(key("looked_at", &R::looked_at, "made into scenarios one by one"));
    visit(key("checked_sums", &R::checked_sums,
              "choices on which was checked that price and power are sums over groups of axes; 0: "
              "those of each choice were worked out"));
    visit(key("noise", &R::noise,
              "simulated values count as equal within this share, of which the cheapest is the "
              "answer; 0: what is wanted is known exactly"));
    visit(key("first_refusal", &R::first_refusal, "of those that are not buildable; else empty"));
    visit(key("layouts_tried", &R::layouts_tried,
              "ways to lay a language model out over its GPUs, of which the choices are all that "
              "fit into their memory; 0: none are chosen"));
    visit(key("chosen", &R::chosen, "the answer; empty: nothing meets all constraints"));
    visit(key("rivals", &R::rivals,
              "of layouts: the fastest of each other way to split the model, the fastest first"));
    visit(key("surer", &R::surer,
              "the best choices at chances of 0.8 and 0.95, where that of the answer is less"));
    visit(key("obstacles", &R::obstacles, "why nothing does"));
  }
};

}  // namespace gpufeed
