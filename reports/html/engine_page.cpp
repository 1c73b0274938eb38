// SPDX-License-Identifier: Apache-2.0
#include "reports/html/engine_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "reports/html/bars.h"
#include "reports/html/chart.h"
#include "reports/html/markup.h"
#include "reports/writers/engine_text.h"
#include "reports/writers/layout.h"
#include "sim/base/units.h"

namespace gpufeed::html {
namespace {

using serving::Latency;
using serving::Span;

std::string times_of(const serving::Answer& answer) {
  Table table{"Times", {"", "mean", "median", "95 %", "99 %", "goal"}, {}, 1};
  static constexpr std::array kFigures{"mean", "median", "95 %", "99 %"};
  const auto row = [&](const char* name, Span span, const Latency& one) {
    std::string goal;
    for (const auto& term : answer.goal)
      if (span_of(term.time) == span)
        goal += fmt::format("{}{} at most {}: {}", goal.empty() ? "" : "; ",
                            kFigures.at(static_cast<std::size_t>(figure_of(term.time))),
                            time_text(term.asked_s), term.met ? "met" : "missed");
    table.rows.push_back({name, time_text(one.mean), time_text(one.p50), time_text(one.p95),
                          time_text(one.p99), goal.empty() ? "none" : goal});
  };
  row("first token", Span::ttft, answer.ttft_s);
  row("between two", Span::itl, answer.itl_s);
  row("whole answer", Span::e2e, answer.e2e_s);
  return table.markup();
}

std::string kv_of(const serving::Answer& answer) {
  Chart chart{"KV caches on GPUs over time", "time, s", "in use, %", {}, {}, true};
  Series series{"", {}, true};
  for (std::size_t i = 0; i < answer.kv_over_time.size(); ++i) {
    const double at = (static_cast<double>(i) + 0.5) * answer.kv_part_s;
    series.points.push_back(
        {at, 100 * answer.kv_over_time[i],
         fmt::format("{} in use about {}", percent(answer.kv_over_time[i]), time_text(at))});
  }
  chart.series.push_back(std::move(series));
  return chart.markup();
}

std::string tiers_of(const serving::Answer& answer) {
  std::string bars;
  const auto bar = [&](const std::string& name, const char* note, const char* color, double share) {
    bars += bar_row({name, note, {{share, color, percent(share)}}, percent(share)});
  };
  bar("GPUs", "found there, of all tokens of prompts", "compute", answer.gpu_hit_share);
  for (const auto& tier : answer.tiers) {
    bar(tier.name, "found there, of all tokens of prompts", "compute", tier.hit_share);
    bar(tier.name, "at work, of the time", "storage", tier.load);
  }
  Table table{
      "Tiers below the GPUs",
      {"tier", "holds", "of", "gives", "read", "written", "a read waits", "worse than computing"},
      {},
      1};
  for (const auto& tier : answer.tiers)
    table.rows.push_back({tier.name, text(Bytes{tier.held_B}, 3), text(Bytes{tier.capacity_B}, 3),
                          text(Bandwidth{tier.read_Bps}, 3), text(Bytes{tier.bytes_read_B}, 3),
                          text(Bytes{tier.bytes_written_B}, 3), time_text(tier.mean_wait_s),
                          tier.worse_than_computing ? "yes" : "no"});
  return bars + (answer.tiers.empty() ? "" : table.markup());
}

std::string what_if_of(const serving::Answer& answer) {
  Table table{"What if",
              {"change", "USD", "TTFT 95 %", "ITL 95 %",
               answer.has_goal ? "goodput/s" : "requests/s", "USD for 10^6 tokens"},
              {},
              1};
  const auto number = [](const std::optional<double>& value) {
    return value ? text_number(*value, 6) : std::string("not known");
  };
  for (const auto& one : answer.what_if)
    table.rows.push_back({one.change, number(one.price_change_USD), time_text(one.ttft_p95_s),
                          time_text(one.itl_p95_s), text_number(one.goodput_per_s, 3),
                          one.usd_per_mtokens ? text_number(*one.usd_per_mtokens, 3) : "-"});
  return table.markup();
}

/// Each change as a bar of requests in time, then what it costs and how sure it is.
std::string changes_of(const serving::Answer& answer) {
  double most = answer.goodput_per_s;
  for (const auto& one : answer.what_if) most = std::max(most, one.goodput_per_s);
  const auto bar = [&](const std::string& name, const std::string& note, double value) {
    const std::string words =
        text_number(value, 3) + (answer.has_goal ? " requests/s in time" : " requests/s");
    return bar_row({name, note, {{most > 0 ? value / most : 0, "compute", words}}, words});
  };
  std::string bars = bar("as it is", "", answer.goodput_per_s);
  Table table{"Changes", {"change", "option", "USD", "TTFT 95 %", "ITL 95 %", "better"}, {}, 2};
  if (answer.has_goal) table.columns.emplace_back("goal met");
  const auto share = [](const std::optional<double>& value) {
    return value ? percent(*value) : std::string("not tried");
  };
  for (const auto& one : answer.what_if) {
    bars += bar(one.change, "", one.goodput_per_s);
    table.rows.push_back(
        {one.change, one.set.empty() ? "" : "--set '" + one.set + "'",
         one.price_change_USD ? text_number(*one.price_change_USD, 15) : std::string("not known"),
         time_text(one.ttft_p95_s), time_text(one.itl_p95_s), share(one.better)});
    if (answer.has_goal) table.rows.back().push_back(share(one.meets_chance));
  }
  return bars + table.markup();
}

}  // namespace

std::string advice_html(const serving::Answer& answer, const PageHead& head) {
  return page(
      head,
      section("changes", "With more of something, one at a time", changes_of(answer)) +
          section("words", "In words",
                  scrolling("the screen of gpufeed whatif", element("pre", advice_text(answer)))));
}

std::string to_html(const serving::Answer& answer, const PageHead& head) {
  std::string body = section("times", "How long answers take", times_of(answer)) +
                     section("found", "Where KV caches were found", tiers_of(answer)) +
                     section("kv", "KV caches over time", kv_of(answer));
  if (!answer.what_if.empty())
    body += section("whatif", "With more of something", what_if_of(answer));
  return page(head, body + section("words", "In words",
                                   scrolling("the screen of gpufeed simulate",
                                             element("pre", to_text(answer)))));
}

}  // namespace gpufeed::html
