// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/model/fields/field.h"

namespace gpufeed {

/// What a configuration does and costs.
struct WhatIfFigures {
  double job_samples_per_s = 0;
  double job_gpu_utilization = 0;
  double throughput_samples_per_s = 0;
  double accelerator_utilization = 0;
  double time_to_result_s = 0;
  std::optional<double> price_USD;
  std::optional<double> power_W;
  std::string without_price;
  std::string without_power;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using F = WhatIfFigures;
    visit(key("job_samples_per_s", &F::job_samples_per_s,
              "of the whole job, all GPUs together; failures that are described count"));
    visit(key("job_gpu_utilization", &F::job_gpu_utilization,
              "share of the whole job's time that GPUs compute, 0 to 1"));
    visit(key("throughput_samples_per_s", &F::throughput_samples_per_s,
              "deprecated: job_samples_per_s; without staging and a first epoch that differs"));
    visit(key("accelerator_utilization", &F::accelerator_utilization,
              "deprecated: job_gpu_utilization; likewise"));
    visit(key("time_to_result_s", &F::time_to_result_s,
              "staging and training, with failures; likewise"));
    visit(key("price_USD", &F::price_USD, "of the parts that have a price; null: none has"));
    visit(key("power_W", &F::power_W, "of the parts that say theirs; null: none does"));
    visit(key("without_price", &F::without_price,
              "parts that are not in price_USD, which then is a least sum"));
    visit(key("without_power", &F::without_power,
              "parts that are not in power_W, which then is a least sum"));
  }
};

/// One change of a scenario, tried.
struct WhatIfRow {
  std::string change;
  std::string subject;
  bool is_free = false;
  std::vector<std::string> sets;
  std::string why;
  WhatIfFigures after;
  double gain = 0;
  std::optional<double> chance;
  double throughput_gain = 0;
  double noise = 0;
  double utilization_points = 0;
  std::optional<double> price_change_USD;
  std::optional<std::int64_t> price_year_before;
  std::optional<std::int64_t> price_year_after;
  std::optional<double> power_change_W;
  std::optional<double> gain_per_1000_USD;

  /// Whether it may be called a fix: one whose chance is not known counts as such.
  bool is_likely() const {
    constexpr double kLeast = 0.6;
    return chance.value_or(1) >= kLeast;
  }

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using W = WhatIfRow;
    visit(key("change", &W::change, "what is changed, in words"));
    visit(key("subject", &W::subject, "what kind of change: loader, drives, network, ..."));
    visit(key("is_free", &W::is_free, "whether nothing is bought: a setting"));
    visit(key("sets", &W::sets, "the options that do it: --set each of them"));
    visit(key("why", &W::why, "what it acts on, and what holds the job back then"));
    visit(key("after", &W::after, "what the changed configuration does and costs"));
    visit(key("gain", &W::gain, "of job_samples_per_s, relative"));
    visit(key("chance", &W::chance,
              "that what would be measured of it is faster than what would be now, 0 to 1: what "
              "both share is off by as much in both; null: how far off it may be is not known, or "
              "it is a saving"));
    visit(key("throughput_gain", &W::throughput_gain,
              "of throughput_samples_per_s, relative: what is gained once data are copied in and a "
              "first epoch that differs is over"));
    visit(key("noise", &W::noise, "a gain or loss up to this may be chance"));
    visit(key("utilization_points", &W::utilization_points,
              "change of job_gpu_utilization, in percentage points"));
    visit(key("price_change_USD", &W::price_change_USD,
              "null where a part that comes or goes has no price"));
    visit(key("price_year_before", &W::price_year_before,
              "year of the price of a part that goes, where what comes in its place has one of "
              "another year; null: none has"));
    visit(key("price_year_after", &W::price_year_after, "and of what comes"));
    visit(key("power_change_W", &W::power_change_W,
              "null where a part that comes or goes does not say its power"));
    visit(key("gain_per_1000_USD", &W::gain_per_1000_USD,
              "gain for each 1000 USD more; null where it costs nothing more, or nobody knows"));
  }
};

/// Why a change is not proposed. bounded: no schedule makes it faster than it is now, so that it
/// need not be simulated. fewer_checkpoints: more of the work would be lost. no_saving: as fast,
/// and no cheaper. does_not_fit: the GPUs' memory would not hold it.
enum class Rejected {
  bounded,
  no_difference,
  slower,
  outdone,
  no_saving,
  fewer_checkpoints,
  does_not_fit,
  not_possible,
  fault
};
template <>
struct EnumNames<Rejected> {
  static constexpr auto names =
      words_of<Rejected>({{Rejected::bounded, "bounded"},
                          {Rejected::no_difference, "no_difference"},
                          {Rejected::slower, "slower"},
                          {Rejected::outdone, "outdone"},
                          {Rejected::no_saving, "no_saving"},
                          {Rejected::fewer_checkpoints, "fewer_checkpoints"},
                          {Rejected::does_not_fit, "does_not_fit"},
                          {Rejected::not_possible, "not_possible"},
                          {Rejected::fault, "fault"}});
};

/// One that was tried, and is not proposed.
struct RejectedChange {
  std::string change;
  std::vector<std::string> sets;
  Rejected verdict = Rejected::no_difference;
  std::string cause;
  std::optional<double> gain;
  std::optional<double> noise;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using R = RejectedChange;
    visit(key("change", &R::change, "what is changed, in words"));
    visit(key("sets", &R::sets, "the options that do it: --set each of them"));
    visit(key("verdict", &R::verdict, "why it is not proposed"));
    visit(key("cause", &R::cause, "what holds the job back then, or what the machine lacks"));
    visit(key("gain", &R::gain, "of job_samples_per_s, relative; null where none was simulated"));
    visit(key("noise", &R::noise, "a gain or loss up to this may be chance; likewise"));
  }
};

/// What one change at a time would do to a scenario.
struct WhatIf {
  std::string title;
  WhatIfFigures now;
  std::string bottleneck;
  std::string bottleneck_why;
  std::string does_not_fit;
  std::vector<WhatIfRow> fitting;
  std::vector<WhatIfRow> rows;
  std::vector<WhatIfRow> altering;
  std::vector<WhatIfRow> savings;
  std::vector<RejectedChange> rejected;
  std::int64_t tried = 0;
  std::int64_t bounded = 0;
  std::int64_t no_change = 0;
  std::int64_t worse = 0;
  std::int64_t outdone = 0;
  std::int64_t refused = 0;
  std::vector<std::string> faults;
  double noise = 0;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using R = WhatIf;
    visit(key("title", &R::title, "of the scenario"));
    visit(key("now", &R::now, "what it does and costs as it is"));
    visit(key("bottleneck", &R::bottleneck, "what holds it back as it is"));
    visit(key("bottleneck_why", &R::bottleneck_why, "how that shows, in words"));
    visit(key("does_not_fit", &R::does_not_fit,
              "that the GPUs' memory does not hold it as it is, and what would; else empty"));
    visit(
        key("fitting", &R::fitting,
            "changes with which the GPUs' memory holds it, the fastest first; empty where it does "
            "as it is"));
    visit(key("rows", &R::rows,
              "changes that help: first those that are free, by gain, then those with a price, by "
              "gain for the money, then the others"));
    visit(key("altering", &R::altering,
              "changes of what is trained that make it faster: batch, number format, what is left "
              "of gradients. Whether the result is as good nobody here knows"));
    visit(key("savings", &R::savings,
              "purchases that cost less and are as fast, the cheapest of each subject first"));
    visit(key("rejected", &R::rejected, "all others that were tried, with the cause"));
    visit(key("tried", &R::tried, "changes that could be made"));
    visit(key("bounded", &R::bounded,
              "of them, those not simulated, as no schedule makes the job faster than now"));
    visit(key("no_change", &R::no_change, "and those within the noise"));
    visit(key("worse", &R::worse, "and those that make it slower"));
    visit(key("outdone", &R::outdone,
              "and those that cost more than another of their subject, and give no more"));
    visit(key("refused", &R::refused,
              "changes that were not simulated, as the machine cannot be built so"));
    visit(key("faults", &R::faults,
              "changes that were not simulated through a fault of gpufeed, with what went wrong"));
    visit(key("noise", &R::noise, "the largest of the rows' tried"));
  }
};

}  // namespace gpufeed
