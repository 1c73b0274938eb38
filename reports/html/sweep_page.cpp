// SPDX-License-Identifier: Apache-2.0
#include "reports/html/sweep_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "reports/html/chart.h"
#include "reports/html/markup.h"
#include "reports/writers/key_words.h"
#include "reports/writers/layout.h"
#include "reports/writers/terms.h"
#include "sim/base/units.h"

namespace gpufeed::html {
namespace {

constexpr std::size_t kMostLines = 6;
constexpr std::size_t kMostRows = 1000;

using Value = std::function<double(const SweptPoint&)>;

std::optional<double> number_in(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

std::vector<std::string> values_of(const SweptPoints& swept, std::size_t axis) {
  std::vector<std::string> values;
  for (const SweptPoint& point : swept.points)
    if (!std::ranges::count(values, point.values[axis])) values.push_back(point.values[axis]);
  return values;
}

std::string price_of(const SweptPoint& point) {
  if (!point.price_USD) return "";
  return (point.price_lacks_parts ? "at least " : "") + text_number(*point.price_USD, 15);
}
std::string power_of(const SweptPoint& point) {
  if (!point.power_W) return "";
  return (point.power_lacks_parts ? "at least " : "") + text_number(*point.power_W);
}

std::string busy_name(const SweptPoints& swept) {
  return swept.are_served ? "GPUs busy" : std::string(term::kGpuUtilization);
}
std::string rate_name(const SweptPoints& swept) {
  return swept.are_served ? "Requests answered, within the goal where there is one"
                          : std::string(term::kJobRate);
}

std::string words_of(const SweptPoints& swept, const SweptPoint& point) {
  std::string out;
  for (std::size_t axis = 0; axis < swept.axes.size(); ++axis)
    out += fmt::format("{} {}, ", swept.axes[axis], point.values[axis]);
  out += fmt::format("{} {}, {} {}", text_number(point.samples_per_s), swept.rate_unit(),
                     busy_name(swept), percent(point.gpus_busy));
  if (point.ttft_p95_s) out += ", TTFT 95 % " + time_text(*point.ttft_p95_s);
  if (point.price_USD) out += fmt::format(", {} USD", price_of(point));
  if (point.meets) out += ", meets the constraints";
  return out;
}

/// Over the first axis; with more than two axes, points instead of lines.
Chart over_first_axis(const SweptPoints& swept, const std::string& name, const Value& value) {
  Chart chart{name + " over " + swept.axes.front(), swept.axes.front(), name, {}, {}, true};
  const auto first = values_of(swept, 0);
  const bool numbers =
      std::ranges::all_of(first, [](const auto& v) { return number_in(v).has_value(); });
  if (!numbers) chart.categories = first;
  const auto second = swept.axes.size() > 1 ? values_of(swept, 1) : std::vector<std::string>{""};
  const bool lines = swept.axes.size() <= 2 && second.size() <= kMostLines;
  for (const auto& other : lines ? second : std::vector<std::string>{""}) {
    Series series{other.empty() ? "" : swept.axes[1] + " " + other, {}, lines};
    for (const SweptPoint& point : swept.points) {
      if (lines && swept.axes.size() > 1 && point.values[1] != other) continue;
      const auto category = std::ranges::find(first, point.values[0]) - first.begin();
      series.points.push_back(
          {numbers ? *number_in(point.values[0]) : static_cast<double>(category), value(point),
           words_of(swept, point)});
    }
    std::ranges::stable_sort(series.points, {}, &ChartPoint::x);
    chart.series.push_back(std::move(series));
  }
  return chart;
}

std::string price_chart(const SweptPoints& swept) {
  const auto front = cheapest_for_rate(swept.points);
  Series all{"points", {}, false}, meeting{"meet the constraints", {}, false};
  for (const SweptPoint& point : swept.points) {
    if (!point.price_USD) continue;
    all.points.push_back({*point.price_USD, point.samples_per_s, words_of(swept, point)});
    if (point.meets) meeting.points.push_back(all.points.back());
  }
  if (all.points.empty()) return "";
  const auto [least, most] = std::ranges::minmax(all.points, {}, &ChartPoint::x);
  if (least.x == most.x) return "";
  Series best{"none has a greater rate at as low a price", {}, true};
  for (const std::size_t i : front)
    best.points.push_back({*swept.points[i].price_USD, swept.points[i].samples_per_s,
                           words_of(swept, swept.points[i]), true});
  const std::string title =
      swept.are_served ? "Price against requests in time" : "Price against the job's rate";
  Chart chart{title, "price in USD", swept.rate_unit(), {}, {all, best}, false};
  if (!meeting.points.empty()) chart.series.push_back(std::move(meeting));
  std::string out = chart.markup();
  if (std::ranges::any_of(swept.points, &SweptPoint::price_lacks_parts))
    out += element(
        "p", "Prices are at least these: some parts have none (the table tells of which points).");
  return section("price", title, out);
}

Table points_table(const SweptPoints& swept) {
  const bool constrained = !swept.constraints.empty();
  Table table{"Points", swept.axes, {}, swept.axes.size() + (constrained ? 3 : 1)};
  if (constrained) table.columns.insert(table.columns.end(), {"meets", "chance"});
  for (const std::string& column :
       {std::string("bottleneck"), std::string(swept.rate_unit()), busy_name(swept),
        std::string("price, USD"), std::string("power, W")})
    table.columns.push_back(column);
  if (swept.are_served) table.columns.emplace_back("TTFT 95 %");
  for (const SweptPoint& point : swept.points) {
    if (table.rows.size() == kMostRows) break;
    auto row = point.values;
    if (constrained)
      row.insert(row.end(),
                 {point.meets ? "yes" : "no", point.chance ? percent(*point.chance) : ""});
    row.insert(row.end(), {point.bottleneck, text_number(point.samples_per_s),
                           percent(point.gpus_busy), price_of(point), power_of(point)});
    if (point.ttft_p95_s) row.push_back(time_text(*point.ttft_p95_s));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string constraints_of(const SweptPoints& swept) {
  if (swept.constraints.empty()) return "";
  std::vector<std::string> words;
  for (const std::string& one : swept.constraints) words.push_back(condition_in_words(one));
  const auto meeting = std::ranges::count_if(swept.points, &SweptPoint::meets);
  return element("p", fmt::format("{} of them meet {}", meeting, fmt::join(words, " and ")));
}

/// The best first: the cheapest that meet what is asked, else the front of price and rate; where
/// nothing has a price, the fastest.
std::vector<const SweptPoint*> best_of(const SweptPoints& swept) {
  std::vector<const SweptPoint*> best;
  for (const SweptPoint& point : swept.points)
    if (swept.constraints.empty() || point.meets) best.push_back(&point);
  const auto rank = [](const SweptPoint* one) {
    return std::pair{one->price_USD.value_or(std::numeric_limits<double>::infinity()),
                     -one->samples_per_s};
  };
  if (!swept.constraints.empty()) {
    std::ranges::stable_sort(best, {}, rank);
    return best;
  }
  if (const auto front = cheapest_for_rate(swept.points); !front.empty()) {
    best.clear();
    for (const std::size_t i : front) best.push_back(&swept.points[i]);
  }
  std::ranges::stable_sort(best, std::ranges::greater{}, &SweptPoint::samples_per_s);
  return best;
}

std::string lead(const SweptPoints& swept, const std::vector<const SweptPoint*>& best) {
  if (best.empty()) return "No point meets what is asked.";
  const bool asked = !swept.constraints.empty();
  const char* const which = !asked                    ? "The fastest: "
                            : best.front()->price_USD ? "The cheapest that meets what is asked: "
                                                      : "The fastest that meets what is asked: ";
  return which + words_of(swept, *best.front()) + ".";
}

/// What one signs: the best of them, and those next to it.
std::string answer(const SweptPoints& swept) {
  const auto best = best_of(swept);
  std::string out = element("p", lead(swept, best), "class='lead'");
  constexpr std::size_t kShown = 12;
  SweptPoints shown = swept;
  shown.points.clear();
  for (const SweptPoint* const one : best)
    if (shown.points.size() < kShown) shown.points.push_back(*one);
  if (shown.points.size() > 1)
    out += element("h3", swept.constraints.empty() ? "None is as fast for less"
                                                   : "All that meet it, the cheapest first") +
           points_table(shown).markup();
  return out;
}

}  // namespace

std::vector<std::size_t> cheapest_for_rate(const std::vector<SweptPoint>& points) {
  const auto is_whole = [](const SweptPoint& point) {
    return point.price_USD && !point.price_lacks_parts;
  };
  const bool some_whole = std::ranges::any_of(points, is_whole);
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (some_whole ? is_whole(points[i]) : points[i].price_USD.has_value()) order.push_back(i);
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return std::pair{*points[a].price_USD, -points[a].samples_per_s} <
           std::pair{*points[b].price_USD, -points[b].samples_per_s};
  });
  std::vector<std::size_t> front;
  for (const std::size_t i : order)
    if (front.empty() || points[i].samples_per_s > points[front.back()].samples_per_s)
      front.push_back(i);
  return front;
}

std::string to_html(const SweptPoints& given, const PageHead& head) {
  SweptPoints swept = given;
  for (std::string& axis : swept.axes) axis = key_in_words(axis);
  std::string body;
  const auto count = swept.points.size();
  std::string told = fmt::format("{} points over {}", count, fmt::join(swept.axes, ", "));
  if (swept.failed > 0) told += fmt::format("; {} more have no result", swept.failed);
  body += "<div class='first'>" +
          section("sweep", "The answer",
                  element("p", told) + constraints_of(swept) +
                      (count > 0 ? answer(swept) : std::string())) +
          "</div>\n";
  if (count > 0 && !swept.axes.empty()) {
    body += section("rate", rate_name(swept),
                    over_first_axis(swept, swept.rate_unit(), [](const SweptPoint& p) {
                      return p.samples_per_s;
                    }).markup());
    if (swept.are_served)
      body += section("first", "Time to the first token",
                      over_first_axis(swept, "TTFT 95 %, s", [](const SweptPoint& p) {
                        return p.ttft_p95_s.value_or(0);
                      }).markup());
    body += section("busy", busy_name(swept),
                    over_first_axis(swept, busy_name(swept) + ", %", [](const SweptPoint& p) {
                      return 100 * p.gpus_busy;
                    }).markup());
    body += price_chart(swept);
  }
  if (count > kMostRows)
    body +=
        element("p", fmt::format("The table has the first {} points; --csv has all.", kMostRows));
  return page(head, body + section("points", "Points", points_table(swept).markup()));
}

}  // namespace gpufeed::html
