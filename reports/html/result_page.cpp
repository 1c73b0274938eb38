// SPDX-License-Identifier: Apache-2.0
#include "reports/html/result_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/html/bars.h"
#include "reports/html/changes.h"
#include "reports/html/first_page.h"
#include "reports/html/markup.h"
#include "reports/html/pictures.h"
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
#include "reports/writers/store_text.h"
#include "reports/writers/terms.h"
#include "reports/writers/text.h"
#include "reports/writers/without_training_text.h"
#include "sim/base/units.h"
#include "sim/model/workload.h"

namespace gpufeed::html {
namespace {

std::string facts(const Result& result) {
  std::string out = "<dl>";
  const auto fact = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) out += element("dt", name) + element("dd", value);
  };
  if (const Warning* const lacking = memory_short(result)) fact("Does not fit", sentence(*lacking));
  if (const Warning* const length = other_length(result)) fact("Mind", sentence(*length));
  fact("System",
       result.nodes > 1 ? fmt::format("{} × {}", result.nodes, result.system) : result.system);
  fact("Workload", result.workload);
  fact("Storage", result.storage);
  for (const auto& store : result.stores_of_servers) fact(kStoreOfServers, store_text(store));
  if (!trains_nothing(result))
    for (const auto& [label, words] : rates_beside(result)) fact(label, words);
  fact("Tokens", token_rate_text(result));
  for (const auto& [label, words] : training_rows(result)) fact(label, words);
  if (result.bytes_per_gpu_second > 0 && !trains_nothing(result)) {
    fact("Data density", density_text(result, true));
    for (const auto& [label, words] : storage_demand_rows(result)) fact(label, words);
  }
  fact("Bottleneck", in_words(result.bottleneck.evidence));
  fact("Next limit", next_limit_text(result.bottleneck));
  constexpr std::size_t kDefaults = 3;
  const std::size_t defaults = std::min(kDefaults, result.deciding_defaults.size());
  for (std::size_t i = 0; i < defaults; ++i)
    fact("Rests on a default", in_plain_words(result.deciding_defaults[i]));
  fact("Cost", running_cost_text(result));
  for (const auto& assumption : result.assumptions) fact("Assumed", sentence(assumption));
  for (const auto& warning : result.warnings)
    if (&warning != memory_short(result) && &warning != other_length(result))
      fact("Warning", sentence(warning));
  return out + "</dl>\n";
}

Table resources_table(const Result& result) {
  Table table{"What was in use, and where its capacity is known from",
              {"resource", "kind", "basis", "source", "load", "capacity"},
              {},
              4};
  for (const ResourceUse& use : result.resources)
    table.rows.push_back({use.id, use.kind, use.basis, use.source, percent(use.utilization),
                          use.unit == "B/s" ? text(Bandwidth{use.capacity}, 3)
                                            : text_number(use.capacity) + " " + use.unit});
  return table;
}

Table bill_table(const Result& result) {
  Table table{"What is bought",
              {"kind", "product", "price known by", "its source", "its year", "power known by",
               "its source", "how many", "USD each", "W each"},
              {},
              7};
  for (const BillLine& line : result.bill)
    table.rows.push_back({line.kind, line.name, line.price_basis, line.price_source,
                          line.price_year ? std::to_string(*line.price_year) : "", line.power_basis,
                          line.power_source, text_number(line.count),
                          line.price_USD ? text_number(*line.price_USD, 15) : "",
                          line.power_W ? text_number(*line.power_W) : ""});
  return table;
}

std::string list(const std::vector<std::string>& items) {
  std::string out = "<ul>";
  for (const auto& item : items) out += element("li", item);
  return out + "</ul>\n";
}

std::string sureness(const Result& result) {
  if (!result.range) return "";
  const Range& range = *result.range;
  std::string out =
      element("p", fmt::format("In 8 of 10 cases the job's rate is {} samples/s, GPUs are busy {} "
                               "to {}, and the result comes within {} to {}.",
                               interval_text(range.job_samples_per_s),
                               percent(range.job_gpu_utilization.p10),
                               percent(range.job_gpu_utilization.p90),
                               time_text(range.time_to_result_s.p10, range.time_to_result_s.p90),
                               time_text(range.time_to_result_s.p90)));
  if (range.causes.empty()) return out;
  std::string bars;
  Table table{"What makes the range wide",
              {"parameter", "known by", "to narrow it", "one deviation", "share of the variance"},
              {},
              3};
  for (const RangeCause& cause : range.causes) {
    const std::string share = percent(cause.share);
    bars += bar_row(
        {parameter_in_words(cause), cause.remedy, {{cause.share, "compute", share}}, share});
    table.rows.push_back({parameter_in_words(cause),
                          cause.basis.empty() ? "the model" : cause.basis, cause.remedy,
                          deviation_text(cause.deviation), share});
  }
  return out + bars + folded("The numbers", table.markup());
}

std::string why(const PicturedResult& one) {
  if (!one.elasticity) return "";
  std::string out = levers_picture(*one.elasticity);
  if (one.settings.empty()) return out;
  return out + element("h3", "Settings that cost nothing") + changes_picture(one.settings);
}

/// Where its numbers are from, and all that is needed to have them again.
std::string basis(const PicturedResult& one) {
  const Result& result = one.result;
  std::string out;
  if (!result.resources.empty())
    out += folded("Capacities and their sources", resources_table(result).markup());
  if (!result.bill.empty())
    out += folded("Prices and power, and their sources", bill_table(result).markup());
  if (!result.estimates.empty())
    out += folded("Estimates that move the result", list(result.estimates));
  if (!result.defaults.empty()) out += folded("Defaults in use", list(in_words(result.defaults)));
  out += commands_of(one.changes.empty() ? one.settings : one.changes);
  out += folded("The same as text", element("pre", to_text(result)));
  if (!result.scenario.empty())
    out += folded("The scenario, every default spelled", element("pre", result.scenario));
  return out;
}

std::string sections(const PicturedResult& one, const std::string& id, bool named) {
  const Result& result = one.result;
  std::string out;
  const auto add = [&](std::string_view name, std::string_view heading, const std::string& markup) {
    if (!markup.empty()) out += section(id + std::string(name), heading, markup);
  };
  out += first_page(one, id, named ? result.title : "The answer");
  add("detail", "In detail", facts(result));
  if (trains_nothing(result))
    add("numbers", "The numbers", element("pre", text_without_training(result)));
  add("machine", result.nodes > 1 ? "One of the machines" : "The machine",
      machine_picture(one.picture));
  add("time", "Where the time of GPUs goes", gpu_time_picture(result));
  if (!trains_nothing(result))
    add("stages", "What each stage could deliver", stages_picture(result));
  add("why", "What 10 % more of each resource would give", why(one));
  add("range", "How sure that is", sureness(result));
  add("steps", "Some steps", timeline_picture(result, id));
  add("basis", "What it rests on", basis(one));
  return out;
}

/// Of what trains nothing: its own figures, the first ones of all.
std::string overview_of_figures(const std::vector<PicturedResult>& results) {
  constexpr std::size_t kShown = 6;
  std::vector<std::string> names;
  for (const PicturedResult& one : results)
    for (const ComparedFigure& figure : headlines_of(one.result))
      if (std::ranges::count(names, figure.name) == 0) names.push_back(figure.name);
  names.resize(std::min(names.size(), kShown));
  Table table{"All scenarios", {"scenario", "bottleneck"}, {}, 2};
  table.columns.insert(table.columns.end(), names.begin(), names.end());
  table.columns.emplace_back("price");
  for (const PicturedResult& one : results) {
    std::vector<std::string> row{one.result.title, in_words(one.result.bottleneck.resource)};
    const auto figures = headlines_of(one.result);
    for (const std::string& name : names) {
      const auto found = std::ranges::find(figures, name, &ComparedFigure::name);
      row.push_back(found == figures.end() ? "" : figure_text(*found));
    }
    row.push_back(one.result.price_USD ? price_text(one.result) : "");
    table.rows.push_back(std::move(row));
  }
  return "<div class='first'>" + section("all", "All scenarios", table.markup()) + "</div>\n";
}

std::string overview(const std::vector<PicturedResult>& results) {
  if (std::ranges::all_of(results, [](const auto& one) { return trains_nothing(one.result); }))
    return overview_of_figures(results);
  Table table{"All scenarios",
              {"scenario", "bottleneck", "samples/s", std::string(term::kGpuUtilization),
               "time to result", "price"},
              {},
              2};
  for (const PicturedResult& one : results) {
    const Result& result = one.result;
    const bool trains = !trains_nothing(result);
    table.rows.push_back(
        {result.title, in_words(result.bottleneck.resource),
         trains ? text_number(result.job_samples_per_s) : "",
         trains && result.kind != kind_of<kind::Loader> ? percent(result.job_gpu_utilization) : "",
         trains ? total_time(result) : "", result.price_USD ? price_text(result) : ""});
  }
  const auto rate = [](const PicturedResult& one) {
    return trains_nothing(one.result) ? 0 : one.result.job_samples_per_s;
  };
  const auto fastest = std::ranges::max_element(results, {}, rate);
  std::string lead;
  if (std::ranges::all_of(results, [&](const auto& one) { return rate(one) > 0; }))
    lead = element("p",
                   fmt::format("The fastest is {}: {} samples/s.", fastest->result.title,
                               text_number(rate(*fastest))),
                   "class='lead'");
  return "<div class='first'>" + section("all", "All scenarios", lead + table.markup()) +
         "</div>\n";
}

}  // namespace

std::string to_html(const std::vector<PicturedResult>& results, const PageHead& head) {
  if (results.size() == 1) return page(head, sections(results.front(), "", false));
  std::string body = overview(results);
  int number = 0;
  for (const auto& one : results) body += sections(one, fmt::format("r{}-", ++number), true);
  return page(head, body);
}

}  // namespace gpufeed::html
