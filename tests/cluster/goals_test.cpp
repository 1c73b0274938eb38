// SPDX-License-Identifier: Apache-2.0
// Goals and sweeps of shared clusters: the best is the best of all, and what is wrong is said.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "reports/clusters/cluster_study.h"
#include "reports/html/page.h"
#include "sim/base/diagnostics.h"
#include "sim/cluster/answer.h"
#include "sim/load/cluster/document.h"
#include "sim/load/study/goal.h"
#include "sim/load/study/sweep.h"
#include "tests/support/catalog.h"

using namespace gpufeed;
namespace fs = std::filesystem;

namespace {

/// A cluster in a file of its own, with goals beside it.
class TeamFile {
 public:
  TeamFile() {
    fs::create_directories(folder_);
    std::ofstream(folder_ / "team.toml")
        << "[workload]\nkind = 'cluster'\n[[cluster.nodes]]\ngpus = 8\ncount = 2\n"
           "[store.nas]\nbandwidth = '4 GB/s'\n[cluster.scheduler]\nbackfill = 'none'\n"
           "[cluster]\nrepeats = 1\n[cluster.stream.a]\ngpus = [1, 2, 4, 8]\nlength = '1 h'\n"
           "spread = 1\nevery = '14 min'\ncount = 60\nio_per_gpu = '300 MB/s'\n";
  }
  ~TeamFile() { fs::remove_all(folder_); }

  Goal goal(const std::string& text) const {
    return parse_goal("scenario = 'team.toml'\n" + text, (folder_ / "goal.toml").string(),
                      own_catalog());
  }
  ClusterStudy study(const std::string& text, unsigned jobs = 1) const {
    return study_cluster(goal(text), own_catalog(), {}, {jobs, {}});
  }
  std::string error(const std::string& text) const {
    try {
      study(text);
    } catch (const InputError& wrong) {
      return wrong.what();
    }
    return "";
  }
  std::string file() const { return (folder_ / "team.toml").string(); }
  fs::path folder() const { return folder_; }

 private:
  fs::path folder_ = fs::temp_directory_path() / "gpufeed_goals_test";
};

const std::string kAxes =
    "axis = [{ name = 'nodes', path = 'cluster.nodes[0].count', values = [2, 3, 4, 6] },\n"
    "{ name = 'backfill', path = 'cluster.scheduler.backfill', values = ['none', 'easy'] },\n"
    "{ name = 'store', path = 'store.nas.bandwidth', values = ['2 GB/s', '8 GB/s'] }]\n";

double figure(const ClusterRow& row, const std::string& name) {
  return *figure_in(row.figures, name);
}

}  // namespace

TEST_CASE("a goal of a cluster finds the least of all choices that meet its constraints") {
  const TeamFile team;
  const ClusterStudy study = team.study(
      "minimize = 'nodes'\nconstraint = ['mean_wait_s <= 40 min', "
      "'mean_interference <= 1.3']\n" +
      kAxes);
  REQUIRE(study.rows.size() == 16);
  REQUIRE_FALSE(study.order.empty());
  double least = std::numeric_limits<double>::infinity();
  for (const ClusterRow& row : study.rows) {
    // each row is what simulate says of the file with these values
    std::vector<Override> overrides;
    for (const ChosenValue& value : row.values)
      overrides.push_back({KeyPath(value.path.c_str()), value.value, "test"});
    const cluster::Answer answer =
        cluster::answer_of(load_cluster(team.file(), own_catalog(), overrides));
    const auto wait =
        std::ranges::find(answer.repeated, "mean_wait_s", &cluster::RepeatedValue::name);
    CHECK(figure(row, "mean_wait_s") == wait->mean);
    CHECK(figure(row, "useful_gpu_h") == answer.totals.useful_gpu_h);
    const bool meets = wait->mean <= 2400 && answer.totals.mean_interference <= 1.3;
    CHECK(row.meets == meets);
    if (meets) least = std::min(least, std::stod(row.values[0].value));
  }
  const ClusterRow& best = study.rows[study.order.front()];
  CHECK(std::stod(best.values[0].value) == least);
  CHECK(least > 2);
  CHECK(least < 6);
  const std::string text = to_text(study);
  CHECK(text.find("16, all run with their repeats") != std::string::npos);
  CHECK(text.find("Choose") != std::string::npos);
}

TEST_CASE("limits of figures are plain numbers in SI units, or have the figure's unit") {
  const TeamFile team;
  for (const auto& [plain, with_unit] : {std::pair{"mean_wait_s <= 2400", "mean_wait_s <= 40 min"},
                                         {"1800 >= wait_p95_s", "30 min >= wait_p95_s"},
                                         {"allocated_share >= 0.5", "allocated_share >= 50 %"},
                                         {"bytes >= 3e12", "bytes >= 3 TB"}}) {
    const auto json_with = [&](const std::string& constraint) {
      return to_json(team.study(
          fmt::format("minimize = 'nodes'\nconstraint = ['{}']\n{}", constraint, kAxes)));
    };
    CHECK(json_with(plain) == json_with(with_unit));
  }
  CHECK(figure_text("allocated_share", 0.25) == "25.0 %");
  CHECK(figure_text("mean_wait_s", 90) == "1.5 min");
  CHECK(figure_text("nodes", 4) == "4");
}

TEST_CASE("the page of a goal has the choice, a chart of each figure and all choices") {
  const TeamFile team;
  const ClusterStudy study =
      team.study("minimize = 'nodes'\nconstraint = ['mean_wait_s <= 40 min']\n" + kAxes);
  const std::string page = to_html(study, {"A goal", "gpufeed recommend goal.toml", "0.1.0"});
  for (const std::string& figure : told_of(study))
    CHECK(page.find("<h3>" + figure + "</h3>") != std::string::npos);
  std::size_t rows = 0;
  for (std::size_t at = page.find("<tr>"); at != std::string::npos; at = page.find("<tr>", at + 1))
    ++rows;
  CHECK(rows >= study.rows.size());
  CHECK(page.find("chosen") != std::string::npos);
  ClusterStudy none = study;
  none.order.clear();
  CHECK(to_html(none, {"", "", ""}).find("chosen") == std::string::npos);
}

TEST_CASE("threads change no answer of a goal, and the most of a figure may be wanted") {
  const TeamFile team;
  const std::string goal = "maximize = 'jobs_per_h'\n" + kAxes;
  const ClusterStudy one = team.study(goal);
  const ClusterStudy two = team.study(goal, 2);
  CHECK(to_json(one) == to_json(two));
  CHECK(to_text(one) == to_text(two));
  for (const ClusterRow& row : one.rows)
    CHECK(figure(one.rows[one.order.front()], "jobs_per_h") >= figure(row, "jobs_per_h"));
}

TEST_CASE("where no choice meets a constraint, what comes closest is told") {
  const TeamFile team;
  const ClusterStudy study =
      team.study("minimize = 'nodes'\nconstraint = ['allocated_share >= 99 %']\n" + kAxes);
  CHECK(study.order.empty());
  const std::string text = to_text(study);
  CHECK(text.find("meets all constraints") != std::string::npos);
  CHECK(text.find("allocated_share") != std::string::npos);
}

TEST_CASE("what a goal of a cluster may not ask is refused, all at once") {
  const TeamFile team;
  const std::string two =
      team.error("minimize = 'nods'\nconstraint = ['mean_wat_s <= 1']\n" + kAxes);
  CHECK(two.find("did you mean \"nodes\"") != std::string::npos);
  CHECK(two.find("did you mean \"mean_wait_s\"") != std::string::npos);
  CHECK(team.error("minimize = 'nodes'\nconstraint = ['mean_wait_s <= 3 GB']\n" + kAxes)
            .find("cannot be compared with a size") != std::string::npos);
  CHECK(team.error(kAxes).find("price_USD: of some machines or stores no price is known") !=
        std::string::npos);
  CHECK(team.error("minimize = 'cost_USD'\n" + kAxes).find("not all nodes say their power") !=
        std::string::npos);
  CHECK(team.error("front = ['nodes', 'mean_wait_s']\n" + kAxes)
            .find("front is not asked of a shared cluster") != std::string::npos);
  CHECK(team.error("minimize = 'mean_wait_s'\naxis = [{ path = 'cluster.scheduler.backfill', "
                   "values = ['esy'] }]\n")
            .find("did you mean \"easy\"") != std::string::npos);
  CHECK(team.error("minimize = 'mean_wait_s'\naxis = [{ path = 'cluster.nodes[0].count', "
                   "range = { from = 1, to = 20000, step = 1 } }]\n")
            .find("10000 are taken at most") != std::string::npos);
}

TEST_CASE("a sweep of a cluster tells all its points") {
  const TeamFile team;
  const Sweep sweep = parse_sweep("scenario = 'team.toml'\n" + kAxes,
                                  (team.folder() / "sweep.toml").string(), own_catalog());
  REQUIRE(studies_cluster(sweep.scenario.path));
  const ClusterStudy study = study_cluster(sweep, own_catalog(), {}, {});
  const std::string csv = to_csv(study);
  CHECK(std::ranges::count(csv, '\n') == 17);
  CHECK(csv.starts_with("number,nodes,backfill,store,jobs_done,"));
  CHECK(to_text(study).find("Choose") == std::string::npos);
}
