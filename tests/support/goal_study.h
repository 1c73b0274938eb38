// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <algorithm>
#include <filesystem>

#include "reports/study/cost_tables.h"
#include "reports/study/recommend.h"
#include "reports/writers/recommendation_text.h"
#include "sim/elasticity.h"
#include "sim/load/study/goal.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"
#include "tests/support/temporary_folder.h"

/// A goal over the parts of a small machine, and all its choices simulated.
namespace gpufeed::goals {

inline const char* const kScenario =
    "title = \"t\"\nsystem = { chassis = \"supermicro-as-2125hs-tnr\", cpu = \"2 x "
    "amd-epyc-9124\", "
    "memory = \"384 GB\", gpu = \"2 x nvidia-a10\", drives = \"2 x micron-5300-pro-3.84tb\" }\n"
    "[workload]\nmodel = \"unet3d\"\ndataset = \"mlperf-unet3d\"\ndataset_samples = 6000\n"
    "precision = \"fp16\"\nbatch_per_gpu = 4\n";
inline const std::string kAxes =
    "axis = [\n"
    "{ name = \"gpu\", path = \"system.gpu\", values = [\"2 x nvidia-l4\", \"2 x nvidia-a10\"] },\n"
    "{ name = \"cpu\", path = \"system.cpu\", values = [\"2 x amd-epyc-9354\", \"2 x "
    "amd-epyc-9124\"] "
    "},\n"
    "{ name = \"drives\", path = \"system.drives\", values = [\"1 x micron-5300-pro-3.84tb\", "
    "\"4 x micron-5300-pro-3.84tb\", \"8 x micron-5300-pro-3.84tb\", \"12 x "
    "micron-5300-pro-3.84tb\"] },\n"
    "{ name = \"workers\", path = \"loader.workers_per_gpu\", values = [4, 12] },\n]\n";

struct GoalStudy {
  TemporaryFolder folder;

  Choices choices(const std::string& goal, const std::string& seed = "1",
                  const std::string& axes = kAxes) const {
    folder.write("scenario.toml", kScenario);
    const auto file = folder.write("goal.toml", "scenario = \"scenario.toml\"\n" + goal + axes);
    return choices_of(load_goal(file, own_catalog()), own_catalog(), {{"run.seed", seed, "--seed"}},
                      "1");
  }
};

inline std::vector<Result> all_results(const Choices& choices) {
  std::vector<Result> results;
  for (std::int64_t i = 0; i < choices.count(); ++i)
    results.push_back(simulate(scenario_of(choices, i, 0)));
  return results;
}

}  // namespace gpufeed::goals
