// SPDX-License-Identifier: Apache-2.0
// Rows of a sweep that were changed after they were written are refused by whatever reads them.
#include <doctest/doctest.h>

#include "reports/study/row_digest.h"
#include "reports/study/store_check.h"
#include "reports/study/sweep_csv.h"
#include "reports/study/sweep_merge.h"
#include "reports/study/sweep_summary.h"
#include "reports/writers/result_cells.h"
#include "sim/base/files/run_files.h"
#include "sim/load/study/sweep.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"
#include "tests/support/draws.h"
#include "tests/support/random_machine.h"
#include "tests/support/refusals.h"
#include "tests/support/temporary_folder.h"

using namespace gpufeed;

namespace {

/// A store of three points of four: two good, one failed.
struct Stored {
  TemporaryFolder folder;
  SweepPlan plan;

  Stored() : plan(plan_in(folder)) {
    SweepStore store(folder / "good.sqlite", plan, {});
    std::vector<SweepRow> rows(3);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i].point = static_cast<std::int64_t>(i);
      rows[i].good = i < 2;
      rows[i].meets = i == 0;
      for (const ResultColumn& column : result_columns()) rows[i].result.push_back(column.empty);
    }
    rows[2].message = "base.toml: wrong";
    store.add(plan, rows);
  }
  static SweepPlan plan_in(TemporaryFolder& folder) {
    folder.write("base.toml",
                 "system = 'nvidia-dgx1-p100'\n"
                 "workload = { model = 'alexnet', dataset = 'imagenet-200kb-10m' }\n");
    folder.write("sweep.toml",
                 "scenario = 'base.toml'\nconstraint = ['accelerator_utilization >= 20 %']\n"
                 "[[axis]]\npath = 'loader.workers_per_gpu'\nvalues = [1, 2, 4, 8]\n");
    return plan_sweep(folder / "sweep.toml", own_catalog(), {}, "1");
  }
  void change(const std::string& sql) {
    std::filesystem::copy_file(folder / "good.sqlite", folder / "bad.sqlite",
                               std::filesystem::copy_options::overwrite_existing);
    Database(folder / "bad.sqlite", Database::Mode::existing).execute(sql);
  }
  /// What going on with the file says; a merge, and opening it by itself, say the same.
  std::string refusal() {
    const auto said = [&](const auto& act) {
      forget_files();  // each as a run of its own
      std::string text = refusal_of(act);
      const std::string start = (folder / "").string();
      for (auto at = text.find(start); at != std::string::npos; at = text.find(start))
        text.erase(at, start.size());
      return text;
    };
    std::string resumed = said([&] { SweepStore(folder / "bad.sqlite", plan, {}); });
    CHECK(said([&] { SweepStore(folder / "bad.sqlite"); }) == resumed);
    CHECK(said([&] { merge_sweeps(folder / "all.sqlite", {folder / "bad.sqlite"}); }) == resumed);
    std::filesystem::remove(folder / "all.sqlite");
    return resumed;
  }
};

const std::string kChanged = "bad.sqlite: error: was changed after it was written: ";

/// What is said of one that was.
std::string changed(std::string_view point) {
  return fmt::format(
      "{}{} does not fit its digest; remove it (DELETE FROM point WHERE point IN (...)), and the "
      "sweep simulates it again\n",
      kChanged, point);
}

}  // namespace

TEST_CASE("whichever cell of a row is changed, the row is refused by its number") {
  Stored stored;
  stored.change("");
  REQUIRE(stored.refusal() == "accepted");
  auto columns = SweepStore(stored.folder / "good.sqlite").columns();
  REQUIRE(columns.size() > 40);
  columns.emplace_back(kDigest);
  const std::vector<std::string> values{"999999", "9e999", "-1.0", "'x'", "x'00'"};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string& column = columns[i];
    CAPTURE(column);
    if (column == "point") {
      stored.change("UPDATE point SET point = 3 WHERE point = 1");
      CHECK(stored.refusal() == changed("point 3"));
    } else if (column == "status" || column == "meets") {
      const bool status = column == "status";
      stored.change(fmt::format("UPDATE point SET {} = '{}' WHERE point = 1", column,
                                status ? "failed" : "yes"));
      CHECK(stored.refusal() == changed("point 1"));
    } else {
      // Each column by one value, every tenth by all of them
      for (std::size_t v = 0; v < values.size(); ++v) {
        if (i % 10 != 0 && v != i % values.size()) continue;
        const std::string& value = values[v];
        CAPTURE(value);
        stored.change(
            fmt::format("UPDATE point SET {} = {} WHERE point = 1", sql_name(column), value));
        CHECK(stored.refusal() == changed("point 1"));
      }
    }
  }
  stored.change("UPDATE point SET throughput_samples_per_s = 1 WHERE point < 2");
  CHECK(stored.refusal() ==
        kChanged +
            "points 0, 1 (2) do not fit their digests; remove them (DELETE FROM point WHERE point "
            "IN (...)), and the sweep simulates them again\n");
}

TEST_CASE("a whole number is not the same as one with a point, nor is a row that of another") {
  Stored stored;
  stored.change("UPDATE point SET throughput_samples_per_s = 0 WHERE point = 1");  // was 0.0
  CHECK(stored.refusal() == changed("point 1"));
  stored.change(
      "UPDATE point SET digest = (SELECT digest FROM point WHERE point = 0) "
      "WHERE point = 1");
  CHECK(stored.refusal() == changed("point 1"));
}

TEST_CASE("what a file says about itself cannot be changed below its rows") {
  Stored stored;
  for (const char* change : {"SET value = '5' WHERE key = 'points'",
                             "SET value = '2' WHERE key = 'the version of gpufeed'"}) {
    stored.change(fmt::format("UPDATE about {}", change));
    CHECK(stored.refusal() ==
          kChanged +
              "none of its points fits its digest (3 of 3); remove the file, and run the sweep "
              "again\n");
  }
}

TEST_CASE("a row that is removed is a point that is not finished") {
  Stored stored;
  stored.change("DELETE FROM point WHERE point = 1");
  CHECK(stored.refusal() == "accepted");
  CHECK(SweepStore(stored.folder / "bad.sqlite").finished() == std::vector<std::int64_t>{0, 2});
}

TEST_CASE("a file of an earlier version is read, told of, and its cells must be possible") {
  Stored stored;
  const std::string older = "ALTER TABLE point DROP COLUMN digest; PRAGMA user_version = 1; ";
  stored.change(older);
  CHECK(stored.refusal() == "accepted");
  forget_files();
  SweepStore store(stored.folder / "bad.sqlite", stored.plan, {});
  SweepStore good(stored.folder / "good.sqlite");
  CHECK(!store.has_digests());
  CHECK(to_csv(store) == to_csv(good));
  CHECK(summary_of(good, 4, false).find("digest") == std::string::npos);
  CHECK(summary_of(store, 4, false)
            .find("its rows have no digests, so that whether they were "
                  "changed cannot be seen\n") != std::string::npos);
  SweepRow more;
  more.point = 3;
  more.message = "base.toml: wrong";
  store.add(stored.plan, {more});
  CHECK(store.counts().finished == 4);

  const std::string no = "bad.sqlite: error: holds no results of a sweep: its point 1 has ";
  const auto after = [&](const std::string& sql) {
    stored.change(older + "UPDATE point SET " + sql + " WHERE point = 1");
    return stored.refusal();
  };
  CHECK(after("throughput_samples_per_s = 9e999") == no + "inf as throughput_samples_per_s\n");
  CHECK(after("throughput_samples_per_s = -1.0") == no + "-1 as throughput_samples_per_s\n");
  CHECK(after("throughput_samples_per_s = '7'") == no + "\"7\" as throughput_samples_per_s\n");
  CHECK(after("engine = 7") == no + "7 as engine\n");
  CHECK(after("epoch_s = -1.0") == no + "-1 as epoch_s\n");
  CHECK(after("\"simulated.steps\" = -1") == no + "-1 as simulated.steps\n");
  CHECK(after("\"checkpoint.cost_s\" = -1.0") == "accepted");  // writing may hide behind reading
  CHECK(after("status = 'failed'") ==
        "bad.sqlite: error: holds no results of a sweep: its point 1 failed, and has \"\" as "
        "engine\n");
}

TEST_CASE("no simulation makes a cell that would be taken for a changed one") {
  auto columns = result_column_names();
  columns.insert(columns.begin(), "status");
  for (std::uint64_t seed = 0; seed < draws(60u); ++seed) {
    CAPTURE(seed);
    Scenario scenario = systems::scenario_of(systems::random_machine(seed));
    scenario.run.range_samples = 8;
    auto cells = result_cells(simulate(scenario));
    cells.insert(cells.begin(), Cell(std::string("good")));
    CHECK(StrangeCells(columns).in(cells) == "");
  }
}

TEST_CASE("files with digests and files without are not joined") {
  Stored stored;
  stored.change("ALTER TABLE point DROP COLUMN digest; PRAGMA user_version = 1");
  const auto said = refusal_of([&] {
    merge_sweeps(stored.folder / "all.sqlite",
                 {stored.folder / "good.sqlite", stored.folder / "bad.sqlite"});
  });
  CHECK(said.find("bad.sqlite: error: does not belong with ") != std::string::npos);
  CHECK(said.find("the rows of one of them have no digests; run its sweep again") !=
        std::string::npos);
}

TEST_CASE("a file that is cut off is refused, wherever it ends") {
  Stored stored;
  stored.change("");
  const auto size = std::filesystem::file_size(stored.folder / "bad.sqlite");
  for (const auto end :
       {size - 1, size / 2, std::uintmax_t{4096}, std::uintmax_t{100}, std::uintmax_t{1}}) {
    CAPTURE(end);
    std::filesystem::resize_file(stored.folder / "bad.sqlite", end);
    CHECK(stored.refusal() != "accepted");
  }
}
