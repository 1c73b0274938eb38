// SPDX-License-Identifier: Apache-2.0
#include "reports/html/first_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/html/changes.h"
#include "reports/html/markup.h"
#include "reports/writers/comparison_text.h"
#include "reports/writers/cost_text.h"
#include "reports/writers/decision_text.h"
#include "reports/writers/headlines.h"
#include "reports/writers/job_text.h"
#include "reports/writers/key_words.h"
#include "reports/writers/layout.h"
#include "reports/writers/phrase_book.h"
#include "reports/writers/phrases.h"
#include "reports/writers/range_text.h"
#include "reports/writers/rates_text.h"
#include "reports/writers/terms.h"
#include "reports/writers/without_training_text.h"
#include "sim/base/units.h"
#include "sim/model/workload.h"

namespace gpufeed::html {
namespace {

/// A sum that lacks parts is less than the whole.
std::string_view at_least(const std::string& without) { return without.empty() ? "" : "≥ "; }

std::string_view power_mark(const Result& result) {
  if (result.removed_power.empty()) return at_least(result.without_power);
  return result.without_power.empty() ? "≤ " : "≈ ";
}

bool has_gpus(const Result& result) {
  return !trains_nothing(result) && result.kind != kind_of<kind::Loader>;
}

std::string within(const std::string& interval) {
  return fmt::format("{}: {}", term::kPercentiles, interval);
}

/// How far parameters leave the rate open, else how far the simulation does.
std::string known(const Result& result) {
  if (result.range) return within(interval_text(result.range->job_samples_per_s));
  const double uncertainty = result.simulated.step_rate_uncertainty;
  if (!std::isfinite(uncertainty)) return "too few steps tell how well it is known";
  return "the simulation is off by " + percent(uncertainty) + " at most";
}

std::string shares(const Interval80& share) {
  return percent(share.p10) + " to " + percent(share.p90);
}

std::string times(const Interval80& time) {
  return time_text(time.p10) + " to " + time_text(time.p90);
}

/// "prices of 2023 to 2026; not counted: 1 x chassis".
std::string price_note(const Result& result) {
  const std::string years = price_years_text(result.oldest_price_year, result.newest_price_year);
  return years + (years.empty() ? "" : "; ") +
         (result.without_price.empty() ? "of all that is bought"
                                       : "not counted: " + result.without_price);
}

std::string cards(const Result& result) {
  std::string out = "<div class='cards'>\n";
  const bool ranged = result.range.has_value();
  constexpr std::size_t kFigures = 6;
  const auto figures = headlines_of(result);
  for (std::size_t i = 0; i < std::min(kFigures, figures.size()); ++i)
    out += card(key_as_title(figures[i].name), figure_text(figures[i]), "");
  if (!trains_nothing(result)) {
    out += card(
        term::kJobRate,
        fmt::format("{} samples/s{}", text_number(result.job_samples_per_s), if_it_fitted(result)),
        known(result));
    if (result.job_tokens_per_s)
      out += card("Tokens", text_number(*result.job_tokens_per_s) + " a second",
                  text_number(*result.job_tokens_per_s / static_cast<double>(gpus_of(result))) +
                      " per GPU");
    if (has_gpus(result))
      out += card(term::kGpuUtilization, percent(result.job_gpu_utilization),
                  ranged ? within(shares(result.range->job_gpu_utilization))
                         : "one step takes " + time_text(result.step_s));
    out += card("Time to result", total_time(result),
                ranged ? within(times(result.range->time_to_result_s))
                : result.failures
                    ? "failures included; " +
                          time_text(result.before_training_s() + result.training_s) + " without"
                    : "first step after " + time_text(result.time_to_first_result_s, 1));
  }
  if (result.price_USD) out += card("Price", price_text(result), price_note(result));
  if (result.power_W)
    out += card(
        "Power", fmt::format("{}{} kW", power_mark(result), text_number(*result.power_W / 1000, 3)),
        result.without_power.empty() ? "at full load" : "not counted: " + result.without_power);
  return out + "</div>\n";
}

const std::vector<WhatIfRow>& tried(const PicturedResult& one) {
  return one.changes.empty() ? one.settings : one.changes;
}

/// Of what helps, that with the largest gain which is likely to.
const WhatIfRow* advised(const PicturedResult& one) {
  const WhatIfRow* best = nullptr;
  for (const WhatIfRow& row : tried(one))
    if (row.gain > row.noise && row.is_likely() && (!best || row.gain > best->gain)) best = &row;
  return best;
}

/// "GPUs compute 25.4 % of the time. Bottleneck: CPU decode; with more of it, loader workers would
/// be at 1.54 times the rate. Advice: ...".
std::string verdict(const PicturedResult& one) {
  const Result& result = one.result;
  std::string out;
  if (const Warning* const lacking = memory_short(result))
    out += "It does not fit: " + sentence(*lacking) + ". ";
  if (has_gpus(result))
    out += fmt::format("{} {}. ", term::kGpuUtilization, job_utilization_text(result));
  const Bottleneck& own = result.bottleneck;
  if (own.resource) {
    out += fmt::format("Bottleneck: {}", sentence(*own.resource));
    if (own.next && own.next != own.resource && std::isfinite(own.distance) && own.distance > 1)
      out += fmt::format("; with enough of it, {} would be, at {} times the rate",
                         sentence(*own.next), text_number(own.distance, 3));
    out += ". ";
  }
  if (const WhatIfRow* const best = advised(one))
    out += fmt::format("What helps most: {} ({}, {}).", best->change, signed_percent(best->gain),
                       money_text(*best));
  return out.empty() ? out : element("p", out, "class='lead'");
}

std::string no_price(const BillLine& line) {
  if (line.rent_per_hour_USD) return text_number(*line.rent_per_hour_USD) + " an hour";
  return line.price_basis.empty() ? "not known" : line.price_basis;
}

}  // namespace

std::string part_in_words(const BillLine& line) {
  return key_as_title(line.kind == "array" ? "store" : line.kind);
}

std::string price_known_by(const BillLine& line) {
  std::string out = line.price_basis;
  if (line.price_year) out += fmt::format("{}{}", out.empty() ? "" : ", ", *line.price_year);
  return out;
}

std::string parts_table(const Result& result) {
  if (result.bill.empty()) return "";
  Table table{"What is bought",
              {"part", "product", "price known by", "how many", "USD each", "USD"},
              {},
              3};
  for (const BillLine& line : result.bill)
    table.rows.push_back(
        {part_in_words(line), line.name,
         price_known_by(line) + (line.price_source.empty() ? "" : ": " + line.price_source),
         text_number(line.count),
         line.price_USD ? text_number(*line.price_USD, 15) : no_price(line),
         line.price_USD ? text_number(std::round(line.count * *line.price_USD), 15) : ""});
  if (result.price_USD) table.rows.push_back({"All", "", "", "", "", price_text(result)});
  return table.markup();
}

std::string rate_interval(const Result& result) {
  return result.range ? interval_text(result.range->job_samples_per_s) + " samples/s" : "";
}

namespace {

/// What is so, and why on demand: a long reason would hide what would help.
std::string warned(const Warning& warning) {
  const std::string why = reason(warning);
  return why.empty() ? escaped(claim(warning)) : folded(claim(warning), element("p", why));
}

/// What it rests on, in three lines at most, the gravest first.
std::string grounds(const Result& result) {
  constexpr std::size_t kShown = 3;
  std::vector<std::string> lines;
  const auto add = [&](const std::string& line) { lines.push_back(element("li", line)); };
  if (result.range && !result.range->causes.empty()) {
    const RangeCause& cause = result.range->causes.front();
    add(fmt::format("{}: {} ({})", term::kMainUncertainty, parameter_in_words(cause),
                    deviation_text(cause.deviation)));
  }
  for (const DecidingDefault& one : result.deciding_defaults)
    add("Rests on a default: " + in_plain_words(one));
  const auto estimated =
      std::ranges::count(result.bill, name_of(Basis::estimate), &BillLine::price_basis);
  const auto priced = std::ranges::count_if(
      result.bill, [](const BillLine& line) { return line.price_USD.has_value(); });
  if (estimated > 0) add(fmt::format("{} of {} prices are estimates", estimated, priced));
  for (const Warning& warning : result.warnings)
    if (&warning != memory_short(result)) lines.push_back("<li>" + warned(warning) + "</li>");
  lines.resize(std::min(lines.size(), kShown));
  std::string out;
  for (const std::string& line : lines) out += line;
  return out.empty() ? out : element("h3", "What that rests on") + "<ul>" + out + "</ul>\n";
}

std::string alternatives(const PicturedResult& one) {
  if (tried(one).empty()) return "";
  constexpr std::size_t kShown = 6;
  Table table{"One change at a time",
              {"change", "gain", "chance that it is faster", "costs", "time to result"},
              {},
              1};
  for (const WhatIfRow& row : tried(one))
    if (table.rows.size() < kShown)
      table.rows.push_back({row.change, signed_percent(row.gain),
                            row.chance ? percent(*row.chance) : "not known", money_text(row),
                            time_text(row.after.time_to_result_s)});
  return element("h3", "Alternatives") + table.markup();
}

}  // namespace

std::string price_text(const Result& result) {
  return fmt::format("{}{} USD", at_least(result.without_price),
                     text_number(std::round(*result.price_USD), 15));
}

std::string first_page(const PicturedResult& one, const std::string& id, const std::string& heading,
                       const std::string& question, const std::string& others) {
  const std::string bill = parts_table(one.result);
  const Result& result = one.result;
  const std::string job = fmt::format(
      "{} on {}{}", result.workload,
      result.nodes > 1 ? fmt::format("{} × ", result.nodes) : std::string(), result.system);
  const std::string asked = !question.empty() ? question
                            : has_gpus(result)
                                ? "does this machine keep its GPUs busy, and what would help?"
                                : "how fast is this machine, and what holds it back?";
  const std::string markup = element("p", "Question: " + asked) +
                             (result.workload.empty() ? "" : element("p", job, "class='dim'")) +
                             verdict(one) + cards(one.result) +
                             (bill.empty() ? "" : element("h3", "Parts") + bill) +
                             grounds(one.result) + alternatives(one) + others;
  return "<div class='first'>" + section(id + "answer", heading, markup) + "</div>\n";
}

}  // namespace gpufeed::html
