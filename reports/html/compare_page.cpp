// SPDX-License-Identifier: Apache-2.0
#include "reports/html/compare_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "reports/html/bars.h"
#include "reports/html/first_page.h"
#include "reports/html/markup.h"
#include "reports/writers/comparison_text.h"
#include "reports/writers/key_words.h"
#include "reports/writers/layout.h"
#include "reports/writers/terms.h"
#include "sim/base/units.h"

namespace gpufeed::html {
namespace {

/// By its title, and where another one has the same, its file.
std::string named(const SideBySide& comparison, std::size_t i) {
  const ComparedRow& own = comparison.rows[i];
  const bool alone = std::ranges::count(comparison.rows, own.title, &ComparedRow::title) < 2;
  const std::string file = std::filesystem::path(own.file).stem().string();
  return scenario_letter(i) + ": " + own.title + (alone || file.empty() ? "" : " (" + file + ")");
}

/// What a difference is of, in words.
std::string subject(const Difference& one) {
  if (!one.part.empty()) return "links of " + one.part;
  return one.title.empty() ? key_in_words(one.name) : one.title;
}

std::string differences(const SideBySide& comparison) {
  if (comparison.differences.empty()) return element("p", "No key, part or way differs.");
  Table table{"What differs", {"what"}, {}, comparison.rows.size() + 1};
  for (std::size_t i = 0; i < comparison.rows.size(); ++i)
    table.columns.push_back(named(comparison, i));
  for (const Difference& difference : comparison.differences) {
    std::vector<std::string> row{subject(difference)};
    for (auto& value : shown_values(difference)) row.push_back(std::move(value));
    table.rows.push_back(std::move(row));
  }
  return table.markup();
}

/// Rates as bars, and what goes with them.
std::string training(const SideBySide& comparison) {
  double most = 0;
  for (const ComparedRow& row : comparison.rows)
    if (trains(row)) most = std::max(most, row.job_samples_per_s);
  std::string bars;
  Table table{"What comes of it",
              {"scenario", "bottleneck", "samples/s", std::string(term::kGpuUtilization),
               "time to result", "price", "power", "cost an hour", "cost of 1M samples"},
              {},
              2};
  for (std::size_t i = 0; i < comparison.rows.size(); ++i) {
    const ComparedRow& row = comparison.rows[i];
    const std::string rate = rate_text(row) + " samples/s" +
                             (row.job_tokens_per_s ? ", " + tokens_text(row) + " tokens/s" : "");
    if (trains(row) && most > 0)
      bars += bar_row({named(comparison, i),
                       row.bottleneck,
                       {{row.job_samples_per_s / most, "compute", rate}},
                       fmt::format("{}, {} {}", rate, term::kGpuUtilization, busy_text(row))});
    table.rows.push_back({named(comparison, i), row.bottleneck, rate_text(row), busy_text(row),
                          result_time_text(row), price_text(row), power_text(row),
                          cost_text(row, row.per_hour_USD),
                          cost_text(row, row.job_per_million_samples_USD)});
  }
  return bars + table.markup();
}

/// Of what trains nothing.
std::string own_figures(const SideBySide& comparison) {
  Table table{"Figures of each", {"figure"}, {}, comparison.rows.size() + 1};
  for (std::size_t i = 0; i < comparison.rows.size(); ++i)
    table.columns.push_back(named(comparison, i));
  const auto add = [&](const std::string& name, const auto& cell) {
    std::vector<std::string> row{name};
    for (const ComparedRow& one : comparison.rows) row.push_back(cell(one));
    table.rows.push_back(std::move(row));
  };
  for (const auto& name : figure_names(comparison))
    add(name, [&](const ComparedRow& row) { return figure_text(row, name); });
  if (!any_trains(comparison)) {
    add("price", [](const ComparedRow& row) { return price_text(row); });
    add("power", power_text);
    add("bottleneck", [](const ComparedRow& row) { return row.bottleneck; });
  }
  return table.markup();
}

std::string outcome(const SideBySide& comparison) {
  return (any_trains(comparison) ? training(comparison) : "") +
         (figure_names(comparison).empty() ? "" : own_figures(comparison));
}

std::string verdicts(const SideBySide& comparison) {
  std::string out = "<ul>";
  for (const auto& verdict : verdicts_of(comparison)) out += element("li", verdict);
  return out + "</ul>" + element("p", certainty_of(comparison));
}

/// "The fastest is A: ..., the cheapest B: ... "; empty where that is not known.
std::string best_of(const SideBySide& comparison) {
  std::optional<std::size_t> fastest, cheapest;
  for (std::size_t i = 0; i < comparison.rows.size(); ++i) {
    const ComparedRow& row = comparison.rows[i];
    if (trains(row) &&
        (!fastest || row.job_samples_per_s > comparison.rows[*fastest].job_samples_per_s))
      fastest = i;
    const bool whole = row.price_USD && row.without_price.empty();
    if (whole && (!cheapest || *row.price_USD < *comparison.rows[*cheapest].price_USD))
      cheapest = i;
  }
  if (!fastest) return "";
  std::string out = fmt::format("The fastest is {}, at {} samples/s", named(comparison, *fastest),
                                rate_text(comparison.rows[*fastest]));
  if (cheapest)
    out += fmt::format("; the cheapest is {}, at {}", named(comparison, *cheapest),
                       price_text(comparison.rows[*cheapest]));
  return out + ". ";
}

/// How many of each product each of them has, one line a product and price.
std::string parts_of_all(const std::vector<Result>& results) {
  struct Line {
    BillLine part;
    std::vector<double> counts;
  };
  std::vector<Line> lines;
  for (std::size_t i = 0; i < results.size(); ++i)
    for (const BillLine& one : results[i].bill) {
      auto line = std::ranges::find_if(lines, [&](const Line& other) {
        return other.part.kind == one.kind && other.part.name == one.name &&
               other.part.price_USD == one.price_USD && other.part.price_basis == one.price_basis;
      });
      if (line == lines.end())
        line = lines.insert(line, {one, std::vector<double>(results.size(), 0)});
      line->counts[i] += one.count;
    }
  if (lines.empty()) return "";
  Table table{"Parts of each", {"part", "product", "price known by", "USD each"}, {}, 3};
  for (std::size_t i = 0; i < results.size(); ++i) table.columns.push_back(scenario_letter(i));
  for (const auto& [part, counts] : lines) {
    std::vector<std::string> row{part_in_words(part), part.name, price_known_by(part),
                                 part.price_USD ? text_number(*part.price_USD, 15) : ""};
    for (const double count : counts) row.push_back(count == 0 ? "" : text_number(count));
    table.rows.push_back(std::move(row));
  }
  std::vector<std::string> all{"All", "", "", ""};
  for (const Result& result : results)
    all.push_back(result.price_USD ? price_text(result) : "not known");
  table.rows.push_back(std::move(all));
  return element("h3", "Parts") + table.markup();
}

/// What one signs: which is the best, figures with their intervals, and the parts of each.
std::string first_of(const SideBySide& comparison, const std::vector<Result>& results) {
  if (results.size() != comparison.rows.size()) return "";
  std::string out = element("p", "Question: which of these is the best, and what does it cost?");
  std::string lead = best_of(comparison);
  if (const auto said = verdicts_of(comparison); !said.empty())
    lead += said.front() + ". " + certainty_of(comparison);
  if (!lead.empty()) out += element("p", lead, "class='lead'");
  Table table{"The figures that decide", {"figure"}, {}, comparison.rows.size() + 1};
  for (std::size_t i = 0; i < results.size(); ++i) table.columns.push_back(named(comparison, i));
  const auto add = [&](const std::string& name, const auto& cell) {
    std::vector<std::string> row{name};
    for (std::size_t i = 0; i < results.size(); ++i)
      row.push_back(cell(comparison.rows[i], results[i]));
    if (std::ranges::any_of(row.begin() + 1, row.end(),
                            [](const std::string& one) { return !one.empty() && one != "-"; }))
      table.rows.push_back(std::move(row));
  };
  if (any_trains(comparison)) {
    add(std::string(term::kJobRate), [](const ComparedRow& row, const Result& result) {
      const std::string within = rate_interval(result);
      return rate_text(row) + " samples/s" + (within.empty() ? "" : "; 8 of 10 times " + within);
    });
    add(std::string(term::kGpuUtilization),
        [](const ComparedRow& row, const Result&) { return busy_text(row); });
    add("time to result",
        [](const ComparedRow& row, const Result&) { return result_time_text(row); });
  }
  add("price", [](const ComparedRow& row, const Result&) { return price_text(row); });
  add("power", [](const ComparedRow& row, const Result&) { return power_text(row); });
  out += table.markup() + parts_of_all(results);
  return "<div class='first'>" + section("first", "The answer", out) + "</div>\n";
}

/// Each bill whole, with the sources of its prices.
std::string bills(const SideBySide& comparison, const std::vector<Result>& results) {
  std::string out;
  for (std::size_t i = 0; i < results.size(); ++i)
    if (const std::string bill = parts_table(results[i]); !bill.empty())
      out += element("h3", "Parts of " + named(comparison, i)) + bill;
  return out.empty() ? out : section("bills", "Prices and where they are from", out);
}

}  // namespace

std::string to_html(const SideBySide& comparison, const PageHead& head,
                    const std::vector<Result>& results) {
  std::string body = first_of(comparison, results) +
                     section("differences", "What differs", differences(comparison)) +
                     section("outcome", "What comes of it", outcome(comparison));
  if (!verdicts_of(comparison).empty())
    body += section("faster", "Which is faster", verdicts(comparison));
  body += bills(comparison, results);
  return page(head, body);
}

}  // namespace gpufeed::html
