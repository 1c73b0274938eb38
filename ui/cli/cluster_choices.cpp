// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/cluster_choices.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "reports/writers/layout.h"
#include "reports/writers/rows_json.h"
#include "sim/base/units.h"
#include "sim/cluster/answer.h"
#include "sim/load/cluster/document.h"
#include "ui/cli/output.h"
#include "ui/cli/verbs.h"

namespace gpufeed::cli {
namespace {

constexpr std::size_t kMostChoices = 1000;

struct Choice {
  std::vector<std::string> sets;
  cluster::Answer answer;

  std::string words() const { return fmt::format("{}", fmt::join(sets, ", ")); }
};

/// All combinations, the last key's values changing first.
std::vector<std::vector<std::string>> combinations(const std::vector<std::string>& varied) {
  std::vector<std::vector<std::string>> out{{}};
  for (const std::string& one : varied) {
    const std::size_t equals = one.find('=');
    if (equals == std::string::npos || equals == 0)
      throw InputError(
          {{{"--vary " + one, 0, 0},
            "must be KEY=VALUE|VALUE, such as \"store.nas.bandwidth=4 GB/s|8 GB/s\""}});
    std::vector<std::vector<std::string>> longer;
    for (const auto& before : out)
      for (std::size_t at = equals + 1; at <= one.size();) {
        const std::size_t end = std::min(one.find('|', at), one.size());
        longer.push_back(before);
        longer.back().push_back(one.substr(0, equals + 1) + one.substr(at, end - at));
        at = end + 1;
      }
    out = std::move(longer);
    if (out.size() > kMostChoices)
      throw InputError(
          {{{"--vary", 0, 0}, fmt::format("these are more than {} combinations", kMostChoices)}});
  }
  return out;
}

/// Over its repeats where there are any.
double mean_of(const cluster::Answer& answer, std::string_view name, double told) {
  for (const auto& value : answer.repeated)
    if (value.name == name) return value.mean;
  return told;
}
double wait_of(const Choice& choice) {
  return mean_of(choice.answer, "mean_wait_s", choice.answer.totals.mean_wait_s);
}
double turnaround_of(const Choice& choice) {
  return mean_of(choice.answer, "mean_turnaround_s", choice.answer.totals.mean_turnaround_s);
}

std::string text_of(const std::vector<Choice>& choices) {
  const bool powered =
      std::ranges::all_of(choices, [](const Choice& one) { return one.answer.energy.has_value(); });
  std::string out = choices.front().answer.title + "\n\n" +
                    fmt::format("{:>3}{:>8}{:>12}{:>12}{:>12}{:>9}{:>9}{:>9}{}\n", "", "done",
                                "mean wait", "turnaround", "makespan", "alloc.", "busy", "useful",
                                powered ? fmt::format("{:>10}{:>10}", "kWh", "USD") : "");
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const auto& answer = choices[i].answer;
    out += fmt::format(
        "{:>3}{:>8}{:>12}{:>12}{:>12}{:>9}{:>9}{:>9}{}\n    {}\n", i + 1, answer.totals.jobs_done,
        time_text(wait_of(choices[i])), time_text(turnaround_of(choices[i])),
        time_text(answer.totals.makespan_s), percent(answer.totals.allocated_share),
        percent(answer.totals.busy_share), text_number(answer.totals.useful_gpu_h, 4),
        powered ? fmt::format("{:>10}{:>10}", text_number(answer.energy->energy_kWh, 4),
                              text_number(answer.energy->cost_USD, 4))
                : "",
        choices[i].words());
  }
  const auto best = [&](std::string_view what, const std::function<double(const Choice&)>& least) {
    const auto [found, most] = std::ranges::minmax_element(choices, {}, least);
    if (least(*found) < least(*most)) out += fmt::format("{:<26}{}\n", what, found->words());
  };
  out += "\nWaits and turnarounds are means of all repeats.\n";
  best("Least mean wait", wait_of);
  best("Least mean turnaround", turnaround_of);
  best("Most jobs done",
       [](const Choice& one) { return -static_cast<double>(one.answer.totals.jobs_done); });
  if (powered)
    best("Least cost a useful hour", [](const Choice& one) {
      return one.answer.energy->cost_USD / std::max(1e-9, one.answer.totals.useful_gpu_h);
    });
  return out;
}

std::string json_of(const std::vector<Choice>& choices) {
  std::vector<JsonRow> rows;
  for (const Choice& one : choices) {
    JsonRow row;
    for (const std::string& set : one.sets) {
      const std::size_t equals = set.find('=');
      row.emplace_back(set.substr(0, equals), set.substr(equals + 1));
    }
    cluster::Totals::fields([&](const auto& field) {
      row.emplace_back(std::string(field.name),
                       static_cast<double>(one.answer.totals.*field.member));
    });
    row.emplace_back("mean_wait_of_repeats_s", wait_of(one));
    row.emplace_back("mean_turnaround_of_repeats_s", turnaround_of(one));
    rows.push_back(std::move(row));
  }
  return to_json(rows);
}

}  // namespace

int compare_choices(const ScenarioArguments& arguments, const std::vector<std::string>& varied,
                    OutputOption& json, bool screen_taken) {
  const Catalog catalog = catalog_of(arguments);
  json.open();
  std::vector<Choice> choices;
  for (auto& sets : combinations(varied)) {
    ScenarioArguments own = arguments;
    own.sets.insert(own.sets.end(), sets.begin(), sets.end());
    const cluster::Document document =
        load_cluster(arguments.files.front(), catalog, overrides_of(own));
    const auto first = cluster::schedulers_of(document).front();
    choices.push_back({std::move(sets), cluster::answer_of(document, first)});
    choices.back().answer.bars.clear();
    choices.back().answer.jobs.clear();
  }
  if (json.asked_for()) json.write(json_of(choices));
  if (!screen_taken) print_screen(text_of(choices));
  return kGood;
}

}  // namespace gpufeed::cli
