// SPDX-License-Identifier: Apache-2.0
#include "reports/study/compare.h"

#include "reports/writers/comparison_text.h"
#include "reports/writers/json.h"
#include "sim/model/scenario.h"
#include "ui/cli/limits.h"
#include "ui/cli/output.h"
#include "ui/cli/predict.h"
#include "ui/cli/scenarios.h"
#include "ui/cli/verbs.h"

namespace gpufeed::cli {

int compare_verb(const Arguments& arguments) {
  Options options(
      "compare",
      "Puts scenarios side by side: what differs, what comes of it, which is faster, and "
      "how sure that is.",
      "gpufeed compare examples/02_one_root_or_two/scenario.toml "
      "examples/02_one_root_or_two/scenario_single.toml");
  ScenarioArguments scenarios;
  std::optional<std::string> json;
  Limits limits;
  scenarios.add_to(options);
  scenarios.add_prices_to(options);
  options.value("--json", "FILE", json,
                "write the comparison to FILE as well; - writes it to standard output, and nothing "
                "else");
  limits.add_to(options);
  if (!options.parse(arguments)) return kGood;
  constexpr std::size_t kMost = 6;  // columns of a screen
  if (scenarios.files.size() < 2) throw options.error("name at least two scenario files");
  if (scenarios.files.size() > kMost)
    throw options.error("name at most six scenario files; gpufeed simulate shows more, one a row");
  limits.set(options);
  Loaded loaded = load_all(scenarios);
  loaded.problems.throw_if_any();
  const auto output = output_for("--json", json, loaded.files);
  std::vector<Result> results;
  if (const int worst = predict_all("compare", scenarios.files, loaded, results); worst != kGood)
    return worst;
  const SideBySide comparison = compared(scenarios.files, results);
  if (output) output->write(to_json(comparison));
  print(json == "-" ? to_json(comparison) : to_text(comparison));
  return kGood;
}

}  // namespace gpufeed::cli
