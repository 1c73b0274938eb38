// SPDX-License-Identifier: Apache-2.0
#include "reports/html/recommend_page.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "reports/html/chart.h"
#include "reports/html/first_page.h"
#include "reports/html/markup.h"
#include "reports/writers/cost_text.h"
#include "reports/writers/key_words.h"
#include "reports/writers/layout.h"
#include "reports/writers/recommendation_text.h"
#include "reports/writers/terms.h"
#include "sim/base/units.h"

namespace gpufeed::html {
namespace {

/// Price against throughput of those that have a price, where there are several.
std::string front_chart(const std::vector<Choice>& front) {
  Series series{"", {}, false};
  const std::string rate = served_figures(front.front()).empty() ? "samples/s" : "requests/s";
  for (const Choice& one : front)
    if (one.price_USD)
      series.points.push_back(
          {*one.price_USD, one.job_samples_per_s,
           fmt::format("{}: {} {}, {}, {}", values_text(one.values),
                       text_number(one.job_samples_per_s), rate, price_text(one), power_text(one)),
           true});
  if (series.points.size() < 2) return "";
  return Chart{
      "Price against the job's rate of the Pareto front", "price in USD", rate, {}, {series}, false}
      .markup();
}

bool have_one_set_of_axes(const std::vector<Choice>& choices) {
  const auto axes = [](const Choice& one) {
    std::vector<std::string> names;
    for (const ChosenValue& value : one.values) names.push_back(value.axis);
    return names;
  };
  return std::ranges::all_of(choices,
                             [&](const Choice& one) { return axes(one) == axes(choices.front()); });
}

/// A column for each axis; where they differ, one for all.
std::vector<std::string> axes_of(const std::vector<Choice>& choices) {
  if (!have_one_set_of_axes(choices)) return {"choice"};
  std::vector<std::string> names;
  for (const ChosenValue& value : choices.front().values) names.push_back(value.axis);
  return names;
}

/// Likewise of a choice's values.
std::vector<std::string> values_row(const std::vector<Choice>& choices, const Choice& one) {
  if (!have_one_set_of_axes(choices)) return {values_text(one.values)};
  std::vector<std::string> values;
  for (const ChosenValue& value : one.values) values.push_back(value.value);
  return values;
}

/// What may be chosen instead: what is surer, and the fastest of each other way to split a model.
std::string alternatives(const Recommendation& all) {
  std::vector<std::pair<Choice, std::string>> others;
  for (const SurerChoice& surer : all.surer)
    for (const Choice& one : surer.choice)
      others.emplace_back(one,
                          fmt::format("meets all with a chance of {}", percent(surer.confidence)));
  constexpr std::size_t kRivals = 4;
  for (std::size_t i = 0; i < std::min(kRivals, all.rivals.size()); ++i)
    others.emplace_back(all.rivals[i], "another way to split the model");
  if (others.empty()) return "";
  std::vector<Choice> choices;
  choices.reserve(others.size());
  for (const auto& [choice, why] : others) choices.push_back(choice);
  Table table{"Alternatives", axes_of(choices), {}, axes_of(choices).size() + 1};
  for (const char* const column : {"why", "price", "samples/s"}) table.columns.emplace_back(column);
  for (const auto& [choice, why] : others) {
    std::vector<std::string> row = values_row(choices, choice);
    row.insert(row.end(), {why, price_text(choice), text_number(choice.job_samples_per_s)});
    table.rows.push_back(std::move(row));
  }
  return element("h3", "Alternatives") + table.markup();
}

/// Of engines that serve a language model.
Table served_table(const Recommendation& all) {
  Table table{"Choices", axes_of(all.chosen), {}, axes_of(all.chosen).size() + 1};
  for (const char* const column : {"bottleneck", "price", "TTFT 95 %", "ITL 95 %", "in time/s",
                                   "USD for 10^6 tokens", "meets all"})
    table.columns.emplace_back(column);
  for (const Choice& one : all.chosen) {
    std::vector<std::string> row = values_row(all.chosen, one);
    row.insert(row.end(), {one.bottleneck, price_text(one)});
    for (std::string& figure : served_figures(one)) row.push_back(std::move(figure));
    row.push_back(one.chance ? percent(*one.chance) : "");
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table choices_table(const Recommendation& all) {
  if (!served_figures(all.chosen.front()).empty()) return served_table(all);
  Table table{"Choices", axes_of(all.chosen), {}, axes_of(all.chosen).size() + 1};
  for (const std::string_view column :
       {std::string_view("bottleneck"), std::string_view("price"), std::string_view("power"),
        std::string_view("samples/s"), term::kGpuUtilization, std::string_view("time to result")})
    table.columns.emplace_back(column);
  for (const Choice& one : all.chosen) {
    std::vector<std::string> row = values_row(all.chosen, one);
    row.insert(row.end(), {one.bottleneck, price_text(one), power_text(one),
                           text_number(one.job_samples_per_s), percent(one.job_gpu_utilization),
                           time_text(one.time_to_result_s)});
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// The answer and what else there is to split a model by; empty where no layouts were asked for.
std::string rivals(const Recommendation& all) {
  if (all.rivals.empty()) return "";
  Table table{"The fastest layout of each way to split the model",
              {"layout", "tokens/s", "memory of a GPU", "chance to be the fastest"},
              {},
              1};
  const auto add = [&](const Choice& one) {
    table.rows.push_back({values_text(one.values),
                          one.job_tokens_per_s ? text_number(*one.job_tokens_per_s) : "",
                          one.memory_typical_B ? text(Bytes{*one.memory_typical_B}, 3) : "",
                          one.chance_best ? percent(*one.chance_best) : ""});
  };
  add(all.chosen.front());
  for (const Choice& one : all.rivals) add(one);
  return table.markup();
}

std::string answer(const Recommendation& one) {
  std::string out = element("p", "Wanted: " + one.aim);
  if (one.chosen.empty()) return out + element("p", "No choice meets all constraints.");
  const Choice& first = one.chosen.front();
  const std::string years = price_years_text(first.oldest_price_year, first.newest_price_year);
  if (one.chosen.size() == 1)
    out += element("p", "Choose " + values_text(first.values) +
                            (years.empty() ? "." : "; its price is by " + years + "."));
  out += front_chart(one.chosen) + choices_table(one).markup() + rivals(one);
  if (!one.chosen.front().without_price.empty())
    out += element("p", "Not counted, price not known: " + one.chosen.front().without_price);
  if (const auto doubt = price_doubt(one.chosen.front()); !doubt.empty())
    out += element("p", "Mind that " + doubt + ".");
  if (const auto chance = confidence_text(one.chosen.front()); !chance.empty())
    out += element("p", "Chance: " + chance + ".");
  if (const auto best = best_text(one); !best.empty()) out += element("p", "Chance: " + best + ".");
  if (const auto range = range_text(one.chosen.front()); !range.empty() && one.chosen.size() == 1)
    out += element("p", "From P10 to P90: " + range + ".");
  if (one.chosen.size() == 1)
    for (const std::string& how : one.chosen.front().extrapolations)
      out += element("p", "Extrapolation: " + how + ".");
  if (const auto doubt = chance_doubt(one.chosen.front()); !doubt.empty())
    out += element("p", "It is " + doubt + ".");
  for (const SurerChoice& surer : one.surer)
    out += element("p", "Surer, " + surer_text(surer) + ".");
  return out;
}

std::string obstacles(const Recommendation& one) {
  std::string out = "<ul>";
  for (const Obstacle& obstacle : one.obstacles) out += element("li", obstacle_text(obstacle));
  return out + "</ul>";
}

/// What a simulation of each choice takes.
std::string commands(const Recommendation& one, const Recommendation& plain) {
  if (one.chosen.empty()) return "";
  Table table{"Options of gpufeed simulate", {"choice", "options"}, {}, 2};
  for (std::size_t i = 0; i < one.chosen.size(); ++i)
    table.rows.push_back({values_text(plain.chosen[i].values),
                          fmt::format("{}", fmt::join(options_text(one, one.chosen[i]), " "))});
  return folded("Options of the command line that simulate a choice", table.markup());
}

std::string proof(const Recommendation& one) {
  std::string out = element("p", proof_text(one));
  for (const auto& how : {layouts_text(one), equals_text(one), sums_text(one)})
    if (!how.empty()) out += element("p", how);
  if (!one.first_refusal.empty())
    out += element("p", "Cannot be built, such as: " + one.first_refusal);
  return out;
}

using Titles = std::map<std::string, std::string>;

Recommendation called_by_title(Recommendation one, const Titles& titles) {
  const auto name = [&](Choice& choice) {
    for (ChosenValue& value : choice.values) value.value = products_by_title(value.value, titles);
  };
  std::ranges::for_each(one.chosen, name);
  std::ranges::for_each(one.rivals, name);
  for (SurerChoice& surer : one.surer) std::ranges::for_each(surer.choice, name);
  for (Obstacle& obstacle : one.obstacles)
    for (ChosenValue& value : obstacle.values) value.value = products_by_title(value.value, titles);
  return one;
}

}  // namespace

std::string to_html(const Recommendation& recommendation, const PageHead& head, const Result* best,
                    const std::map<std::string, std::string>& titles) {
  const Recommendation one = called_by_title(in_plain_words(recommendation), titles);
  std::string body;
  if (best && !one.chosen.empty()) {
    std::string question = "which choice is the best? Wanted: " + one.aim;
    body =
        first_page({*best, {}, {}, {}, {}}, "best-",
                   "Choose " + values_text(one.chosen.front().values), question, alternatives(one));
  }
  body += section("answer", "The answer", answer(one));
  if (!one.obstacles.empty()) body += section("obstacles", "What is in the way", obstacles(one));
  return page(
      head, body + section("proof", "What proves it", proof(one) + commands(recommendation, one)));
}

}  // namespace gpufeed::html
