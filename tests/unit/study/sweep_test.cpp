// SPDX-License-Identifier: Apache-2.0
// Running, resuming, sharding and merging sweeps.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "reports/study/sweep_best.h"
#include "reports/study/sweep_csv.h"
#include "reports/study/sweep_merge.h"
#include "reports/study/sweep_run.h"
#include "reports/study/sweep_summary.h"
#include "sim/base/files/run_files.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"
#include "tests/support/sweep_study.h"
#include "tests/support/temporary_folder.h"

using namespace gpufeed;
using namespace gpufeed::sweeps;  // NOLINT: the vocabulary of this file

TEST_CASE("a point's result is that of its scenario, whatever the number of jobs") {
  const SweepStudy study;
  const SweepPlan plan = study.plan();
  REQUIRE(plan.points.count() == 9);
  const std::string one = study.csv("one.sqlite", plan, {}, 1);
  CHECK(study.csv("two.sqlite", plan, {}, 2) == one);
  CHECK(study.csv("many.sqlite", plan, {}, 16) == one);
  const auto lines = lines_of(one);
  REQUIRE(lines.size() == 10);
  CHECK(lines[0].starts_with("point,workers,batch,status,meets,engine,job_samples_per_s,"));
  const Result alone = simulate(load_scenario(
      study.folder / "base.toml", own_catalog(),
      {parse_override("loader.workers_per_gpu=4"), parse_override("workload.batch_per_gpu=64"),
       parse_override("run.engine=fluid")}));
  // Point 4 is the second of the workers with the second of the batches.
  CHECK(lines[5].starts_with(fmt::format("4,4,64,good,yes,fluid,{},{},", alone.job_samples_per_s,
                                         alone.job_gpu_utilization)));
}

TEST_CASE("a point that fails is recorded with its message, and the others are not disturbed") {
  const SweepStudy study;
  const auto lines = lines_of(study.csv("a.sqlite", study.plan()));
  const auto failed = std::ranges::count_if(
      lines, [](const auto& line) { return line.find(",failed,no,,,") != std::string::npos; });
  CHECK(failed == 3);
  // The batch that does not fit points to where the sweep has it.
  CHECK(lines.at(3).starts_with("2,1,1000000,failed,no,,"));
  CHECK(lines.at(3).find("at most 5,482 samples fit") != std::string::npos);
}

TEST_CASE("the best rows are those that meet all constraints, the cheapest first") {
  const std::string base =
      "system = { chassis = 'supermicro-as-2125hs-tnr', cpu = '2 x amd-epyc-9124', memory = "
      "'384 GB', gpu = '1 x nvidia-a10', drives = '2 x micron-5300-pro-3.84tb' }\n"
      "workload = { model = 'resnet-50', dataset = 'imagenet-1k' }\n"
      "run = { max_steps = 5 }\n";
  const SweepStudy by_hand("", base);
  const auto price = [&](int drives) {
    const Result result = simulate(load_scenario(
        by_hand.folder / "base.toml", own_catalog(),
        {parse_override(fmt::format("system.drives={} x micron-5300-pro-3.84tb", drives))}));
    return (result.without_price.empty() ? "" : "at least ") + text_number(*result.price_USD, 15) +
           " USD  ";
  };
  const SweepStudy study(
      fmt::format("scenario = 'base.toml'\nconstraint = ['price_USD <= {}']\n"
                  "[[axis]]\nname = 'drives'\npath = 'system.drives'\n"
                  "values = ['8 x micron-5300-pro-3.84tb', '4 x micron-5300-pro-3.84tb', "
                  "'2 x micron-5300-pro-3.84tb']\n",
                  *simulate(load_scenario(by_hand.folder / "base.toml", own_catalog(),
                                          {parse_override("system.drives=5 x "
                                                          "micron-5300-pro-3.84tb")}))
                       .price_USD),
      base);
  const SweepPlan plan = study.plan();
  study.csv("best.sqlite", plan);
  SweepStore store(study.folder / "best.sqlite", plan, {});
  REQUIRE(store.counts().meeting == 2);
  const auto lines = lines_of(best_rows(store, plan.sweep));
  REQUIRE(lines.size() == 5);
  CHECK(lines[1] == "The cheapest that meet the constraints:");
  CHECK(lines[3].starts_with("  2 x micron-5300-pro-"));
  CHECK(lines[3].find("  " + price(2)) != std::string::npos);
  CHECK(lines[4].starts_with("  4 x micron-5300-pro-"));
  CHECK(lines[4].find("  " + price(4)) != std::string::npos);
}

TEST_CASE("what has parts without a price is never the cheapest") {
  const SweepStudy study(
      "scenario = 'base.toml'\nconstraint = ['throughput_samples_per_s > 0']\n"
      "[[axis]]\nname = 'drive'\npath = 'system.drive[*].model'\n"
      "values = ['micron-6600-ion-245.76tb-e3.l', 'samsung-pm983-1.92tb']\n",
      "system = 'nvidia-dgx-a100'\nworkload = { model = 'resnet-50', dataset = 'imagenet-1k' }\n"
      "run = { max_steps = 5 }\n");
  const SweepPlan plan = study.plan();
  study.csv("unpriced.sqlite", plan);
  SweepStore store(study.folder / "unpriced.sqlite", plan, {});
  const auto lines = lines_of(best_rows(store, plan.sweep));
  REQUIRE(lines.size() == 5);
  CHECK(lines[3].find("samsung-pm983") != std::string::npos);
  CHECK(lines[4].find("at least") != std::string::npos);
}

TEST_CASE("where nothing meets the constraints, no rows are the best") {
  const SweepStudy study(
      "scenario = 'base.toml'\nconstraint = ['accelerator_utilization >= 101 %']\n"
      "[[axis]]\npath = 'loader.workers_per_gpu'\nvalues = [1]\n");
  const SweepPlan plan = study.plan();
  study.csv("none.sqlite", plan);
  SweepStore store(study.folder / "none.sqlite", plan, {});
  CHECK(best_rows(store, plan.sweep).empty());
}

TEST_CASE("where each lacks the price of another part, none is the cheapest") {
  const SweepStudy study(
      "scenario = 'base.toml'\nconstraint = ['throughput_samples_per_s > 0']\n"
      "[[axis]]\nname = 'drives'\npath = 'replace[0].count'\nvalues = [2, 4]\n",
      "system = 'nvidia-dgx-a100'\nworkload = { model = 'resnet-50', dataset = 'imagenet-1k' }\n"
      "run = { max_steps = 5 }\n[[replace]]\npart = 'ssd*'\n"
      "with = 'micron-6600-ion-245.76tb-e3.l'\n");
  const SweepPlan plan = study.plan();
  study.csv("each.sqlite", plan);
  SweepStore store(study.folder / "each.sqlite", plan, {});
  CHECK(lines_of(best_rows(store, plan.sweep))[1] == "The greatest rate of the job:");
}

TEST_CASE("a price that lacks parts is a least one in the best rows") {
  const SweepStudy study(
      "scenario = 'base.toml'\n[[axis]]\nname = 'drive'\npath = 'system.drive[*].model'\n"
      "values = ['micron-6600-ion-245.76tb-e3.l', 'samsung-pm983-1.92tb']\n",
      "system = 'nvidia-dgx-a100'\nworkload = { model = 'resnet-50', dataset = 'imagenet-1k' }\n"
      "run = { max_steps = 5 }\n");
  const SweepPlan plan = study.plan();
  study.csv("least.sqlite", plan);
  SweepStore store(study.folder / "least.sqlite", plan, {});
  const auto lines = lines_of(best_rows(store, plan.sweep));
  REQUIRE(lines.size() == 5);
  CHECK(lines[1] == "The greatest rate of the job:");
  for (const std::size_t row : {3U, 4U})
    CHECK((lines[row].find("  at least ") != std::string::npos) ==
          (lines[row].find("micron") != std::string::npos));
}

TEST_CASE("a store from before rates of whole jobs were columns still tells its best rows") {
  const SweepStudy study("scenario = 'base.toml'\n[[axis]]\npath = 'nodes'\nvalues = [1, 2]\n");
  const SweepPlan plan = study.plan();
  study.csv("old.sqlite", plan);
  Database(study.folder / "old.sqlite", Database::Mode::existing)
      .execute(
          "ALTER TABLE point DROP COLUMN digest; PRAGMA user_version = 1; "
          "ALTER TABLE point DROP COLUMN job_samples_per_s; "
          "ALTER TABLE point DROP COLUMN job_gpu_utilization");
  forget_files();
  SweepStore store(study.folder / "old.sqlite");
  const auto lines = lines_of(best_rows(store, plan.sweep));
  REQUIRE(lines.size() == 5);
  const Result alone = simulate(
      load_scenario(study.folder / "base.toml", own_catalog(), {parse_override("nodes=1")}));
  CHECK(lines[4].find(text_number(alone.throughput_samples_per_s)) != std::string::npos);
}

TEST_CASE("a stopped sweep goes on with the points that it lacks, and keeps those that it has") {
  const SweepStudy study;
  const SweepPlan plan = study.plan();
  const std::string whole = study.csv("whole.sqlite", plan);
  const auto before = lines_of(study.csv("a.sqlite", plan, {}, 1, 1));
  REQUIRE(before.size() >= 2);
  CHECK(study.csv("a.sqlite", plan) == whole);
  SweepStore store(study.folder / "a.sqlite", plan, {});
  SweepRow again;
  again.message = "twice";
  store.add(plan, {again});
  CHECK(to_csv(store) == whole);
}

TEST_CASE("shards are as large as one another, and have each value of an axis about as often") {
  // Eight values of the fastest axis and eight shards: every eighth point would be one value.
  constexpr std::int64_t kShards = 8;
  constexpr std::int64_t kPoints = 5 * kShards * kShards;
  for (std::int64_t i = 1; i <= kShards; ++i) {
    const Shard shard{i, kShards};
    std::vector<int> seen(8, 0);
    for (std::int64_t point = 0; point < kPoints; ++point)
      if (shard.has(point)) ++seen[static_cast<std::size_t>(point % 8)];
    CHECK(seen == std::vector<int>(8, 5));
  }
}

TEST_CASE("what an axis cannot give to the scenario is told before anything runs") {
  const auto refused = [](const std::string& axis, const std::string& top = "") {
    const SweepStudy study("scenario = 'base.toml'\n" + top + "\naxis = [{ " + axis + " }]\n");
    return study.without_folder(refusal_of([&] { study.plan(); }));
  };
  CHECK(refused("path = 'loader.wrkers', values = [1, 2]") ==
        "sweep.toml:3:45: error: loader: unknown key \"wrkers\"; known: style, workers_per_gpu, "
        "readers, prefetch_batches, worker_start, persistent_workers, drop_last, "
        "between_epochs, shuffle_time_per_file, decode, decode_cores, cores, ...\n");
  CHECK(refused("path = 'loader.workers_per_gpu', values = [1, -1, '8']") ==
        "sweep.toml:3:57: error: loader.workers_per_gpu must be a whole number from 0 to 1024; "
        "found -1\n"
        "sweep.toml:3:61: error: loader.workers_per_gpu must be a whole number from 0 to 1024; "
        "found \"8\"\n");
  CHECK(refused("path = 'workload.model', values = ['resnet-5']") ==
        "sweep.toml:3:46: error: workload.model: no model \"resnet-5\" in the catalog; did you "
        "mean \"resnet-50\"?\n");
  CHECK(refused("path = 'system.drive[ssd9].model', values = ['sata-ssd-1.92tb']") ==
        "sweep.toml:3:56: error: there is no system.drive[ssd9]; did you mean \"ssd0\"?\n");
  CHECK(refused("path = 'run.seed', name = 'step_s', values = [1]") ==
        "sweep.toml:3:9: error: an axis cannot be called step_s: another column of the results is "
        "too\n");
  CHECK(refused("path = 'run.seed', name = 'Status', values = [1]") ==
        "sweep.toml:3:9: error: an axis cannot be called Status: another column of the results is "
        "called status\n");
  CHECK(refused("path = 'run.seed', values = [1]", "constraint = ['step_z < 1']") ==
        "sweep.toml:2:15: error: \"step_z < 1\": there is no \"step_z\" here; did you mean "
        "\"step_s\"?\n");
  CHECK(refused("path = 'run.seed', values = [1]", "constraint = ['step_s < 1 s']") ==
        "sweep.toml:2:15: error: \"step_s < 1 s\": a number without a unit cannot be compared with "
        "a time\n");
  CHECK(refusal_of([] {
          SweepStudy("scenario = 'no.toml'\naxis = [{ path = 'a', values = [1] }]").plan();
        }).ends_with("no.toml\", which the axes vary\n"));
}

TEST_CASE("points that failed through a fault of ours are told first") {
  const SweepStudy study;
  const SweepPlan plan = study.plan();
  SweepStore store(study.folder / "a.sqlite", plan, {});
  SweepRow input;
  input.message = "base.toml: wrong";
  SweepRow fault;
  fault.point = 1;
  fault.message = "internal error: a promise";
  store.add(plan, {input});
  CHECK(study.without_folder(summary_of(store, 9, true)) ==
        "a.sqlite: 1 of 9 points, 1 of them failed; 0 meet the constraints\n"
        "the first to fail: point 0: base.toml: wrong\n");
  store.add(plan, {fault});
  CHECK(study.without_folder(summary_of(store, 9, false)) ==
        "1 point failed through a fault of gpufeed; point 1: internal error: a promise\n"
        "a.sqlite: 2 of 9 points, 2 of them failed\n"
        "the first to fail: point 0: base.toml: wrong\n");
  CHECK(store.counts().faults == 1);
}

TEST_CASE("a CSV holds no formulas and no control characters of others") {
  const SweepStudy study(
      "scenario = 'base.toml'\n[[axis]]\nname = '@workers'\npath = 'loader.workers_per_gpu'\n"
      "values = [4]\n[[axis]]\nname = 'title'\npath = 'title'\nvalues = ['=1+1', '-x', 'a,b']\n");
  const SweepPlan plan = study.plan();
  const auto lines = lines_of(study.csv("a.sqlite", plan));
  CHECK(lines.at(0).starts_with("point,'@workers,title,"));
  CHECK(lines.at(1).starts_with("0,4,'=1+1,good,"));
  CHECK(lines.at(2).starts_with("1,4,'-x,good,"));
  CHECK(lines.at(3).starts_with("2,4,\"a,b\",good,"));
  SweepStore store(study.folder / "b.sqlite", plan, {});
  SweepRow row;
  row.message = "=a\x1b[2J";
  store.add(plan, {row});
  CHECK(lines_of(to_csv(store)).at(1).ends_with(",'=a\\x1b[2J"));
}
