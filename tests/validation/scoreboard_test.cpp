// SPDX-License-Identifier: Apache-2.0
// Holds the errors of every mechanism against the accepted ones, those of SCOREBOARD.md.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <fstream>
#include <map>
#include <sstream>
#include <thread>

#include "reports/study/validate.h"

using namespace gpufeed;

namespace {

const std::string kSource = GPUFEED_SOURCE_DIR;
constexpr double kMayGrow = 0.5;  ///< percent, points or counts

/// The mean errors of a board's first table, by mechanism.
std::map<std::string, double> means_of(std::istream& board) {
  std::map<std::string, double> means;
  for (std::string line; std::getline(board, line) && !line.starts_with("## ");) {
    std::istringstream cells(line);
    std::string ignored, name, rows, left_out, mean;
    std::getline(cells, ignored, '|');
    if (!std::getline(cells, name, '|') || !std::getline(cells, rows, '|') ||
        !std::getline(cells, left_out, '|') || !std::getline(cells, mean, '|'))
      continue;
    if (name.starts_with(" of these: ")) continue;  // a part of the line above
    std::istringstream number(mean);
    if (double value = 0; number >> value) means[name.substr(1, name.size() - 2)] = value;
  }
  return means;
}

/// What grew beyond what is accepted.
std::vector<std::string> grown(const ValidationReport& report,
                               const std::map<std::string, double>& accepted) {
  std::vector<std::string> faults;
  std::map<std::string, double> left = accepted;
  for (const auto& score : report.mechanisms) {
    const auto it = accepted.find(score.name);
    left.erase(score.name);
    if (it == accepted.end())
      faults.push_back(score.name + " is not on the board");
    else if (score.mean_abs_error > it->second + kMayGrow)
      faults.push_back(fmt::format("{}: {:.2f} instead of {:.2f}", score.name, score.mean_abs_error,
                                   it->second));
  }
  for (const auto& [name, ignored] : left) faults.push_back(name + " is on the board alone");
  return faults;
}

}  // namespace

TEST_CASE("an error that grows by more than half a point is found, and so is a lost mechanism") {
  std::istringstream board(
      "# x\n| mechanism | rows | left out | mean |\n| --- | --- | --- | --- |\n"
      "| A | 3 | 8.00 % | 1.20 % | 1 |\n| B | 2 |  | 0.40 points | 1 |\n"
      "| of these: GPUs wait | 1 |  | 9 |\n"
      "| C | 1 |  | 7.00 % |\n## Misses\n| D | 1 |  | 9 |\n");
  const auto accepted = means_of(board);
  CHECK(accepted == std::map<std::string, double>{{"A", 1.2}, {"B", 0.4}, {"C", 7}});
  ValidationReport report;
  for (const auto& [name, mean] :
       std::map<std::string, double>{{"A", 1.6}, {"B", 0.95}, {"E", 1}}) {
    report.mechanisms.emplace_back().name = name;
    report.mechanisms.back().mean_abs_error = mean;
  }
  CHECK(grown(report, accepted) == std::vector<std::string>{"B: 0.95 instead of 0.40",
                                                            "E is not on the board",
                                                            "C is on the board alone"});
}

TEST_CASE("no mechanism's error grows by more than half a point over the accepted board") {
  const std::string folder = kSource + "/tests/validation";
  ValidationRun run;
  run.jobs = std::max(1U, std::thread::hardware_concurrency());
  run.progress = [](std::int64_t, std::int64_t) {};
  const Catalog catalog({kSource + "/hw_catalog", kSource + "/workloads"});
  const ValidationReport report = validate(case_files(folder), catalog, run);
  for (const auto& failure : report.failures) FAIL_CHECK(failure.title, ": ", failure.message);
  std::ifstream board(folder + "/SCOREBOARD.md");
  for (const auto& fault : grown(report, means_of(board))) FAIL_CHECK(fault);
}
