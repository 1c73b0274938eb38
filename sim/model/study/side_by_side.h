// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/model/fields/field.h"

namespace gpufeed {

/// A key or part that is not the same in all scenarios compared.
struct Difference {
  std::string name;
  std::vector<std::string> values;
  std::string part{};
  std::string title{};
  std::vector<std::string> shown{};

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("name", &Difference::name,
              "the key as --set names it, a product that is bought, what a part is joined to, or "
              "what a store is called"));
    visit(key("values", &Difference::values, "of each scenario in turn; empty: it has none"));
    visit(key("part", &Difference::part,
              "the part whose links these are; empty: they are no part's links"));
    visit(key("title", &Difference::title,
              "the name with the product's title; empty: it names no product"));
    visit(key("shown", &Difference::shown,
              "the values with products by their titles; empty: they name none"));
  }
};

/// By what work is judged that trains nothing.
struct ComparedFigure {
  std::string name;
  double value = 0;
  std::string unit;
  bool more_is_better = true;
  double noise = 0;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using F = ComparedFigure;
    visit(key("name", &F::name, "of the figure: save by rank 0"));
    visit(key("value", &F::value, "in its unit; null: without end"));
    visit(key("unit", &F::unit, "B/s, /s, FLOP/s or s"));
    visit(key("more_is_better", &F::more_is_better, "of a rate; of a time, less is"));
    visit(key("noise", &F::noise, "how much of a difference may be chance, relative"));
  }
};

/// What one of the scenarios comes to.
struct ComparedRow {
  std::string file;
  std::string title;
  double job_samples_per_s = 0;
  double job_gpu_utilization = 0;
  std::optional<double> job_tokens_per_s{};
  double throughput_samples_per_s = 0;
  std::optional<double> tokens_per_s{};
  double accelerator_utilization = 0;
  double time_to_result_s = 0;
  bool rented = false;
  std::optional<double> price_USD;
  std::optional<double> power_W;
  std::string without_price;
  std::string without_power;
  std::optional<double> per_hour_USD;
  std::optional<double> job_per_million_samples_USD;
  std::optional<double> per_million_samples_USD;
  std::string bottleneck;
  double deviation = 0;
  std::vector<ComparedFigure> figures;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using C = ComparedRow;
    visit(key("file", &C::file, "of the scenario"));
    visit(key("title", &C::title, "of the scenario"));
    visit(key("job_samples_per_s", &C::job_samples_per_s, "of the whole job, all GPUs together"));
    visit(key("job_gpu_utilization", &C::job_gpu_utilization,
              "share of the whole job's time that GPUs compute, 0 to 1"));
    visit(key("job_tokens_per_s", &C::job_tokens_per_s,
              "job_samples_per_s in tokens; null where the model does not say its tokens"));
    visit(key("throughput_samples_per_s", &C::throughput_samples_per_s,
              "deprecated: job_samples_per_s; without staging and a first epoch that differs"));
    visit(key("tokens_per_s", &C::tokens_per_s, "deprecated: job_tokens_per_s; likewise"));
    visit(key("accelerator_utilization", &C::accelerator_utilization,
              "deprecated: job_gpu_utilization; likewise"));
    visit(key("time_to_result_s", &C::time_to_result_s, "staging and training"));
    visit(key("rented", &C::rented, "and not bought"));
    visit(key("price_USD", &C::price_USD,
              "of the parts that are bought and have a price; null: none has"));
    visit(key("power_W", &C::power_W, "of the parts that say theirs; null: none does"));
    visit(key("without_price", &C::without_price, "parts that are not in price_USD"));
    visit(key("without_power", &C::without_power, "parts that are not in power_W"));
    visit(key("per_hour_USD", &C::per_hour_USD,
              "rent, or depreciation and electricity; null: not known"));
    visit(key("job_per_million_samples_USD", &C::job_per_million_samples_USD,
              "by that, of the whole job; null: not known"));
    visit(key("per_million_samples_USD", &C::per_million_samples_USD,
              "deprecated: job_per_million_samples_USD; at throughput_samples_per_s"));
    visit(key("bottleneck", &C::bottleneck, "what holds it back"));
    visit(key("deviation", &C::deviation,
              "standard deviation of the rate's logarithm that is its own, and not shared "
              "with the others"));
    visit(key("figures", &C::figures, "of a kind that trains nothing; else none"));
  }
};

/// Two of them, the faster one first: of more samples a second, or with its result sooner.
struct Duel {
  std::int64_t faster = 0;
  std::int64_t slower = 0;
  double ratio = 1;
  double probability = 0.5;
  std::optional<double> probability_uncertain;
  std::string why;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("faster", &Duel::faster, "number of the scenario, from 0"));
    visit(key("slower", &Duel::slower, "number of the scenario, from 0"));
    visit(key(
        "ratio", &Duel::ratio,
        "of their job_samples_per_s, or of the slower one's time to the result to the other's"));
    visit(key("probability", &Duel::probability,
              "that the faster one is indeed faster, all parts as stated, 0.5 to 1"));
    visit(
        key("probability_uncertain", &Duel::probability_uncertain,
            "the same where every uncertain value and part of the model is off as its basis says, "
            "in both by as much; null: not known"));
    visit(key("why", &Duel::why,
              "what makes the times to the result tell another thing than the rates"));
  }
};

/// Scenarios side by side.
struct SideBySide {
  std::vector<Difference> differences;
  std::vector<ComparedRow> rows;
  std::vector<Duel> duels;
  std::vector<Duel> finishes;
  std::string rests_on;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using C = SideBySide;
    visit(key("differences", &C::differences, "what is not the same in all"));
    visit(key("rows", &C::rows, "what each comes to, as they were given"));
    visit(key("duels", &C::duels, "every two of them that train, by job_samples_per_s"));
    visit(key("finishes", &C::finishes,
              "by their times to the result, those two of whom that tells another thing"));
    visit(key("rests_on", &C::rests_on, "what the probabilities count with"));
  }
};

}  // namespace gpufeed
