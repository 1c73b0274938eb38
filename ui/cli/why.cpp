// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/why.h"

#include "reports/study/explain.h"
#include "reports/study/whatif.h"
#include "reports/writers/explanation_text.h"
#include "reports/writers/json.h"
#include "sim/elasticity.h"
#include "sim/load/study/observed.h"
#include "sim/model/scenario.h"
#include "ui/cli/progress.h"
#include "ui/cli/verbs.h"

namespace gpufeed::cli {

Why why_of(const ScenarioArguments& arguments, const Scenario& scenario, const Result& result,
           unsigned jobs) {
  const Catalog catalog = catalog_of(arguments).remembering();
  const ScenarioSource source(arguments.files.front(), catalog, overrides_of(arguments));
  WhatIf settings = what_if(source, catalog, {.jobs = jobs, .settings_only = true});
  return {elasticity_of(scenario, result), std::move(settings)};
}

int explain_one(const ScenarioArguments& arguments, const std::string& observed_file,
                OutputOption& json, unsigned jobs) {
  const Observed observed = load_observed(observed_file, catalog_of(arguments));
  Loaded loaded = load_all(arguments);
  loaded.problems.throw_if_any();
  json.open();
  ProgressBar bar;
  const Explanation explanation =
      explain(*loaded.scenarios.front(), observed, jobs,
              [&](std::int64_t done, std::int64_t of) { bar.show(done, of); });
  bar.clear();
  if (json.asked_for()) json.write(to_json(explanation));
  if (!json.takes_standard_output()) print(to_text(explanation));
  return kGood;
}

}  // namespace gpufeed::cli
