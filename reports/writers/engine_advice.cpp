// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "reports/writers/engine_text.h"
#include "reports/writers/layout.h"
#include "sim/base/units.h"

// Other screens have rows of these names, too.
namespace gpufeed::engine_advice {
namespace {

using serving::Answer;
using serving::WhatIf;

constexpr std::size_t kIndent = 14;
constexpr double kLikely = 0.5;

bool is_goal_met(const Answer& answer) {
  return answer.has_goal &&
         std::ranges::all_of(answer.goal, [](const auto& term) { return term.met; });
}

double price_of(const WhatIf& one) {
  return one.price_change_USD.value_or(std::numeric_limits<double>::infinity());
}

std::string price_words(const WhatIf& one) {
  if (!one.price_change_USD) return "for a price that is not known";
  const double price = *one.price_change_USD;
  if (price == 0) return "for nothing";
  return fmt::format("{} {} USD{}", price < 0 ? "saves" : "for",
                     text_number(std::round(std::abs(price)), 15),
                     one.power_change_W && *one.power_change_W != 0
                         ? fmt::format(" and {} {}", text(Power{std::abs(*one.power_change_W)}, 3),
                                       *one.power_change_W < 0 ? "less" : "more")
                         : "");
}

std::string gives(const Answer& now, const WhatIf& one) {
  std::string out = fmt::format("{}, {}: TTFT 95 % {} instead of {}", one.change, price_words(one),
                                time_text(one.ttft_p95_s), time_text(now.ttft_s.p95));
  if (now.has_goal)
    out += fmt::format(", {} requests a second within the goal instead of {}",
                       text_number(one.goodput_per_s, 3), text_number(now.goodput_per_s, 3));
  return out;
}

std::string sure(const Answer& now, const WhatIf& one) {
  std::string out;
  if (one.better)
    out = fmt::format("{} that it is better than now{}", percent(*one.better),
                      now.has_goal ? " (goodput)" : " (TTFT 95 %)");
  if (one.meets_chance)
    out += fmt::format("{}{} that all of the goal is met", out.empty() ? "" : ", ",
                       percent(*one.meets_chance));
  return out;
}

const WhatIf* cheapest(const std::vector<const WhatIf*>& some) {
  const auto best = std::ranges::min_element(some, [](const WhatIf* a, const WhatIf* b) {
    if (price_of(*a) != price_of(*b)) return price_of(*a) < price_of(*b);
    return a->goodput_per_s > b->goodput_per_s;
  });
  return best == some.end() ? nullptr : *best;
}

template <class Is>
std::vector<const WhatIf*> those(const Answer& answer, const Is& is) {
  std::vector<const WhatIf*> out;
  for (const WhatIf& one : answer.what_if)
    if (is(one)) out.push_back(&one);
  return out;
}

/// Of those that would do, what cannot be called cheaper or dearer.
std::string unpriced_row(const std::vector<const WhatIf*>& some, const WhatIf* taken) {
  std::vector<std::string> names;
  for (const WhatIf* const one : some)
    if (!one->price_change_USD && one != taken) names.push_back(one->change);
  if (names.empty()) return "";
  return labeled(
      "Left out",
      fmt::format("{}: would do, too, for a price that is not known", fmt::join(names, "; ")),
      kIndent);
}

/// What keeps to the goal already, and may do so for less.
std::string of_met(const Answer& answer) {
  std::string out = labeled("Buy", "nothing: the goal is met as it is", kIndent);
  const WhatIf* const less = cheapest(those(answer, [](const WhatIf& one) {
    return one.meets && one.meets_chance.value_or(0) >= kLikely && price_of(one) < 0;
  }));
  if (!less) return out;
  out += labeled("Save", gives(answer, *less), kIndent);
  return out + labeled("How sure", sure(answer, *less), kIndent);
}

std::string of_missed(const Answer& answer) {
  const auto is_better = [](const WhatIf& one) { return one.better.value_or(0) >= kLikely; };
  const auto enough =
      those(answer, [&](const WhatIf& some) { return some.meets && is_better(some); });
  if (const WhatIf* const one = cheapest(enough))
    return labeled(price_of(*one) > 0 ? "Buy" : "Set", gives(answer, *one), kIndent) +
           labeled("How sure", sure(answer, *one), kIndent) + unpriced_row(enough, one);
  auto better = those(answer, is_better);
  if (better.empty())
    return labeled("Buy", "none of these alone meets the goal, and none is likely to be better",
                   kIndent);
  const WhatIf* const most =
      *std::ranges::max_element(better, {}, [](const WhatIf* one) { return one->goodput_per_s; });
  return labeled("Buy",
                 "none of these alone meets the goal (gpufeed recommend tries several at a time); "
                 "the most comes of " +
                     gives(answer, *most),
                 kIndent) +
         labeled("How sure", sure(answer, *most), kIndent);
}

std::string without_goal(const Answer& answer) {
  const auto better =
      those(answer, [](const WhatIf& one) { return one.better.value_or(0) >= kLikely; });
  std::string out =
      labeled("Buy", "what is enough, serving.goal = { ttft_p95 = \"2 s\" } would say", kIndent);
  if (better.empty()) return out;
  const WhatIf* const most =
      *std::ranges::min_element(better, {}, [](const WhatIf* one) { return one->ttft_p95_s; });
  return out + labeled("Best", gives(answer, *most), kIndent) +
         labeled("How sure", sure(answer, *most), kIndent);
}

std::string now_row(const Answer& answer) {
  std::string out = fmt::format("TTFT 95 % {}, ITL 95 % {}", time_text(answer.ttft_s.p95),
                                time_text(answer.itl_s.p95));
  std::vector<std::string> missed;
  for (const auto& term : answer.goal)
    if (!term.met)
      missed.push_back(
          fmt::format("{} of at most {}", name_of(term.time), time_text(term.asked_s)));
  if (!missed.empty()) out += fmt::format("; missed: {}", fmt::join(missed, ", "));
  if (answer.has_goal && missed.empty()) out += "; the goal is met";
  if (answer.meets_chance)
    out += fmt::format(", {} that all of it is met", percent(*answer.meets_chance));
  return labeled("Now", out, kIndent);
}

std::string price_cell(const std::optional<double>& price) {
  if (!price) return "?";
  return (*price > 0 ? "+" : "") + text_number(std::round(*price), 15);
}

std::string table(const Answer& answer) {
  constexpr std::size_t kName = 37;
  const bool goal = answer.has_goal;
  std::string out = fmt::format("\n{:<{}}{:>9}{:>10}{:>10}{:>11}{:>8}{:>7}{}\n", "Change", kName,
                                "USD", "TTFT 95 %", "ITL 95 %", goal ? "goodput/s" : "requests/s",
                                "USD/M", "better", goal ? "   goal" : "");
  const auto share = [](const std::optional<double>& one) { return one ? percent(*one) : "-"; };
  const auto row = [&](std::string_view name, const std::string& price, double ttft, double itl,
                       double good, const std::optional<double>& cost, const std::string& better,
                       const std::optional<double>& meets) {
    out += fmt::format("{:<{}}{:>9}{:>10}{:>10}{:>11}{:>8}{:>7}{}\n", clipped(name, kName - 1),
                       kName, price, time_text(ttft), time_text(itl), text_number(good, 3),
                       cost ? text_number(*cost, 3) : "-", better,
                       goal ? fmt::format("{:>7}", share(meets)) : "");
  };
  row("as it is", "", answer.ttft_s.p95, answer.itl_s.p95, answer.goodput_per_s,
      answer.usd_per_mtokens, "", answer.meets_chance);
  for (const WhatIf& one : answer.what_if)
    row(one.change, price_cell(one.price_change_USD), one.ttft_p95_s, one.itl_p95_s,
        one.goodput_per_s, one.usd_per_mtokens, share(one.better), one.meets_chance);
  out += fmt::format("USD/M: for 10^6 tokens generated; better: chance that {}{}\n",
                     goal ? "goodput is higher" : "the first token of 95 % comes sooner",
                     goal ? "; goal: that all its times are met" : "");
  for (const WhatIf& one : answer.what_if)
    if (!one.set.empty()) out += fmt::format("{}: --set '{}'\n", one.change, one.set);
  return out;
}

}  // namespace

std::string screen_of(const Answer& answer) {
  std::string out =
      "What if: " + (answer.title.empty() ? "serving " + answer.model : answer.title) + "\n\n" +
      now_row(answer) + labeled("Bottleneck", bottleneck_text(answer), kIndent);
  out += is_goal_met(answer) ? of_met(answer)
         : answer.has_goal   ? of_missed(answer)
                             : without_goal(answer);
  std::vector<std::string> why;
  for (const auto one : answer.unmeasured) why.push_back(unmeasured_text(one));
  std::string basis = "chances are shares " + basis_text(answer);
  if (!why.empty())
    basis += fmt::format("; little or nothing is measured of {}", fmt::join(why, "; "));
  out += labeled("Basis", basis, kIndent);
  if (!answer.without_price.empty())
    out += labeled("Not counted", "the price of " + answer.without_price, kIndent);
  return out + table(answer);
}

}  // namespace gpufeed::engine_advice

namespace gpufeed {

std::string advice_text(const serving::Answer& answer) { return engine_advice::screen_of(answer); }

}  // namespace gpufeed
