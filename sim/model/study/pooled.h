// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/model/fields/field.h"
#include "sim/model/study/recommendation.h"
#include "sim/model/study/validation_report.h"
#include "sim/model/study/whatif.h"

namespace gpufeed {

// What workers of a pool tell each other of the tasks of a study.

/// A case of validation.
struct PooledCase {
  std::vector<ValidationRow> rows;
  std::string message;
  bool internal = false;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("rows", &PooledCase::rows, "of all that was measured, in its order"));
    visit(key("message", &PooledCase::message, "why there are none"));
    visit(key("internal", &PooledCase::internal, "the fault is gpufeed's"));
  }
};

/// A change of what-if.
struct PooledChange {
  std::optional<WhatIfRow> row;
  std::string held_back;
  bool saves_less_often = false;
  std::string does_not_fit;
  bool fits = false;
  std::string bounded;
  std::string refusal;
  std::string fault;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using C = PooledChange;
    visit(key("row", &C::row, "null: it was not simulated"));
    visit(key("held_back", &C::held_back, "what holds the job back then"));
    visit(key("saves_less_often", &C::saves_less_often, "a failure would cost more"));
    visit(key("does_not_fit", &C::does_not_fit, "what the GPUs' memory lacks; else empty"));
    visit(key("fits", &C::fits, "the GPUs' memory holds it, and did not before"));
    visit(key("bounded", &C::bounded, "what keeps the job from becoming faster; else empty"));
    visit(key("refusal", &C::refusal, "why the machine cannot be built so"));
    visit(key("fault", &C::fault, "of gpufeed"));
  }
};

/// How sure a change makes the job faster.
struct PooledChance {
  std::optional<double> chance;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("chance", &PooledChance::chance, "null: not known"));
  }
};

/// A value of a result; null both: it has none.
struct PooledValue {
  bool is_number = false;
  double number = 0;
  std::optional<std::string> text;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("is_number", &PooledValue::is_number, "whether it is one"));
    visit(key("number", &PooledValue::number, "if so"));
    visit(key("text", &PooledValue::text, "null: it is none"));
  }
};

/// A choice of recommend, as far as a worker has looked into it.
struct PooledChoice {
  std::int64_t stage = 0;
  double price_sum_USD = 0;
  double power_sum_W = 0;
  double unpriced = 0;
  double unpowered = 0;
  std::optional<double> price_USD;
  std::string without_price;
  bool chooses_unpriced = false;
  double most_samples_per_s = 0;
  std::vector<std::vector<PooledValue>> optimistic;
  std::vector<std::vector<PooledValue>> simulated;
  Choice choice;
  bool meets = false;
  double noise = 0;
  std::string refusal;
  std::vector<std::string> broken_rules;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using C = PooledChoice;
    visit(key("stage", &C::stage, "its number; 0: it was not looked into"));
    visit(key("price_sum_USD", &C::price_sum_USD, "of its bill"));
    visit(key("power_sum_W", &C::power_sum_W, "likewise"));
    visit(key("unpriced", &C::unpriced, "parts without a price"));
    visit(key("unpowered", &C::unpowered, "parts without a power"));
    visit(key("price_USD", &C::price_USD, "null: not known"));
    visit(key("without_price", &C::without_price, "parts that are not in it"));
    visit(key("chooses_unpriced", &C::chooses_unpriced, "an axis takes one of them"));
    visit(key("most_samples_per_s", &C::most_samples_per_s, "by its bound"));
    visit(key("optimistic", &C::optimistic, "values of the goal's keys by bounds, by workload"));
    visit(key("simulated", &C::simulated, "the same, simulated"));
    visit(key("choice", &C::choice, "once simulated"));
    visit(key("meets", &C::meets, "all constraints, as predicted"));
    visit(key("noise", &C::noise, "the share of a value that is chance"));
    visit(key("refusal", &C::refusal, "why it cannot be built"));
    visit(key("broken_rules", &C::broken_rules, "about its products"));
  }
};

/// Some of them, in the order in which they were asked for.
struct PooledChoices {
  std::vector<PooledChoice> choices;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("choices", &PooledChoices::choices, "in the order in which they were asked for"));
  }
};

}  // namespace gpufeed
