// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "calib/discover/discover.h"
#include "calib/discover/live.h"
#include "calib/discover/system_toml.h"
#include "reports/study/choices.h"
#include "reports/study/compare_scenarios.h"
#include "reports/study/recommend.h"
#include "reports/study/sweep_run.h"
#include "reports/study/validate.h"
#include "reports/writers/comparison_text.h"
#include "reports/writers/json.h"
#include "reports/writers/recommendation_text.h"
#include "reports/writers/validation.h"
#include "sim/base/files/transient_folder.h"
#include "sim/load/study/goal.h"
#include "sim/model/scenario.h"
#include "ui/library/scenario_source.h"

namespace gpufeed::v1 {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_use(const std::string& of, const std::string& why) {
  throw gpufeed::InputError({{{of, 0, 0}, why}});
}

}  // namespace

Table sweep(const fs::path& file, const Settings& settings, unsigned jobs,
            const std::optional<fs::path>& store) {
  return guarded([&] {
    const SweepPlan plan = plan_sweep(file, catalog_of(settings), {}, version());
    const TransientFolder scratch;
    SweepStore results(store ? *store : scratch.path() / "sweep.sqlite", plan, Shard{});
    SweepRun run;
    run.jobs = plan.one_at_a_time ? 1 : threads(jobs);
    run.stop = [] { return false; };
    run.progress = [](auto, auto) {};
    run_sweep(plan, results, run);
    Table table{results.columns(), {}};
    results.each_row([&](const std::vector<gpufeed::Cell>& row) { table.rows.push_back(row); });
    return table;
  });
}

Answer recommend(const fs::path& goal, const Settings& settings, unsigned jobs) {
  return guarded([&] {
    const Catalog catalog = catalog_of(settings);
    const Choices choices = choices_of(load_goal(goal, catalog), catalog, {}, version());
    SearchRun run;
    run.jobs = threads(jobs);
    const Recommendation answer = gpufeed::recommend(choices, run);
    return Answer{to_json(answer), to_text(answer)};
  });
}

Answer compare(const std::vector<Scenario>& scenarios) {
  constexpr std::size_t kMost = 6;  // columns of a screen
  return guarded([&] {
    if (scenarios.size() < 2 || scenarios.size() > kMost)
      refuse_use("compare", "takes two to six scenarios");
    std::vector<gpufeed::Scenario> loaded;
    std::vector<std::string> names;
    for (const Scenario& one : scenarios) {
      loaded.push_back(one.source().source.load(one.source().values));
      names.push_back(one.source().name);
    }
    std::vector<const gpufeed::Scenario*> given;
    std::vector<gpufeed::Result> results;
    for (const auto& scenario : loaded) {
      given.push_back(&scenario);
      results.push_back(result_of(scenario));
    }
    const SideBySide comparison = compared_scenarios(names, given, results);
    return Answer{to_json(comparison), to_text(comparison)};
  });
}

Answer validate(const std::vector<fs::path>& given, const Settings& settings, unsigned jobs) {
  return guarded([&] {
    const Catalog catalog = catalog_of(settings);
    const auto paths = given.empty() ? std::vector<fs::path>{validation_folder()} : given;
    std::vector<fs::path> files;
    ValidationRun run;
    run.jobs = threads(jobs);
    run.progress = [](auto, auto) {};
    for (const auto& path : paths) {
      std::ranges::copy(case_files(path), std::back_inserter(files));
      const Bars bars = bars_for(path, catalog);
      std::ranges::copy(bars.bars, std::back_inserter(run.bars.bars));
      std::ranges::copy(bars.laws, std::back_inserter(run.bars.laws));
      std::ranges::copy(ledger_of(path), std::back_inserter(run.ledger));
    }
    ValidationReport report = gpufeed::validate(files, catalog, run);
    report.version = version();
    return Answer{to_json(report), to_text(report)};
  });
}

std::string discover(const Settings& settings) {
  return guarded([&] {
    const Recognizer recognizer(catalog_of(settings));
    return system_of(this_machine(), recognizer).toml;
  });
}

fs::path examples() {
  find_data();
  return examples_folder();
}

std::string version() { return PROJECT_VERSION; }

}  // namespace gpufeed::v1
