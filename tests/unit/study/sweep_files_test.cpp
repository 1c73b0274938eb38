// SPDX-License-Identifier: Apache-2.0
// Files of sweeps: gone on with, merged, damaged, of others.
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

TEST_CASE("results of another plan or shard are not gone on with") {
  SweepStudy study;
  const SweepPlan plan = study.plan();
  study.csv("a.sqlite", plan);
  const std::string end = " differs; name another file with --out, or remove it\n";
  CHECK(study.refused("a.sqlite", plan) == "accepted");
  CHECK(study.refused("a.sqlite", study.plan("2")) ==
        "a.sqlite: error: holds results of something else: the version of gpufeed" + end);
  CHECK(
      study.refused("a.sqlite", plan, {2, 3}) ==
      "a.sqlite: error: holds all points; asked for is shard 2/3; name another file with --out\n");
  CHECK(study.refused(
            "a.sqlite",
            SweepStudy(std::string(kSweep) + "[sample]\nkind = 'random'\ncount = 5\n").plan()) ==
        "a.sqlite: error: holds results of something else: the sweep" + end);
  CHECK(
      study.refused("a.sqlite", SweepStudy(kSweep, std::string("title = 'b'\n") + kBase).plan()) ==
      "a.sqlite: error: holds results of something else: the base scenario" + end);
  // Comments and order say nothing.
  CHECK(study.refused("a.sqlite", SweepStudy(kSweep, std::string("# b\n") + kBase).plan()) ==
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
  SweepStudy study;
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
  const SweepStudy study;
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

TEST_CASE("a merge says which points are missing, and a sweep can go on with it") {
  const SweepStudy study;
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
  SweepStudy study;
  study.csv("1.sqlite", study.plan("1"), {1, 2});
  study.csv("2.sqlite", study.plan("2"), {2, 2});
  study.csv("whole.sqlite", study.plan("1"));
  CHECK(study.merged({"1.sqlite", "2.sqlite"}) ==
        "2.sqlite: error: does not belong with 1.sqlite: the version of gpufeed differs\n");
  CHECK(study.merged({"1.sqlite", "whole.sqlite"}) ==
        "whole.sqlite: error: has 5 points that 1.sqlite has too, the first: 0\n");
  CHECK(study.merged({"1.sqlite", "no.sqlite"}) == "no.sqlite: error: there is no such file\n");
  SweepStudy other(std::string(kSweep) + "[[axis]]\npath = 'run.seed'\nvalues = [1]\n");
  other.csv("a.sqlite", other.plan("1"), {2, 2});
  std::filesystem::copy(other.folder / "a.sqlite", study.folder / "other.sqlite");
  CHECK(study.merged({"1.sqlite", "other.sqlite"}) ==
        "other.sqlite: error: does not belong with 1.sqlite: the sweep differs\n");
  CHECK(!std::filesystem::exists(study.folder / "all.sqlite"));
  CHECK(study.merged({"1.sqlite"}) == "accepted");
  CHECK(study.merged({"1.sqlite"}) ==
        "all.sqlite: error: exists already, and is never overwritten\n");
}

TEST_CASE("a store is data: other tables, damage and strange points are refused") {
  SweepStudy study;
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
  SweepStudy study;
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

TEST_CASE("absurd sizes in a small file are damage, and no lack of memory") {
  SweepStudy study;
  std::filesystem::copy_file(GPUFEED_SOURCE_DIR "/tests/fuzz/stores/sizes_beyond_memory.sqlite",
                             study.folder / "bad.sqlite");
  CHECK(study.refused("bad.sqlite", study.plan()) ==
        "bad.sqlite: error: is damaged: it names sizes beyond any memory\n");
}

TEST_CASE("a merge holds no more and no other points than the sweep") {
  SweepStudy study;
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

TEST_CASE("names that SQLite takes for memory or for addresses are files like others") {
  const SweepStudy study;
  const SweepPlan plan = study.plan();
  const std::string whole = study.csv("whole.sqlite", plan);
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(study.folder / "");
  std::vector<std::filesystem::path> shards{":memory:", "file:x?mode=memory", "it's one"};
  for (std::size_t i = 0; i < shards.size(); ++i) {
    const Shard shard{static_cast<std::int64_t>(i) + 1, 3};
    SweepStore store(shards[i], plan, shard);
    run_sweep(plan, store,
              {.shard = shard,
               .jobs = 1,
               .stop = [] { return false; },
               .progress = [](std::int64_t, std::int64_t) {}});
  }
  forget_files();
  merge_sweeps("all.sqlite", shards);
  SweepStore all("all.sqlite", Database::Mode::own);
  CHECK(to_csv(all) == whole);
  std::filesystem::current_path(before);
}

TEST_CASE("a shard that was changed is not joined, whoever joins it") {
  SweepStudy study;
  const SweepPlan plan = study.plan();
  study.csv("1.sqlite", plan, {1, 2});
  study.csv("2.sqlite", plan, {2, 2});
  Database(study.folder / "2.sqlite", Database::Mode::own)
      .execute("UPDATE point SET status = 'failed', message = 'x' WHERE point = 1");
  forget_files();
  CHECK(study.merged({"1.sqlite", "2.sqlite"}).find("was changed") != std::string::npos);
  forget_files();
  SweepStore own(study.folder / "1.sqlite", plan, {1, 2});
  CHECK(refusal_of([&] {
          join_sweeps(study.folder / "all.sqlite", own, {study.folder / "2.sqlite"});
        }).find("was changed") != std::string::npos);
  CHECK(!std::filesystem::exists(study.folder / "all.sqlite"));
}
