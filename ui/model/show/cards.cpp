// SPDX-License-Identifier: Apache-2.0
#include "ui/model/show/cards.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>

#include "reports/writers/activities.h"
#include "reports/writers/comparison_text.h"
#include "reports/writers/cost_text.h"
#include "reports/writers/headlines.h"
#include "reports/writers/job_text.h"
#include "reports/writers/key_words.h"
#include "reports/writers/layout.h"
#include "reports/writers/phrase_book.h"
#include "reports/writers/phrases.h"
#include "reports/writers/range_text.h"
#include "reports/writers/rates_text.h"
#include "reports/writers/terms.h"
#include "sim/base/units.h"
#include "sim/model/bill.h"
#include "sim/model/workload.h"
#include "ui/model/show/largest_loss.h"

namespace gpufeed::ui {
namespace {

constexpr double kBusy = 0.9;  ///< from here on GPUs count as kept busy

bool has_rate(const Result& result) {
  return result.job_samples_per_s > 0 && std::isfinite(result.job_samples_per_s);
}

/// "+36 %", of a ratio.
std::string change_text(double ratio) {
  return fmt::format("{}{} %", ratio < 1 ? "−" : "+", text_number(100 * std::abs(ratio - 1), 2));
}

/// "41 to 62 %".
std::string shares_text(const Interval80& range) {
  const double low = std::round(100 * range.p10), high = std::round(100 * range.p90);
  return low == high ? fmt::format("{} %", low) : fmt::format("{} to {} %", low, high);
}

/// An interval of a rate; of one that is to come, a word.
std::string range_line(const Result& result, const CardContext& context, double factor) {
  if (!result.range) return context.whole ? "" : "its range is being found out…";
  Interval80 range = result.range->job_samples_per_s;
  range.p10 *= factor;
  range.p90 *= factor;
  return interval_text(range);
}

Card job_rate(const Result& result, const CardContext& context) {
  const bool serves = result.kind == kind_of<kind::Inference>;
  const std::string unit = (serves ? "requests" : context.samples) + "/s";
  Card card{serves ? "Throughput" : std::string(term::kJobRate),
            "none",
            "it has no samples",
            "",
            serves ? "All GPUs together: requests answered."
                   : "All GPUs together: samples of the whole job over its time, from the copy-in "
                     "to the last step.",
            Mood::plain};
  if (!has_rate(result)) return card;
  card.value = text_number(result.job_samples_per_s);
  card.detail = unit;
  if (const Warning* const lacking = memory_short(result)) {
    card.title += if_it_fitted(result);
    card.mood = Mood::poor;
    card.why += "\nIt does not fit: " + sentence(*lacking) + ".";
  }
  card.more = range_line(result, context, 1);
  if (result.range)
    card.why += fmt::format("\n{}{} in 80 of 100 cases, by how well its inputs are known.",
                            card.more, " " + unit);
  if (result.job_tokens_per_s) {
    const double tokens = *result.job_tokens_per_s / result.job_samples_per_s;
    card.why += fmt::format("\nTokens: {}. {} {}.", token_rate_text(result), card.value, unit);
    card.value = text_number(*result.job_tokens_per_s);
    card.detail = "tokens/s";
    card.more = range_line(result, context, tokens);
  }
  if (result.range) card.detail += ", P10–P90:";
  if (const auto gpus = static_cast<double>(gpus_of(result)); gpus > 1)
    card.why += fmt::format("\n{} for each GPU.", text_number(result.job_samples_per_s / gpus));
  if (!serves)
    for (const auto& [label, words] : rates_beside(result))
      card.why += fmt::format("\n{}: {}.", label, words);
  if (result.bound.samples_per_s > 0 && std::isfinite(result.bound.samples_per_s))
    card.why += fmt::format("\nIn the long run at most {} are possible.",
                            text_number(result.bound.samples_per_s));
  return card;
}

Card busy(const Result& result, const CardContext& context) {
  Card card{std::string(term::kGpuUtilization),
            "none",
            "no GPU computes",
            "",
            "The share of the whole job's time in which GPUs compute; the rest they wait.",
            Mood::plain};
  const double share = result.job_gpu_utilization;
  if (result.gpus.empty() && !(share > 0 && share <= 1)) return card;
  card.value = percent(share);
  const auto gpus = static_cast<double>(gpus_of(result));
  constexpr double kNone = 0.05;  ///< less of a GPU than that is not worth a word
  card.detail = gpus == 0 ? "while requests come"
                : gpus * (1 - share) < kNone
                    ? "hardly waiting"
                    : "as if " + idle_text(gpus_of(result), share) + " idle";
  if (const std::string of_it = not_computed_text(result); !of_it.empty()) card.detail = of_it;
  if (result.range)
    card.more = "P10–P90: " + shares_text(result.range->job_gpu_utilization);
  else if (!context.whole)
    card.more = "its range is being found out…";
  if (differs(result.accelerator_utilization, share))
    card.why += "\n" + job_utilization_text(result);
  card.mood = share * (1 - not_computed(result).all()) >= kBusy ? Mood::good : Mood::poor;
  return card;
}

/// "at 1.8×"; less than a tenth more is told as a change.
std::string at_distance(double distance) {
  constexpr double kClose = 1.1;
  if (distance < kClose) return "at " + change_text(distance);
  return fmt::format("at {}×", text_number(distance, 2));
}

Card bottleneck(const Result& result) {
  const Bottleneck& own = result.bottleneck;
  Card card{
      "Bottleneck", own.resource ? sentence(*own.resource) : "none", "", "", in_words(own.evidence),
      Mood::plain};
  for (const std::string& line : deciding_lines(result)) card.why += "\nA default decides: " + line;
  if (!result.deciding_defaults.empty())
    card.more = "rests on " + text(result.deciding_defaults.front().key);
  if (!own.next || !std::isfinite(own.distance) || own.distance <= 0) return card;
  card.detail = fmt::format("next, {}: {}", at_distance(own.distance), sentence(*own.next));
  card.why += fmt::format(
      "\nOnce there is more than enough of it, {} holds the job back, {} times as fast.",
      sentence(*own.next), text_number(own.distance, 3));
  return card;
}

/// What is lost, and what would hold the job back next.
Card loss(const Result& result) {
  Card card = bottleneck(result);
  const std::string limit = card.value;
  card.title = "Largest loss";
  card.why = "What the GPUs' time goes to beside computing.\nLimit: " + limit + ". " + card.why;
  card.more = card.detail.empty() ? "limit: " + limit : card.detail;
  const Loss most = largest_loss(result);
  constexpr double kNone = 0.005;
  if (most.share < kNone) {
    card.value = "none";
    card.detail = "GPUs compute all the time";
    return card;
  }
  card.value = percent(most.share);
  card.detail = most.words;
  return card;
}

/// How long, and for how much.
Card to_the_result(const Result& result) {
  Card card{"To the result", "not known", "", "", "Of the whole job, from its start.", Mood::plain};
  if (std::isfinite(result.time_to_result_s) && result.time_to_result_s > 0) {
    card.value = time_text(result.time_to_result_s);
    constexpr double kHour_s = 3600, kDays = 48;
    if (result.time_to_result_s > kDays * kHour_s)
      card.value = text_number(result.time_to_result_s / (24 * kHour_s), 3) + " days";
  }
  if (const auto& cost = result.running_cost) {
    const std::string over = cost->without.empty() ? "" : "over ";
    if (cost->per_result_USD)
      card.detail = over + text_number(*cost->per_result_USD, 3) + " USD to the result";
    card.more = over + text_number(cost->per_hour_USD, 3) + " USD an hour";
    card.why +=
        fmt::format("\n{} {}.", card.more,
                    cost->rent_per_hour_USD ? "of rent" : "of depreciation and electricity");
  }
  return card;
}

/// Where the model says what it takes.
std::optional<Card> gpu_memory(const Result& result) {
  if (!result.transformer || !(result.transformer->gpu_memory_B > 0)) return {};
  const TransformerSummary& step = *result.transformer;
  const double used = step.memory_typical_B, all = step.gpu_memory_B;
  Card card{"GPU memory",
            fmt::format("{} of {}", text_number(used / 1e9, 3), text(Bytes{all}, 3)),
            used <= all ? text(Bytes{all - used}, 3) + " free" : "does not fit",
            "",
            "Of the fullest GPU, with what allocator and libraries take.",
            used <= all ? Mood::plain : Mood::poor};
  const auto most = std::ranges::max_element(step.memory, {}, &MemoryPart::size_B);
  if (most != step.memory.end())
    card.more = fmt::format("{} {}", name_of(most->name), text(Bytes{most->size_B}, 3));
  for (const MemoryPart& part : step.memory)
    card.why += fmt::format("\n{} {}", name_of(part.name), text(Bytes{part.size_B}, 3));
  return card;
}

std::string left_out(std::ptrdiff_t count) {
  return fmt::format("{} {} left out", count, count == 1 ? "product" : "products");
}

std::string missing(const std::string& titles, const std::string& names) {
  return titles.empty() ? names : titles;
}

Card price(const Result& result, const CardContext& context) {
  Card card{"Price",
            "not known",
            "no part has one",
            "",
            "Of all machines and stores, from the catalog or your own quotes.",
            Mood::plain};
  if (const auto& cost = result.running_cost) {
    const bool whole = cost->without.empty();
    card.more = (whole ? "" : "over ") + text_number(cost->per_hour_USD, 3) + " USD an hour";
    card.why +=
        fmt::format("\n{} {}.", card.more,
                    cost->rent_per_hour_USD ? "of rent" : "of depreciation and electricity");
  }
  if (!result.price_USD) return card;
  card.value = text_number(std::round(*result.price_USD), 15) + " USD";
  card.detail = price_years_text(result.oldest_price_year, result.newest_price_year);
  if (!card.detail.empty()) card.why += fmt::format("\nIt rests on {}.", card.detail);
  if (!result.without_price.empty()) {
    card.value = "over " + card.value;
    card.detail = left_out(std::ranges::count_if(
        result.bill, [&](const BillLine& line) { return lacks_price(line, result.rented); }));
    card.why +=
        "\nNot counted, price not known: " + missing(context.without_price, result.without_price);
  }
  return card;
}

Card power(const Result& result, const CardContext& context) {
  Card card{"Power",
            "not known",
            "no part says it",
            "",
            "Drawn at full load, all machines and stores.",
            Mood::plain};
  if (result.running_cost && result.running_cost->energy_per_epoch_kWh)
    card.more = text_number(*result.running_cost->energy_per_epoch_kWh, 3) + " kWh an epoch";
  if (!result.power_W) return card;
  card.value = text(Power{*result.power_W}, 3);
  card.detail = "at full load";
  if (!result.without_power.empty()) {
    card.value = "over " + card.value;
    card.detail = left_out(std::ranges::count_if(result.bill, gpufeed::lacks_power));
    card.why +=
        "\nNot counted, power not known: " + missing(context.without_power, result.without_power);
  }
  return card;
}

/// Price, and power in its last line.
Card price_and_power(const Result& result, const CardContext& context) {
  Card card = price(result, context);
  const Card own = power(result, context);
  card.title = "Price, power";
  card.more = result.power_W ? own.value + " at full load" : "power not known";
  card.why += "\n" + own.why;
  return card;
}

/// Of the first figure, and the others in the lines below it.
Card headline(std::span<const ComparedFigure> figures) {
  const auto line = [&](std::size_t i) {
    return i < figures.size() ? figures[i].name + " " + figure_text(figures[i]) : "";
  };
  Card card{as_title(figures[0].name), figure_text(figures[0]), line(1), line(2), "", Mood::plain};
  for (std::size_t i = 0; i < figures.size(); ++i) card.why += (i == 0 ? "" : "\n") + line(i);
  return card;
}

/// Work that trains nothing is judged by figures of its own: they stand in the place of rate and
/// GPU utilization.
std::vector<Card> first_cards(const Result& result, const CardContext& context) {
  const std::vector<ComparedFigure> all = headlines_of(result);
  if (all.empty() && result.kind == kind_of<kind::Loader>) return {job_rate(result, context)};
  if (all.empty()) return {job_rate(result, context), busy(result, context)};
  constexpr std::size_t kLines = 3;  ///< of a card
  const std::span<const ComparedFigure> own(all);
  const std::size_t first = all.size() > kLines ? 2 : 1;
  const auto rest = own.subspan(first, std::min(kLines, all.size() - first));
  return {headline(own.first(first)), rest.empty() ? busy(result, context) : headline(rest)};
}

std::string counted(std::size_t count, const std::string& one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

/// How far an end of the range lies from the middle: "−26 %, +36 %".
std::string spread_text(const Interval80& range, double middle) {
  return change_text(range.p10 / middle) + ", " + change_text(range.p90 / middle);
}

/// What runs are uncertain by is another thing than what inputs are: both are told.
std::string why_certain(const Result& result) {
  std::string why =
      "How far uncertain inputs leave the rate open, in 80 of 100 cases. Were all inputs "
      "right, another run would lie within " +
      certainty_text(result) + " in 95 of 100 cases.";
  const Simulated& simulated = result.simulated;
  if (simulated.steps > 0)
    why += fmt::format("\n{} steps simulated, {} extrapolated from them.", simulated.steps,
                       simulated.extrapolated_steps);
  for (const auto& cause : result.range ? result.range->causes : std::vector<RangeCause>{})
    why += fmt::format("\nUncertain: {}\n  to narrow it: {}", cause_text(cause), cause.remedy);
  for (const auto& assumption : result.assumptions) why += "\nAssumed: " + sentence(assumption);
  for (const auto& warning : result.warnings) why += "\nWarning: " + sentence(warning);
  return why;
}

Card certainty(const Result& result, const CardContext& context) {
  Card card{"Certainty", certainty_text(result), "", "", why_certain(result), Mood::plain};
  if (!context.whole && !result.range) card.value = "…", card.detail = "being found out";
  const auto& range = result.range;
  if (range && has_rate(result)) {
    card.value = spread_text(range->job_samples_per_s, result.job_samples_per_s);
    if (!range->causes.empty()) card.detail = "by " + parameter_in_words(range->causes.front());
  }
  if (!result.warnings.empty()) card.title += ", " + counted(result.warnings.size(), "warning");
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

std::vector<Card> cards_of(const Result& result, const CardContext& context) {
  std::vector<Card> cards = first_cards(result, context);
  const bool trains =
      headlines_of(result).empty() && !result.gpus.empty() && result.kind != kind_of<kind::Loader>;
  if (trains) {
    cards.push_back(loss(result));
    cards.push_back(to_the_result(result));
    if (auto memory = gpu_memory(result)) cards.push_back(std::move(*memory));
    cards.push_back(price_and_power(result, context));
  } else {
    cards.push_back(bottleneck(result));
    cards.push_back(price(result, context));
    cards.push_back(power(result, context));
  }
  cards.push_back(certainty(result, context));
  return cards;
}

}  // namespace gpufeed::ui
