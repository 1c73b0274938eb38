// SPDX-License-Identifier: Apache-2.0
#include "ui/model/show/serving_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reports/writers/engine_text.h"
#include "reports/writers/layout.h"
#include "sim/base/units.h"

namespace gpufeed::ui {
namespace {

using serving::Answer;
using serving::GoalTime;
using serving::Latency;

std::string number(double value) { return text_number(value, 3); }

ServingCard time_card(const Answer& answer, const char* name, GoalTime time, double value,
                      const serving::Interval* range) {
  ServingCard card{name, time_text(value), ""};
  if (range && range->high > 0)
    card.note = fmt::format("likely {} to {}", time_text(range->low), time_text(range->high));
  for (const auto& term : answer.goal)
    if (term.time == time) {
      card.misses = !term.met;
      card.note = fmt::format("{}, at most {}{}{}", term.met ? "met" : "missed",
                              time_text(term.asked_s), card.note.empty() ? "" : "; ", card.note);
    }
  return card;
}

std::vector<ServingCard> cards_of(const Answer& answer) {
  std::vector<ServingCard> out{
      time_card(answer, "TTFT 95 %", GoalTime::ttft_p95, answer.ttft_s.p95,
                &answer.ttft_p95_range_s),
      time_card(answer, "ITL 95 %", GoalTime::itl_p95, answer.itl_s.p95, nullptr),
      time_card(answer, "E2E 95 %", GoalTime::e2e_p95, answer.e2e_s.p95, nullptr),
      {answer.has_goal ? "Goodput" : "Requests", number(answer.goodput_per_s) + " /s",
       answer.goal_met ? fmt::format("{} of the requests are in time", percent(*answer.goal_met))
                       : "no goal is set"},
      {"Tokens", number(answer.tokens_per_s) + " /s",
       answer.usd_per_mtokens
           ? fmt::format("{}{} USD for 10^6", answer.without_price.empty() ? "" : "at least ",
                         number(*answer.usd_per_mtokens))
           : "no price is known"},
      {"GPUs", fmt::format("{}", answer.gpus), percent(answer.gpu_busy) + " busy"}};
  if (answer.meets_chance)
    out[3].note += fmt::format("; {} that all is met", percent(*answer.meets_chance));
  return out;
}

ServingTable times_of(const Answer& answer) {
  ServingTable table{"How long answers take", {"", "mean", "median", "95 %", "99 %"}};
  const auto row = [&](const char* name, const Latency& one) {
    table.rows.push_back(
        {name, time_text(one.mean), time_text(one.p50), time_text(one.p95), time_text(one.p99)});
  };
  row("first token (TTFT)", answer.ttft_s);
  row("between two (ITL)", answer.itl_s);
  row("whole answer (E2E)", answer.e2e_s);
  return table;
}

ServingTable tiers_of(const Answer& answer) {
  ServingTable table{"Where KV caches were found",
                     {"", "found", "holds", "read", "written", "at work", "a read waits"}};
  table.rows.push_back({"GPUs", percent(answer.gpu_hit_share),
                        text(Bytes{answer.kv_most * static_cast<double>(answer.kv_tokens)}, 3), "",
                        "", percent(answer.gpu_busy), ""});
  table.rows.back()[2] = percent(answer.kv_most) + " at most";
  for (const auto& tier : answer.tiers)
    table.rows.push_back({tier.name, percent(tier.hit_share), text(Bytes{tier.held_B}, 3),
                          text(Bytes{tier.bytes_read_B}, 3), text(Bytes{tier.bytes_written_B}, 3),
                          percent(tier.load), time_text(tier.mean_wait_s)});
  return table;
}

ServingTable changes_of(const Answer& answer) {
  ServingTable table{"With more of something",
                     {"", "USD", "TTFT 95 %", "ITL 95 %",
                      answer.has_goal ? "in time/s" : "requests/s", "USD for 10^6"}};
  const auto value = [](const std::optional<double>& one, int digits) {
    return one ? text_number(*one, digits) : std::string("not known");
  };
  for (const auto& one : answer.what_if)
    table.rows.push_back({one.change, value(one.price_change_USD, 15), time_text(one.ttft_p95_s),
                          time_text(one.itl_p95_s), number(one.goodput_per_s),
                          value(one.usd_per_mtokens, 3)});
  return table;
}

std::vector<std::string> words_of(const Answer& answer) {
  std::vector<std::string> out{"Held back by " + bottleneck_text(answer)};
  if (answer.overloaded)
    out.emplace_back("More comes than is answered: waiting grows as long as this goes on.");
  for (const auto& tier : answer.tiers)
    if (tier.worse_than_computing)
      out.push_back(tier.name + " is slower than computing prompts again: worse than none.");
  out.push_back("Ranges are " + basis_text(answer) + ".");
  std::vector<std::string> why;
  for (const auto one : answer.unmeasured) why.push_back(unmeasured_text(one));
  if (!why.empty())
    out.push_back(
        fmt::format("Extrapolated: little or nothing is measured of {}.", fmt::join(why, "; ")));
  if (!answer.without_price.empty()) out.push_back("Not in any price: " + answer.without_price);
  return out;
}

}  // namespace

ServingPage serving_page(const Answer& answer) {
  ServingPage page{cards_of(answer), {times_of(answer), tiers_of(answer)}, words_of(answer)};
  if (!answer.what_if.empty()) page.tables.push_back(changes_of(answer));
  return page;
}

}  // namespace gpufeed::ui
