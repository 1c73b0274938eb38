// SPDX-License-Identifier: Apache-2.0
// Conditions and aims of sweeps and goals are about the whole job, whatever they call its rate.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "reports/study/choices.h"
#include "reports/study/recommend.h"
#include "reports/study/sweep_plan.h"
#include "reports/writers/result_cells.h"
#include "sim/load/study/goal.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"
#include "tests/support/temporary_folder.h"

using namespace gpufeed;

namespace {

/// Copied in first, at a rate that the axis sets: steps are as fast behind any.
constexpr const char* kBase =
    "system = 'nvidia-dgx-a100'\ndata = { at = 'scratch', staging = { from = 'nas', mode = "
    "'before', rate = '1 GB/s' } }\n[store.nas]\nmodel = 'linux-nfs-server-10g'\n"
    "protocol = 'nfs-tcp'\n[workload]\nmodel = 'resnet-50'\ndataset = 'imagenet-1k'\n"
    "precision = 'fp16'\nbatch_per_gpu = 256\n";
constexpr const char* kAxis =
    "[[axis]]\nname = 'copying'\npath = 'data.staging.rate'\nvalues = ['0.1 GB/s', '1 GB/s']\n";

struct Study {
  TemporaryFolder folder;

  Study() { folder.write("base.toml", kBase); }
  Result result(const std::string& rate) const {
    Scenario scenario = load_scenario(folder / "base.toml", own_catalog(),
                                      {parse_override("data.staging.rate=" + rate)});
    scenario.run.once();
    return simulate(scenario);
  }
  bool meets(const std::string& constraint, std::int64_t point) const {
    folder.write("sweep.toml",
                 "scenario = 'base.toml'\nconstraint = ['" + constraint + "']\n" + kAxis);
    return evaluate(plan_sweep(folder / "sweep.toml", own_catalog(), {}, "1"), point).meets;
  }
  Recommendation answer(const std::string& goal) const {
    folder.write("goal.toml", "scenario = 'base.toml'\n" + goal + kAxis);
    return recommend(
        choices_of(load_goal(folder / "goal.toml", own_catalog()), own_catalog(), {}, "1"),
        {.jobs = 1});
  }
};

}  // namespace

TEST_CASE("a constraint on the rate, by any of its names, is one on the whole job's") {
  const Study study;
  const Result slow = study.result("0.1 GB/s"), fast = study.result("1 GB/s");
  REQUIRE(fast.job_samples_per_s > 2 * slow.job_samples_per_s);
  REQUIRE(slow.throughput_samples_per_s > fast.job_samples_per_s);
  const std::string least = std::to_string(2 * slow.job_samples_per_s);
  for (const char* name :
       {"job_samples_per_s", "throughput", "samples_per_s", "throughput_samples_per_s"}) {
    CAPTURE(name);
    CHECK_FALSE(study.meets(std::string(name) + " >= " + least, 0));
    CHECK(study.meets(std::string(name) + " >= " + least, 1));
  }
  const std::string busy = std::to_string(2 * slow.job_gpu_utilization);
  REQUIRE(slow.accelerator_utilization > 2 * slow.job_gpu_utilization);
  for (const char* name : {"job_gpu_utilization", "accelerator_utilization", "gpu_utilization"}) {
    CAPTURE(name);
    CHECK_FALSE(study.meets(std::string(name) + " >= " + busy, 0));
    CHECK(study.meets(std::string(name) + " >= " + busy, 1));
  }
  // What holds of a part of the job has a name of its own.
  CHECK(study.meets("first_epoch_samples_per_s >= " + least, 0));
}

TEST_CASE("the fastest choice is the one whose whole job is, whatever the aim calls that") {
  const Study study;
  for (const char* name : {"job_samples_per_s", "throughput", "throughput_samples_per_s"}) {
    CAPTURE(name);
    const Recommendation best = study.answer(std::string("maximize = '") + name + "'\n");
    REQUIRE(best.chosen.size() == 1);
    CHECK(best.aim == "the most job_samples_per_s");
    CHECK(best.chosen.front().number == 1);
    CHECK(best.chosen.front().job_samples_per_s == study.result("1 GB/s").job_samples_per_s);
  }
  const Result slow = study.result("0.1 GB/s");
  const Recommendation none = study.answer("constraint = ['throughput_samples_per_s >= " +
                                           std::to_string(slow.throughput_samples_per_s) + "']\n");
  CHECK(none.chosen.empty());
}

TEST_CASE("names of other columns mean themselves") {
  for (const std::string& name : result_column_names()) {
    const std::string meant = column_meant(name);
    if (meant == name) continue;
    CAPTURE(name);
    const auto names = result_column_names();
    CHECK(std::ranges::count(names, meant) == 1);
    CHECK(meant.find("job_") != std::string::npos);
    CHECK(column_meant(meant) == meant);
  }
}
