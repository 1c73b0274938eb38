// SPDX-License-Identifier: Apache-2.0
#include "reports/study/compare_scenarios.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/html/compare_page.h"
#include "reports/writers/comparison_text.h"
#include "reports/writers/json.h"
#include "sim/load/purchase/product_titles.h"
#include "sim/model/scenario.h"
#include "ui/cli/output.h"
#include "ui/cli/output_option.h"
#include "ui/cli/page_head.h"
#include "ui/cli/predict.h"
#include "ui/cli/scenarios.h"
#include "ui/cli/verbs.h"

namespace gpufeed::cli {
int compare_verb(const Arguments& arguments) {
  Options options(
      "compare",
      "Puts scenarios side by side: what differs, what comes of it, which is faster, and "
      "how sure that is.",
      "gpufeed examples 2 mine && gpufeed compare mine/scenario.toml mine/scenario_single.toml");
  ScenarioArguments scenarios;
  OutputOption json{"--json"}, html{"--html"};
  scenarios.add_to(options);
  scenarios.add_prices_to(options);
  json.add_to(options, "write the comparison as JSON");
  html.add_to(options, "write a report with pictures, a page of its own that needs no network");
  if (!options.parse(arguments)) return kGood;
  constexpr std::size_t kMost = 6;  // columns of a screen
  if (scenarios.files.size() < 2) throw options.error("name at least two scenario files");
  if (scenarios.files.size() > kMost)
    throw options.error("name at most six scenario files; gpufeed simulate shows more, one a row");
  const bool screen_taken = take_standard_output(options, {&json, &html});
  Loaded loaded = load_all(scenarios);
  loaded.problems.throw_if_any();
  for (OutputOption* output : {&json, &html}) output->open();
  std::vector<Result> results;
  if (const int worst = predict_all("compare", scenarios.files, loaded, results); worst != kGood)
    return worst;
  std::vector<const Scenario*> given;
  for (const auto& scenario : loaded.scenarios) given.push_back(&*scenario);
  const SideBySide comparison = compared_scenarios(scenarios.files, given, results);
  if (json.asked_for()) json.write(to_json(comparison));
  if (html.asked_for()) {
    for (std::size_t i = 0; i < results.size(); ++i)
      results[i] = called_by_title(std::move(results[i]), *given[i]);
    std::vector<std::string> titles;
    titles.reserve(results.size());
    for (const Result& result : results) titles.push_back(result.title);
    html.write(html::to_html(
        comparison,
        page_head("compare", arguments, fmt::format("Compared: {}", fmt::join(titles, "; ")),
                  scenarios.files),
        results));
  }
  if (!screen_taken) print(to_text(comparison));
  return kGood;
}

}  // namespace gpufeed::cli
