// SPDX-License-Identifier: Apache-2.0
#include "ui/model/show/cards.h"

#include <fmt/format.h>

#include <cmath>

#include "reports/writers/cost_text.h"
#include "reports/writers/layout.h"
#include "reports/writers/range_text.h"
#include "sim/base/units.h"

namespace gpufeed::ui {
namespace {

constexpr double kBusy = 0.9;  ///< from here on GPUs count as kept busy

bool has_rate(const Result& result) {
  return result.throughput_samples_per_s > 0 && std::isfinite(result.throughput_samples_per_s);
}

std::int64_t gpus_of(const Result& result) {
  std::int64_t count = 0;
  for (const auto& group : result.gpus) count += group.count;
  return count;
}

Card throughput(const Result& result) {
  const std::string unit = result.kind == "inference" ? "requests/s" : "samples/s";
  Card card{"Throughput", "none", "it has no samples",
            "All GPUs together: samples of whole epochs over their time.", Mood::plain};
  if (!has_rate(result)) return card;
  card.value = text_number(result.throughput_samples_per_s);
  card.detail = unit;
  if (const auto gpus = static_cast<double>(gpus_of(result)); gpus > 1)
    card.why +=
        fmt::format("\n{} for each GPU.", text_number(result.throughput_samples_per_s / gpus));
  if (result.bound.samples_per_s > 0 && std::isfinite(result.bound.samples_per_s))
    card.why += fmt::format("\nIn the long run at most {} are possible.",
                            text_number(result.bound.samples_per_s));
  return card;
}

Card busy(const Result& result) {
  Card card{"GPUs busy", "none", "no GPU computes",
            "The share of the time in which GPUs compute; the rest they wait.", Mood::plain};
  const double share = result.accelerator_utilization;
  if (result.gpus.empty() && !(share > 0 && share <= 1)) return card;
  card.value = percent(share);
  const auto gpus = static_cast<double>(gpus_of(result));
  constexpr double kNone = 0.05;  ///< less of a GPU than that is not worth a word
  card.detail =
      gpus == 0 ? "while requests come"
      : gpus * (1 - share) < kNone
          ? "hardly waiting"
          : fmt::format("as if {} of {} idle", text_number(gpus * (1 - share), 2), gpus_of(result));
  card.mood = share >= kBusy ? Mood::good : Mood::poor;
  return card;
}

Card bottleneck(const Result& result) {
  const Bottleneck& own = result.bottleneck;
  Card card{"Bottleneck", own.resource.empty() ? "none" : own.resource, "", own.why, Mood::plain};
  if (!own.next.empty() && std::isfinite(own.distance) && own.distance > 0)
    card.detail = fmt::format("next: {}, at {} x", own.next, text_number(own.distance, 2));
  return card;
}

/// How many products a list "2 x a + 1 x b" names.
std::size_t products_in(const std::string& list) {
  if (list.empty()) return 0;
  std::size_t count = 1;
  for (std::size_t at = list.find(" + "); at != std::string::npos; at = list.find(" + ", at + 1))
    ++count;
  return count;
}

std::string missing(const std::string& list) {
  const std::size_t count = products_in(list);
  return fmt::format("{} {} left out", count, count == 1 ? "product" : "products");
}

Card price(const Result& result) {
  Card card{"Price", "not known", "no part has one",
            "Of all machines and stores, from the catalog or your own quotes.", Mood::plain};
  if (!result.price_USD) return card;
  card.value = text_number(*result.price_USD, *result.price_USD >= 1e5 ? 4 : 6) + " USD";
  if (result.newest_price_year)
    card.detail = result.oldest_price_year == result.newest_price_year
                      ? fmt::format("prices of {}", *result.newest_price_year)
                      : fmt::format("prices of {} to {}", result.oldest_price_year.value_or(0),
                                    *result.newest_price_year);
  if (!result.without_price.empty()) {
    card.value = "over " + card.value;
    card.detail = missing(result.without_price);
    card.why += "\nNot counted, price not known: " + result.without_price;
  }
  return card;
}

Card power(const Result& result) {
  Card card{"Power", "not known", "no part says it", "Drawn at full load, all machines and stores.",
            Mood::plain};
  if (!result.power_W) return card;
  card.value = text(Power{*result.power_W}, 3);
  card.detail = "at full load";
  if (!result.without_power.empty()) {
    card.value = "over " + card.value;
    card.detail = missing(result.without_power);
    card.why += "\nNot counted, power not known: " + result.without_power;
  }
  return card;
}

std::string counted(std::size_t count, const std::string& one) {
  return fmt::format("{} {}{}", count == 0 ? "no" : std::to_string(count), one,
                     count == 1 ? "" : "s");
}

Card certainty(const Result& result) {
  Card card{"Certainty", "", "",
            "How far another run's throughput may lie, in 95 of 100 cases, were all inputs right; "
            "and the range in which uncertain inputs leave it, in 80 of 100.",
            Mood::plain};
  card.value = certainty_text(result);
  const auto& range = result.range;
  if (range) card.detail = "10 to 90 %: " + interval_text(range->throughput_samples_per_s);
  if (!result.warnings.empty())
    card.detail += (range ? ", " : "") + counted(result.warnings.size(), "warning");
  const Simulated& simulated = result.simulated;
  if (simulated.steps > 0)
    card.why += fmt::format("\n{} steps simulated, {} extrapolated from them.", simulated.steps,
                            simulated.extrapolated_steps);
  for (const auto& cause : range ? range->causes : std::vector<RangeCause>{})
    card.why += fmt::format("\nRests on {}", cause_text(cause));
  for (const auto& warning : result.warnings) card.why += "\nWarning: " + warning;
  return card;
}

}  // namespace

double uncertainty(const Result& result) {
  return std::hypot(result.simulated.step_rate_uncertainty, result.simulated.run_uncertainty);
}

std::string certainty_text(const Result& result) {
  constexpr double kShown = 1e-4;
  const double all = uncertainty(result);
  if (!std::isfinite(all)) return "not known";
  if (all == 0 && result.simulated.steps == 0) return "not stated";  // no steps, no throughput
  return all < kShown ? "± <0.01 %" : fmt::format("± {} %", text_number(100 * all, 2));
}

std::vector<Card> cards_of(const Result& result) {
  return {throughput(result), busy(result),  bottleneck(result),
          price(result),      power(result), certainty(result)};
}

}  // namespace gpufeed::ui
