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
#include "tests/support/temporary_folder.h"

using namespace gpufeed;

namespace {

constexpr const char* kBase =
    "system = 'nvidia-dgx1-p100'\n"
    "workload = { model = 'alexnet', dataset = 'imagenet-200kb-10m' }\n"
    "run = { max_steps = 5 }\n";
constexpr const char* kSweep =
    "scenario = 'base.toml'\n"
    "constraint = ['accelerator_utilization >= 20 %']\n"
    "[[axis]]\nname = 'workers'\npath = 'loader.workers_per_gpu'\nvalues = [1, 4, 8]\n"
    "[[axis]]\nname = 'batch'\npath = 'workload.batch_per_gpu'\nvalues = [16, 64, 1000000]\n";

/// A folder with a base scenario and a sweep of it.
struct Study {
  TemporaryFolder folder;

  explicit Study(const std::string& sweep = kSweep, const std::string& base = kBase) {
    folder.write("base.toml", base);
    folder.write("sweep.toml", sweep);
  }
  SweepPlan plan(const std::string& version = "1") const {
    return plan_sweep(folder / "sweep.toml", own_catalog(), {}, version);
  }
  /// Runs until `most` points are finished in all, or more that were under way.
  std::string csv(const std::string& file, const SweepPlan& plan, const Shard& shard = {},
                  unsigned jobs = 2, std::int64_t most = 1000000) const {
    SweepStore store(folder / file, plan, shard);
    std::int64_t finished = 0;
    run_sweep(plan, store,
              {.shard = shard,
               .jobs = jobs,
               .stop = [&] { return finished >= most; },
               .progress = [&](std::int64_t done, std::int64_t) { finished = done; }});
    return to_csv(store);
  }
  std::string refused(const std::string& file, const SweepPlan& other, const Shard& shard = {}) {
    forget_files();  // as a run of its own
    return without_folder(refusal_of([&] { SweepStore(folder / file, other, shard); }));
  }
  std::string merged(const std::vector<std::string>& files) {
    std::vector<std::filesystem::path> paths;
    for (const auto& file : files) paths.push_back(folder / file);
    forget_files();
    return without_folder(refusal_of([&] { merge_sweeps(folder / "all.sqlite", paths); }));
  }
  std::string without_folder(std::string text) const {
    const std::string start = (folder / "").string();
    for (auto at = text.find(start); at != std::string::npos; at = text.find(start))
      text.erase(at, start.size());
    return text;
  }
};

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace

TEST_CASE("a point's result is that of its scenario, whatever the number of jobs") {
  const Study study;
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
  const Study study;
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
  const Study by_hand("", base);
  const auto price = [&](int drives) {
    const Result result = simulate(load_scenario(
        by_hand.folder / "base.toml", own_catalog(),
        {parse_override(fmt::format("system.drives={} x micron-5300-pro-3.84tb", drives))}));
    return (result.without_price.empty() ? "" : "at least ") + text_number(*result.price_USD, 15) +
           " USD  ";
  };
  const Study study(
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
  const Study study(
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
  const Study study(
      "scenario = 'base.toml'\nconstraint = ['accelerator_utilization >= 101 %']\n"
      "[[axis]]\npath = 'loader.workers_per_gpu'\nvalues = [1]\n");
  const SweepPlan plan = study.plan();
  study.csv("none.sqlite", plan);
  SweepStore store(study.folder / "none.sqlite", plan, {});
  CHECK(best_rows(store, plan.sweep).empty());
}

TEST_CASE("where each lacks the price of another part, none is the cheapest") {
  const Study study(
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
  const Study study(
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
  const Study study("scenario = 'base.toml'\n[[axis]]\npath = 'nodes'\nvalues = [1, 2]\n");
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
  const Study study;
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

TEST_CASE("results of another plan or shard are not gone on with") {
  Study study;
  const SweepPlan plan = study.plan();
  study.csv("a.sqlite", plan);
  const std::string end = " differs; name another file with --out, or remove it\n";
  CHECK(study.refused("a.sqlite", plan) == "accepted");
  CHECK(study.refused("a.sqlite", study.plan("2")) ==
        "a.sqlite: error: holds results of something else: the version of gpufeed" + end);
  CHECK(
      study.refused("a.sqlite", plan, {2, 3}) ==
      "a.sqlite: error: holds all points; asked for is shard 2/3; name another file with --out\n");
  CHECK(
      study.refused("a.sqlite",
                    Study(std::string(kSweep) + "[sample]\nkind = 'random'\ncount = 5\n").plan()) ==
      "a.sqlite: error: holds results of something else: the sweep" + end);
  CHECK(study.refused("a.sqlite", Study(kSweep, std::string("title = 'b'\n") + kBase).plan()) ==
        "a.sqlite: error: holds results of something else: the base scenario" + end);
  // Comments and order say nothing.
  CHECK(study.refused("a.sqlite", Study(kSweep, std::string("# b\n") + kBase).plan()) ==
        "accepted");
  TemporaryFolder more;
  std::filesystem::create_directory(more / "drive");
  more.write("drive/new.toml", "title = 'x'\n");
  const std::string source = GPUFEED_SOURCE_DIR;
  const Catalog larger({more / "", source + "/hw_catalog", source + "/workloads"});
  CHECK(study.refused("a.sqlite", plan_sweep(study.folder / "sweep.toml", larger, {}, "1")) ==
        "a.sqlite: error: holds results of something else: the catalog" + end);
}

TEST_CASE("files that are no results are refused") {
  Study study;
  const SweepPlan plan = study.plan();
  study.folder.write("text.sqlite", std::string(2000, 'x'));
  CHECK(study.refused("text.sqlite", plan) == "text.sqlite: error: file is not a database\n");
  {
    Database other(study.folder / "other.sqlite", Database::Mode::create);
    other.execute("CREATE TABLE t (x)");
  }
  CHECK(study.refused("other.sqlite", plan) ==
        "other.sqlite: error: is a database, but holds no results of a sweep\n");
  study.folder.write("empty.sqlite", "");
  CHECK(study.merged({"empty.sqlite"}) ==
        "empty.sqlite: error: holds no results of a sweep: it is empty\n");
  CHECK(study.refused("empty.sqlite", plan) == "accepted");
  CHECK(study.refused("missing/a.sqlite", plan) ==
        "missing/a.sqlite: error: cannot be made: No such file or directory\n");
}

TEST_CASE("merged shards are, to the byte, what one run gives") {
  const Study study;
  const SweepPlan plan = study.plan();
  const std::string whole = study.csv("whole.sqlite", plan);
  for (std::int64_t i = 1; i <= 4; ++i) study.csv(fmt::format("{}.sqlite", i), plan, {i, 4});
  const MergeReport report = merge_sweeps(study.folder / "all.sqlite",
                                          {study.folder / "3.sqlite", study.folder / "1.sqlite",
                                           study.folder / "4.sqlite", study.folder / "2.sqlite"});
  CHECK(report.missing == 0);
  CHECK(report.points == 9);
  CHECK(study.csv("all.sqlite", plan) == whole);
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

TEST_CASE("a merge says which points are missing, and a sweep can go on with it") {
  const Study study;
  const SweepPlan plan = study.plan();
  study.csv("1.sqlite", plan, {1, 4});  // points 0, 7
  study.csv("3.sqlite", plan, {3, 4});  // points 2, 5, 8
  const MergeReport report = merge_sweeps(study.folder / "all.sqlite",
                                          {study.folder / "1.sqlite", study.folder / "3.sqlite"});
  CHECK(report.missing == 4);
  CHECK(report.gaps == std::vector<Gap>{{1, 1}, {3, 4}, {6, 6}});
  CHECK(study.csv("all.sqlite", plan) == study.csv("whole.sqlite", plan));
}

TEST_CASE("a merge refuses mixtures, overlaps and a file that is there already") {
  Study study;
  study.csv("1.sqlite", study.plan("1"), {1, 2});
  study.csv("2.sqlite", study.plan("2"), {2, 2});
  study.csv("whole.sqlite", study.plan("1"));
  CHECK(study.merged({"1.sqlite", "2.sqlite"}) ==
        "2.sqlite: error: does not belong with 1.sqlite: the version of gpufeed differs\n");
  CHECK(study.merged({"1.sqlite", "whole.sqlite"}) ==
        "whole.sqlite: error: has 5 points that 1.sqlite has too, the first: 0\n");
  CHECK(study.merged({"1.sqlite", "no.sqlite"}) == "no.sqlite: error: there is no such file\n");
  Study other(std::string(kSweep) + "[[axis]]\npath = 'run.seed'\nvalues = [1]\n");
  other.csv("a.sqlite", other.plan("1"), {2, 2});
  std::filesystem::copy(other.folder / "a.sqlite", study.folder / "other.sqlite");
  CHECK(study.merged({"1.sqlite", "other.sqlite"}) ==
        "other.sqlite: error: does not belong with 1.sqlite: the sweep differs\n");
  CHECK(!std::filesystem::exists(study.folder / "all.sqlite"));
  CHECK(study.merged({"1.sqlite"}) == "accepted");
  CHECK(study.merged({"1.sqlite"}) ==
        "all.sqlite: error: exists already, and is never overwritten\n");
}

TEST_CASE("what an axis cannot give to the scenario is told before anything runs") {
  const auto refused = [](const std::string& axis, const std::string& top = "") {
    const Study study("scenario = 'base.toml'\n" + top + "\naxis = [{ " + axis + " }]\n");
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
          Study("scenario = 'no.toml'\naxis = [{ path = 'a', values = [1] }]").plan();
        }).ends_with("no.toml\", which the axes vary\n"));
}

TEST_CASE("a store is data: other tables, damage and strange points are refused") {
  Study study;
  const SweepPlan plan = study.plan();
  study.csv("good.sqlite", plan);
  const auto after = [&](const std::string& sql) {
    std::filesystem::copy_file(study.folder / "good.sqlite", study.folder / "bad.sqlite",
                               std::filesystem::copy_options::overwrite_existing);
    Database(study.folder / "bad.sqlite", Database::Mode::existing).execute(sql);
    std::string said = study.refused("bad.sqlite", plan);
    CHECK(study.merged({"bad.sqlite"}) == said);
    return said;
  };
  const std::string no = "bad.sqlite: error: holds no results of a sweep: ";
  CHECK(
      after("ALTER TABLE point RENAME TO p2; CREATE VIEW point AS WITH RECURSIVE r(i) AS (SELECT 1 "
            "UNION ALL SELECT i + 1 FROM r) SELECT i AS point, p2.* FROM r, p2") ==
      no + "it holds the view \"point\"\n");
  CHECK(after("CREATE TRIGGER t AFTER INSERT ON point BEGIN DELETE FROM about; END") ==
        no + "it holds the trigger \"t\"\n");
  CHECK(after("CREATE INDEX i ON point (status)") == no + "it holds the index \"i\"\n");
  CHECK(after("CREATE TABLE more (x)") == no + "its tables have another form\n");
  CHECK(after("ALTER TABLE point ADD COLUMN more") == no + "its tables have another form\n");
  CHECK(after("ALTER TABLE point DROP COLUMN message") == no + "its points lack columns\n");
  CHECK(after("UPDATE point SET point = 9 WHERE point = 8") ==
        no + "its point 9 is none of this sweep\n");
  CHECK(after("UPDATE point SET point = -1 WHERE point = 8") ==
        no + "its point -1 is none of this sweep\n");
  CHECK(after("UPDATE point SET status = 'x' WHERE point = 3") ==
        no + "its point 3 is none of this sweep\n");
  CHECK(after("UPDATE about SET value = '9 ' WHERE key = 'points'") ==
        no + "it does not say of how many points\n");
  CHECK(after("DELETE FROM about WHERE key = 'shard'") ==
        no + "it does not say of how many points\n");
}

TEST_CASE("a page that is overwritten is told before a row is read") {
  Study study;
  const SweepPlan plan = study.plan();
  study.csv("bad.sqlite", plan);
  {
    std::fstream file(study.folder / "bad.sqlite", std::ios::in | std::ios::out);
    const auto size = std::filesystem::file_size(study.folder / "bad.sqlite");
    for (std::size_t page = 4096; page < size; page += 4096) {
      file.seekp(static_cast<std::streamoff>(page + 3));
      file.write("\xff\xff\xff\xff", 4);
    }
  }
  CHECK(study.refused("bad.sqlite", plan) != "accepted");
}

TEST_CASE("a merge holds no more and no other points than the sweep") {
  Study study;
  const SweepPlan plan = study.plan();
  study.csv("1.sqlite", plan, {1, 2});
  study.csv("2.sqlite", plan, {2, 2});
  Database(study.folder / "2.sqlite", Database::Mode::existing)
      .execute("UPDATE about SET value = '10' WHERE key = 'points'");
  CHECK(study.merged({"1.sqlite", "2.sqlite"}) ==
        "2.sqlite: error: was changed after it was written: none of its points fits its digest (4 "
        "of 4); remove the file, and run the sweep again\n");
  study.folder.write("all.sqlite.part", "someone's");
  CHECK(study.merged({"1.sqlite"}) == "accepted");
  CHECK(std::filesystem::file_size(study.folder / "all.sqlite.part") == 9);
}

TEST_CASE("points that failed through a fault of ours are told first") {
  const Study study;
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
  const Study study(
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
