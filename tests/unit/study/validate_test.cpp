// SPDX-License-Identifier: Apache-2.0
#include "reports/study/validate.h"

#include <doctest/doctest.h>

#include <limits>

#include "reports/html/validation_page.h"
#include "reports/study/gpus_busy.h"
#include "reports/study/result_value.h"
#include "reports/study/validation_scores.h"
#include "reports/writers/json.h"
#include "reports/writers/validation.h"
#include "sim/load/study/validation.h"
#include "sim/model/scenario.h"
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
  CHECK(scores[0].p95_abs_error == about(9.5));
  CHECK(scores[0].mean_error == about((10 - 5 + 0) / 3.0));
  const double baseline = (10 + 100 * (1 - 210.0 / 220) + 100 * (1 - 315.0 / 330)) / 3;
  CHECK(*scores[0].baseline_mean_abs_error == about(baseline));
  CHECK(*scores[0].over_baseline == about(5 / baseline));
}

TEST_CASE("a constant baseline has not seen the row's system") {
  std::vector<ScoredRow> rows{row_of(100, 110, 1), row_of(220, 209, 2), row_of(330, 330, 3)};
  rows[0].row.system = rows[1].row.system = "A";
  rows[2].row.system = "B";
  add_baselines(rows);
  CHECK(*rows[0].row.baseline == about(110));
  CHECK(*rows[1].row.baseline == about(220));
  CHECK(*rows[2].row.baseline == about((100 + 110) / 2.0 * 3));
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
  run.bars = bars_for(folder / ".", own_catalog());
  std::int64_t told = 0;
  run.progress = [&](std::int64_t finished, std::int64_t of) { told = 10 * finished + of; };
  const ValidationReport report = validate(files, own_catalog(), run);
  CHECK(told == 33);
  CHECK_FALSE(report.failures[0].internal);
  REQUIRE(report.rows.size() == 1);
  CHECK(report.rows[0].title == "good");
  CHECK(report.rows[0].error == about(100 * (report.rows[0].predicted / 1000 - 1)));
  REQUIRE(report.failures.size() == 2);
  CHECK(report.failures[0].title == "too large");
  CHECK(report.failures[1].message.find("there is no \"throughput\"") != std::string::npos);
  REQUIRE(report.mechanisms.size() == 1);
  CHECK(report.mechanisms[0].missed_bars.size() == 1);
  CHECK(to_json(report).find("\"mean_abs_error\"") != std::string::npos);
  CHECK(to_text(report).find("FAILED too large") != std::string::npos);
  CHECK(to_board(report, "p.svg").find("| rate | 1 | ") != std::string::npos);
  CHECK(html::to_html(report, {"t", "c", "1"}).find("<svg") != std::string::npos);
}

TEST_CASE("of counts, those within 1 or 5 % hit; their errors have a median in percent") {
  // 10 and 12 are 2 apart; 40 and 42 are 5 % apart; 2 and 1 are 1 apart.
  std::vector<ValidationRow> rows{row_of(10, 12, 1).row, row_of(40, 42, 1).row, row_of(2, 1, 1).row,
                                  row_of(100, 94, 1).row};
  for (auto& row : rows) {
    row.score = "count";
    row.error = error_of(row, row.predicted);
  }
  MechanismScore score = mechanism_scores(rows).front();
  CHECK(*score.hits == about(100 * 2 / 4.0));
  CHECK(*score.median_percent_error == about((6 + 20) / 2.0));  // of 5, 6, 20 and 50
  CHECK(score.mean_abs_error == about((2 + 2 + 1 + 6) / 4.0));
  ValidationReport report;
  report.mechanisms = {score};
  report.rows = rows;
  CHECK(to_board(report, "").find("| 50 % of 4 hit, median error 13.0 % |") != std::string::npos);
  CHECK(to_text(report).find("\n        50 % of 4 hit, median error 13.0 %\n") !=
        std::string::npos);
  CHECK(html::to_html(report, {"t", "c", "1"}).find("50 % of 4 hit, median error 13.0 %") !=
        std::string::npos);
  rows.front().measured = 0;
  CHECK_FALSE(mechanism_scores(rows).front().median_percent_error.has_value());
}

TEST_CASE("none against one is no hit, either way") {
  const auto hits = [](double measured, double predicted) {
    ValidationRow row = row_of(measured, predicted, 1).row;
    row.score = "count";
    row.error = error_of(row, predicted);
    return *mechanism_scores({row}).front().hits;
  };
  CHECK(hits(1, 0) == 0);
  CHECK(hits(0, 1) == 0);
  CHECK(hits(0, 0) == 100);
  CHECK(hits(1, 2) == 100);
}

TEST_CASE("a report shows names whole, and errors with median and bias") {
  ValidationReport report;
  const std::string name(60, 'M'), title(70, 't');
  for (const double predicted : {90.0, 98.0, 106.0}) {
    report.rows.push_back(row_of(100, predicted, 1).row);
    report.rows.back().mechanism = name;
    report.rows.back().title = title;
  }
  report.mechanisms = mechanism_scores(report.rows);
  const std::string text = to_text(report);
  CHECK(text.find(name) != std::string::npos);
  CHECK(text.find("...") == std::string::npos);
  // Errors -10, -2, +6: mean 6, median 6, 95th percentile nine tenths of the way from 6 to 10.
  CHECK(text.find("       3        6.00 %        6.00 %        9.60 %        -2.00 %") !=
        std::string::npos);
}

TEST_CASE("what a run without a checkpoint does not tell is no prediction") {
  Result result = sample();
  result.checkpoint.emplace().cost_s = std::numeric_limits<double>::infinity();
  result.warnings = {fact<WarningCode::no_checkpoint>(50)};
  CHECK(refusal_of([&] {
          result_value(result, "checkpoint.cost_s", {"c.toml", 3, 1});
        }) ==
        "c.toml:3:1: error: the result's \"checkpoint.cost_s\" is not known for this workload: "
        "training ends after 50 steps, before the first checkpoint\n");
}

TEST_CASE("rows in which data keep the GPUs busy are scored apart from those in which GPUs wait") {
  std::vector<ScoredRow> scored{row_of(100, 101, 1), row_of(100, 103, 1), row_of(100, 80, 1),
                                row_of(100, 90, 1)};
  scored[0].row.gpus_busy = scored[1].row.gpus_busy = true;
  scored[2].row.gpus_busy = false;
  std::vector<ValidationRow> rows;
  for (const auto& one : scored) rows.push_back(one.row);
  const MechanismScore score = mechanism_scores(rows).front();
  CHECK(score.cases == 4);
  CHECK(score.gpus_busy->cases == 2);
  CHECK(score.gpus_busy->mean_abs_error == about((1 + 3) / 2.0));
  CHECK(score.gpus_wait->cases == 1);
  CHECK(score.gpus_wait->mean_abs_error == about(20));
  ValidationReport report;
  report.mechanisms = {score};
  report.rows = rows;
  CHECK(to_board(report, "").find("\n| of these: data keep the GPUs busy | 2 |  | 2.00 % | ") !=
        std::string::npos);
  CHECK(to_text(report).find("\n  GPUs wait for data\n") != std::string::npos);
  CHECK(html::to_html(report, {"t", "c", "1"})
            .find("<td>of these: GPUs wait for data</td><td></td><td class='number'>1</td>"
                  "<td class='number'>20.00 %</td>") != std::string::npos);
  CHECK(to_json(report).find("\"gpus_wait\": {") != std::string::npos);
  for (auto& row : rows) row.gpus_busy = false;
  report.mechanisms = mechanism_scores(rows);
  CHECK(to_board(report, "").find("of these") == std::string::npos);
  CHECK(to_board(report, "").find("| GPUs wait for data in all rows |") != std::string::npos);
}

TEST_CASE("a measured utilization tells whether GPUs wait; then a rate; then the simulation") {
  ValidationCase one;
  const auto measure = [&](const std::string& key, double value, const std::string& unit) {
    MeasuredRow row;
    row.key = key;
    row.value = value;
    row.unit = unit;
    one.measured.push_back(row);
    return row;
  };
  const auto busy = [&](const MeasuredRow& row, const Result& result,
                        WorkloadKind kind = kind_of<kind::Training>) {
    const GpusBusy found = gpus_busy(one, row, kind, result);
    return found.busy ? fmt::format("{} by {}", *found.busy, found.by) : "unknown";
  };
  Result result = sample();  // one GPU that waits for gradients alone
  result.stages.push_back({fact<LimiterCode::gpu_compute>(), 1000, {}});
  const MeasuredRow hours = measure("training_s", 1.8, "h");
  CHECK(busy(hours, result) == "true by simulated waiting");
  result.gpus.front().share = {.storage = 0.04, .decode = 0.015, .copy = 0};
  CHECK(busy(hours, result) == "false by simulated waiting");
  measure("throughput_samples_per_s", 960, "samples/s");
  CHECK(busy(hours, result) == "true by measured rate");
  result.exchange.emplace();  // then gradients may be what lowers the rate
  CHECK(busy(hours, result) == "false by simulated waiting");
  measure("benchmark.utilization_v1", 94.9, "%");
  CHECK(busy(hours, result) == "false by measured utilization");
  CHECK(busy(hours, result, kind_of<kind::Loader>) == "unknown");
  CHECK(busy(measure("stages[GPU compute].capacity_samples_per_s", 1, ""), result) == "unknown");
}

TEST_CASE("the largest number of accelerators that passes is searched, and is a count") {
  TemporaryFolder folder;
  const auto searched = [&](const std::string& up_to, const std::string& memory = "252 GiB") {
    folder.write("search.toml",
                 "title = 'T'\nsource = 'S'\nmechanism = 'accelerators'\n[scenario]\n"
                 "[scenario.system]\ntitle = 'one drive'\n"
                 "socket = [{ id = 'cpu0', model = 'amd-epyc-74f3', memory = '" +
                     memory +
                     "' }]\n"
                     "drive = [{ id = 'nvme0', model = 'micron-9400-pro-7.68tb', at = 'cpu0' }]\n"
                     "[scenario.workload]\nkind = 'emulated'\njob = 'mlperf-unet3d-h100'\n"
                     "[scenario.data]\nat = 'nvme0'\n[scenario.loader]\nworkers_per_gpu = 24\n"
                     "[[case]]\ntitle = 'how many'\n"
                     "largest = { path = 'workload.gpus', up_to = " +
                     up_to +
                     ", times = 3 }\nmeasured = [{ key = 'largest', value = 6, unit = 'GPUs', "
                     "score = 'count' },\n{ key = 'benchmark.passes', value = 1, score = 'count', "
                     "mechanism = 'passes' }]\n");
    ValidationRun run;
    run.bars = parse_bars(
        "[[bar]]\nmechanism = 'accelerators'\nhits = 50\nmedian_percent = 1\n"
        "[[bar]]\nmechanism = 'passes'\nhits = 100\n",
        "bars.toml", own_catalog());
    run.progress = [](std::int64_t, std::int64_t) {};
    return validate({folder / "search.toml"}, own_catalog(), run);
  };
  const ValidationReport report = searched("4");
  REQUIRE(report.failures.empty());
  REQUIRE(report.rows.size() == 2);
  const auto accelerators = static_cast<int>(report.rows[0].predicted);
  CHECK(accelerators == 3 * 2);  // a drive of 7 GB/s feeds two, as published
  CHECK(report.rows[0].bottleneck == "drives");
  CHECK_FALSE(report.rows[0].gpus_busy.has_value());
  CHECK(report.rows[1].predicted == 1);
  CHECK(report.mechanisms[0].missed_bars.empty());
  // Each has 24 readers of 147 MB and 24 batches of 7 x 2 MiB, 3.9 GB: no room for the second's in
  // what the system leaves of the memory.
  const ValidationReport small = searched("4", "15 GiB");
  REQUIRE(small.rows.size() == 2);
  CHECK(small.rows[0].predicted == 3);
  CHECK(small.rows[0].bottleneck.starts_with("the loaders may hold 48 batches"));
  CHECK(searched("4", "11 GiB").failures.at(0).message.find("the loaders may hold 24 batches") !=
        std::string::npos);
  for (const char* near : {"4, near = 4", "4, near = 2", "64, near = 40"})
    CHECK(searched(near).rows.at(0).predicted == 6);
  const ValidationReport ended = searched("2");
  REQUIRE(ended.failures.size() == 1);
  CHECK(ended.failures[0].message.find(
            "the benchmark still passes with workload.gpus = 2, where the search ends: raise "
            "up_to") != std::string::npos);
}
