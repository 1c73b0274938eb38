// SPDX-License-Identifier: Apache-2.0
#include "reports/study/validate.h"

#include <doctest/doctest.h>

#include "reports/study/result_value.h"
#include "reports/study/validation_scores.h"
#include "reports/writers/json.h"
#include "reports/writers/validation.h"
#include "tests/support/catalog.h"
#include "tests/support/checks.h"
#include "tests/support/refusals.h"
#include "tests/support/temporary_folder.h"

using namespace gpufeed;

namespace {

Result sample() {
  Result result;
  result.throughput_samples_per_s = 200;
  result.gpus.push_back({"gpu0", 1, {}});
  result.gpus.front().share.exchange = 0.25;
  result.io.push_back({"read", 10, 5e9, 0.1, 1});
  result.benchmark.emplace().utilization_v1 = 0.5;
  return result;
}

ScoredRow row_of(double measured, double predicted, double times) {
  ScoredRow scored;
  scored.row.mechanism = "M";
  scored.row.role = "predict";
  scored.row.score = "relative";
  scored.row.measured = measured;
  scored.row.predicted = predicted;
  scored.row.error = error_of(scored.row, predicted);
  scored.baseline.emplace().times = times;
  return scored;
}

constexpr const char* kCases =
    "title = 'Two'\nsource = 'S'\nmechanism = 'rate'\n"
    "[scenario]\nsystem = 'nvidia-dgx1-p100'\n"
    "workload = { model = 'alexnet', dataset = 'imagenet-200kb-10m' }\n"
    "[[case]]\ntitle = 'good'\nset = ['run.max_steps=5', 'workload.gpus=1']\n"
    "measured = [{ key = 'throughput_samples_per_s', value = 1000, unit = 'samples/s' }]\n"
    "[[case]]\ntitle = 'too large'\nset = ['workload.batch_per_gpu=1000000']\n"
    "measured = [{ key = 'throughput_samples_per_s', value = 1000 }]\n"
    "[[case]]\ntitle = 'no such key'\nset = ['run.max_steps=5']\n"
    "measured = [{ key = 'throughput', value = 1000 }]\n";

}  // namespace

TEST_CASE("numbers of a result are found by path, and multiplied and divided from left to right") {
  const Result result = sample();
  const auto value = [&](const std::string& key) { return result_value(result, key, {}); };
  CHECK(value("throughput_samples_per_s") == 200);
  CHECK(value("gpus[0].share.exchange") == 0.25);
  CHECK(value("gpus[gpu0].count") == 1);
  CHECK(value("io[read].bandwidth_Bps") == 5e9);
  CHECK(value("throughput_samples_per_s / benchmark.utilization_v1 / 4 * 3") == about(300));
  const auto refused = [&](const std::string& key) {
    return refusal_of([&] { result_value(result, key, {"c.toml", 3, 1}); });
  };
  CHECK(refused("io[write].iops") ==
        "c.toml:3:1: error: the result's \"io[write].iops\": the list of 1 has no \"write\"\n");
  CHECK(refused("benchmark.utilisation_v1") ==
        "c.toml:3:1: error: the result's \"benchmark.utilisation_v1\": there is no "
        "\"utilisation_v1\"; did you mean \"utilization_v1\"?\n");
  CHECK(refused("checkpoint.cost_s") ==
        "c.toml:3:1: error: the result's \"checkpoint.cost_s\" is not known for this workload\n");
  CHECK(refused("title") == "c.toml:3:1: error: the result's \"title\": it is text\n");
}

TEST_CASE("scores are means of absolute errors; a constant baseline is made of the other rows") {
  // Measured 100, 220, 330 of 1, 2, 3 GPUs: 100, 110, 110 for each.
  std::vector<ScoredRow> rows{row_of(100, 110, 1), row_of(220, 209, 2), row_of(330, 330, 3)};
  add_baselines(rows);
  CHECK(*rows[0].row.baseline == about(110));
  CHECK(*rows[1].row.baseline == about((100 + 110) / 2.0 * 2));
  CHECK(*rows[2].row.baseline_error == about(100 * (315.0 / 330 - 1)));
  std::vector<ValidationRow> plain;
  for (const auto& scored : rows) plain.push_back(scored.row);
  plain.push_back(plain.front());
  plain.back().role = "fit";
  plain.back().error = 50;
  const auto scores = mechanism_scores(plain);
  REQUIRE(scores.size() == 1);
  CHECK(scores[0].cases == 3);
  CHECK(scores[0].mean_abs_error == about((10 + 5 + 0) / 3.0));
  CHECK(scores[0].median_abs_error == about(5));
  CHECK(scores[0].p95_abs_error == about(10));
  CHECK(scores[0].mean_error == about((10 - 5 + 0) / 3.0));
  const double baseline = (10 + 100 * (1 - 210.0 / 220) + 100 * (1 - 315.0 / 330)) / 3;
  CHECK(*scores[0].baseline_mean_abs_error == about(baseline));
  CHECK(*scores[0].over_baseline == about(5 / baseline));
}

TEST_CASE("of two rows of a group more than 5 % apart, the better should be named rightly") {
  std::vector<ValidationRow> rows{row_of(100, 90, 1).row, row_of(104, 80, 1).row,
                                  row_of(200, 95, 1).row};
  for (auto& row : rows) row.group = "g";
  const PairScore score = pair_score(rows);  // 100 and 104 are too near
  CHECK(score.pairs == 2);
  CHECK(score.right == 2);
  rows[2].predicted = 85;
  CHECK(pair_score(rows).right == 1);
}

TEST_CASE("a case that fails is reported, and the others go on; bars are held against scores") {
  TemporaryFolder folder;
  folder.write("bars.toml", "[[bar]]\nmechanism = 'rate'\nmean = 0.001\n");
  std::filesystem::create_directory(folder / "cases");
  folder.write("cases/two.toml", kCases);
  folder.write("other.toml", "this is no case");
  const auto files = case_files(folder / ".");
  REQUIRE(files.size() == 1);
  CHECK(refusal_of([&] { case_files(folder / "none"); }) ==
        (folder / "none").string() + ": error: there is no such file or folder\n");
  ValidationRun run;
  run.jobs = 2;
  std::int64_t told = 0;
  run.progress = [&](std::int64_t finished, std::int64_t of) { told = 10 * finished + of; };
  ValidationReport report = validate(files, own_catalog(), run);
  CHECK(told == 33);
  REQUIRE(report.rows.size() == 1);
  CHECK(report.rows[0].title == "good");
  CHECK(report.rows[0].error == about(100 * (report.rows[0].predicted / 1000 - 1)));
  REQUIRE(report.failures.size() == 2);
  CHECK(report.failures[0].title == "too large");
  CHECK(report.failures[1].message.find("there is no \"throughput\"") != std::string::npos);
  hold_against(bars_for(folder / ".", own_catalog()), report);
  REQUIRE(report.mechanisms.size() == 1);
  CHECK(report.mechanisms[0].missed_bars.size() == 1);
  CHECK(to_json(report).find("\"mean_abs_error\"") != std::string::npos);
  CHECK(to_text(report).find("FAILED too large") != std::string::npos);
  CHECK(to_board(report, "p.svg").find("| rate | 1 | ") != std::string::npos);
  CHECK(to_html(report).find("<svg") != std::string::npos);
}
