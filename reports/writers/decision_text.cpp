// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/decision_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "reports/writers/cost_text.h"
#include "reports/writers/layout.h"
#include "reports/writers/phrases.h"
#include "reports/writers/terms.h"
#include "sim/base/printable.h"

namespace gpufeed {
namespace {

constexpr std::size_t kSettingsShown = 3;  ///< beside the elasticities
constexpr std::string_view kUnknown = "?";

std::string lever_row(const LeverGain& lever) {
  const std::string gain =
      lever.counts() ? signed_percent(lever.gain_per_10pct)
                     : fmt::format("none (within {} %)", text_number(100 * lever.noise, 2));
  return item(
      "  " + clipped(sentence(lever.resource), kLabels - 3),
      lever.limit && lever.counts() ? fmt::format("{:<10}{}", gain, sentence(*lever.limit)) : gain);
}

std::string binding_sentence(const Elasticity& elasticity) {
  if (!elasticity.binds)
    return item("Binding", "no single resource: a tenth more of any gives no more than chance");
  const bool other = elasticity.next && elasticity.next != elasticity.binds;
  const std::string times = text_number(elasticity.distance, 3);
  return item("Binding",
              sentence(*elasticity.binds) + "; with more than enough of that, " +
                  (other ? fmt::format("{} would hold it back, at {} times the present "
                                       "rate",
                                       sentence(*elasticity.next), times)
                         : fmt::format("the rate would be {} times the present one", times)));
}

std::string figures(const WhatIfFigures& now) {
  std::string out = fmt::format("{} samples/s, {} {}", text_number(now.job_samples_per_s),
                                term::kGpuUtilization, percent(now.job_gpu_utilization));
  if (std::isfinite(now.time_to_result_s))
    out += fmt::format(", {} to the result", time_text(now.time_to_result_s));
  if (now.price_USD)
    out += fmt::format("; price {}{} USD", least_sum(now.without_price),
                       text_number(std::round(*now.price_USD), 15));
  if (now.power_W)
    out +=
        fmt::format("; power {}{} W", least_sum(now.without_power), text_number(*now.power_W, 4));
  return out;
}

std::string columns(std::string_view number, std::string_view gain, std::string_view chance,
                    std::string_view busy, std::string_view price, std::string_view power,
                    std::string_view worth) {
  return fmt::format("{:>2}  {:>8}{:>8}{:>11}{:>11}{:>9}{:>14}  ", number, gain, chance, busy,
                     price, power, worth);
}

std::string row_text(std::size_t number, const WhatIfRow& row, const WhatIfFigures& now) {
  const std::string head = columns(
      std::to_string(number), signed_percent(row.gain), row.chance ? percent(*row.chance) : "",
      percent(row.after.job_gpu_utilization),
      row.is_free ? "free" : signed_number(row.price_change_USD), signed_number(row.power_change_W),
      row.gain_per_1000_USD ? signed_percent(*row.gain_per_1000_USD) : "");
  std::string out = labeled(head, row.change, head.size());
  if (const auto result = result_gain_text(row, now); !result.empty())
    out += labeled("", result, kNumbers);
  out += labeled("", row.why, kNumbers);
  for (const auto& set : row.sets) out += fmt::format("{:{}}{}\n", "", kNumbers, set_option(set));
  return out;
}

/// \param title  above; empty: none
std::string rows_text(std::string_view title, const std::vector<WhatIfRow>& rows,
                      const WhatIfFigures& now, std::optional<std::size_t> most) {
  const std::size_t shown = std::min(most.value_or(rows.size()), rows.size());
  if (shown == 0) return "";
  std::string out = title.empty() ? "" : fmt::format("{}\n", title);
  out += columns("", "gain", "chance", term::kGpuUtil, "USD more", "W more", "per 1000 USD") +
         "change\n";
  for (std::size_t i = 0; i < shown; ++i) out += row_text(i + 1, rows[i], now) + "\n";
  if (shown < rows.size())
    out +=
        fmt::format("and {} more: --top {} shows them all\n\n", rows.size() - shown, rows.size());
  return out;
}

std::string verdict_text(const RejectedChange& change) {
  switch (change.verdict) {
    case Rejected::bounded:
      return "cannot be faster";
    case Rejected::no_difference:
      return "no difference";
    case Rejected::slower:
      return "slower";
    case Rejected::outdone:
      return "outdone";
    case Rejected::no_saving:
      return "as fast, no cheaper";
    case Rejected::fewer_checkpoints:
      return "fewer checkpoints";
    case Rejected::does_not_fit:
      return "does not fit";
    case Rejected::not_possible:
      return "not possible";
    case Rejected::fault:
      break;
  }
  return "fault of gpufeed";
}

std::string rejected_text(const std::vector<RejectedChange>& changes) {
  if (changes.empty()) return "";
  std::string out = "Not proposed\n";
  for (const RejectedChange& change : changes) {
    std::string verdict = verdict_text(change);
    constexpr double kLeastTold = 0.00005;
    if (change.gain)
      verdict +=
          fmt::format(": {} +- {} %",
                      std::abs(*change.gain) < kLeastTold ? "0 %" : signed_percent(*change.gain),
                      text_number(100 * change.noise.value_or(0), 2));
    out += labeled("  ", change.change, 2) +
           labeled("", verdict + (change.cause.empty() ? "" : "; " + change.cause), 4);
  }
  return out + "\n";
}

std::string tally(const WhatIf& report) {
  std::string faults;
  for (const auto& fault : report.faults) faults += item("Fault of gpufeed", fault);
  return item("Tried", tally_text(report)) + faults;
}

}  // namespace

std::string signed_percent(double share) {
  constexpr double kNothing = 1e-5;
  const double shown = std::abs(share) < kNothing ? 0 : share;
  return (shown < 0 ? "-" : "+") + text_number(100 * std::abs(shown), 3) + " %";
}

std::string signed_number(const std::optional<double>& value) {
  if (!value) return std::string(kUnknown);
  return *value == 0 ? "0" : (*value < 0 ? "-" : "+") + text_number(std::abs(*value), 4);
}

std::string tally_text(const WhatIf& report) {
  std::string out = fmt::format(
      "{} changes, each in one run of the same random numbers (simulate may tell the mean of "
      "several)",
      report.tried);
  const auto add = [&](std::string_view what, std::int64_t count) {
    if (count > 0) out += fmt::format("; {}: {}", what, count);
  };
  add("cannot be faster, as what binds stays, so not simulated", report.bounded);
  add("no difference beyond the noise of its own two runs", report.no_change);
  add("slower", report.worse);
  add("no more than a cheaper or smaller one of its kind", report.outdone);
  add("fewer checkpoints",
      std::ranges::count(report.rejected, Rejected::fewer_checkpoints, &RejectedChange::verdict));
  add("not held by the GPUs' memory",
      std::ranges::count(report.rejected, Rejected::does_not_fit, &RejectedChange::verdict));
  add("beside these, not for this machine or job", report.refused);
  return out;
}

std::string result_gain_text(const WhatIfRow& row, const WhatIfFigures& now) {
  if (std::abs(row.gain - row.throughput_gain) <= row.noise) return "";
  const bool same = std::abs(row.throughput_gain) <= row.noise;
  return fmt::format("the result in {} instead of {}; the throughput {}",
                     time_text(row.after.time_to_result_s), time_text(now.time_to_result_s),
                     same ? "stays" : signed_percent(row.throughput_gain));
}

std::string chance_text(const WhatIfRow& row) {
  return row.chance ? fmt::format("faster with a chance of {}", percent(*row.chance)) : "";
}

std::string set_option(const std::string& set) { return "--set " + shell_word(set); }

std::string to_text(const Elasticity& elasticity, const WhatIf& settings) {
  std::string out = "\nWhat 10 % more of each would give\n";
  for (const auto& lever : elasticity.levers) out += lever_row(lever);
  out += binding_sentence(elasticity);
  if (settings.rows.empty())
    return out + item("Settings", fmt::format("none of {} tried gives more", settings.tried));
  out += "Settings that cost nothing\n";
  for (std::size_t i = 0; i < std::min(kSettingsShown, settings.rows.size()); ++i) {
    const WhatIfRow& row = settings.rows[i];
    out += labeled(fmt::format("  {:>8}  ", signed_percent(row.gain)), row.change, 12);
    for (const auto& set : row.sets) out += fmt::format("{:12}{}\n", "", set_option(set));
  }
  return out;
}

std::string held_back_text(const WhatIf& report) {
  if (report.bottleneck_why.empty()) return report.bottleneck;
  return report.bottleneck + ": " + report.bottleneck_why;
}

namespace {

constexpr const char* kOfChance =
    "that a change is indeed faster, by how well values and the model are known; an error that "
    "both share moves both alike";

bool has_chance(const WhatIf& report) {
  for (const auto* rows : {&report.fitting, &report.rows, &report.altering})
    if (std::ranges::any_of(*rows, [](const WhatIfRow& row) { return row.chance.has_value(); }))
      return true;
  return false;
}

}  // namespace

std::string to_text(const WhatIf& report, std::optional<std::size_t> most, bool why_not) {
  std::string out = labeled("", report.title, 0) + "\n" + item("Now", figures(report.now)) +
                    item("Held back by", held_back_text(report)) + "\n";
  if (!report.does_not_fit.empty())
    out += item("Does not fit", report.does_not_fit + "; all figures are as if it did") + "\n";
  out += rows_text("With which it fits", report.fitting, report.now, most);
  if (report.rows.empty()) out += "No change that was tried makes it faster.\n\n";
  out += rows_text(report.fitting.empty() ? "" : "Faster, if it fitted", report.rows, report.now,
                   most) +
         rows_text("Other training, and so another result, whose accuracy has to be tried",
                   report.altering, report.now, most) +
         rows_text("As fast, for less money", report.savings, report.now, most);
  if (why_not) out += rejected_text(report.rejected);
  if (has_chance(report)) out += item("Chance", kOfChance);
  return out + tally(report);
}

}  // namespace gpufeed
