// SPDX-License-Identifier: Apache-2.0
#include "reports/study/validate.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/writers/json.h"
#include "reports/writers/validation.h"
#include "ui/cli/numbers.h"
#include "ui/cli/output.h"
#include "ui/cli/places.h"
#include "ui/cli/progress.h"
#include "ui/cli/scenarios.h"
#include "ui/cli/verbs.h"
#include "ui/cli/words.h"

namespace gpufeed::cli {
namespace {

namespace fs = std::filesystem;

struct ValidateArguments {
  std::vector<std::string> paths;
  std::vector<std::string> catalogs;
  std::optional<std::string> json;
  std::optional<std::string> html;
  std::optional<std::string> board;
  std::optional<std::string> jobs;

  void add_to(Options& options) {
    options.operands("PATH", paths,
                     "files of cases, or folders: all .toml below their folder cases, or below "
                     "themselves; default: the measurements that came with gpufeed. gpufeed check "
                     "--keys validation lists the keys");
    options.value("--json", "FILE", json,
                  "write scores and rows to FILE as well; - writes them to standard output, and "
                  "nothing else");
    options.value("--html", "FILE", html, "write them as a page with pictures");
    options.value("--board", "FILE", board,
                  "write the scoreboard as Markdown, and its picture beside it (.svg)");
    add_jobs_option(options, "cases", jobs);
    options.repeatable("--catalog", "DIR", catalogs, kCatalogHelp);
  }
};

/// Where results go, all tried before the work begins.
struct Outputs {
  std::optional<OutputFile> json, html, board, picture;
  std::string picture_name;

  explicit Outputs(const ValidateArguments& given) {
    if (given.json && *given.json != "-") json.emplace("--json " + *given.json, *given.json);
    if (given.html) html.emplace("--html " + *given.html, *given.html);
    if (!given.board) return;
    board.emplace("--board " + *given.board, *given.board);
    const fs::path svg = fs::path(*given.board).replace_extension(".svg");
    picture.emplace("--board " + *given.board, svg);
    picture_name = svg.filename().string();
  }

  void write(const ValidationReport& report) const {
    if (json) json->write(to_json(report));
    if (html) html->write(to_html(report));
    if (board) board->write(to_board(report, picture_name));
    if (picture) picture->write(to_svg(report));
  }
};

int status_of(const ValidationReport& report) {
  if (std::ranges::any_of(report.failures, &FailedCase::internal)) return kOurFault;
  if (!report.failures.empty()) return kWrongInput;
  const bool all_met = std::ranges::all_of(
      report.mechanisms, [](const auto& score) { return score.missed_bars.empty(); });
  return all_met ? kGood : kNo;
}

ValidationReport run(const std::vector<fs::path>& paths, const Catalog& catalog, unsigned jobs) {
  std::vector<fs::path> files;
  Bars bars;
  for (const auto& path : paths) {
    std::ranges::copy(case_files(path), std::back_inserter(files));
    std::ranges::copy(bars_for(path, catalog).bars, std::back_inserter(bars.bars));
  }
  ProgressBar bar;
  ValidationReport report = validate(
      files, catalog,
      {.overrides = {}, .jobs = jobs, .bars = std::move(bars), .progress = [&](auto done, auto of) {
         bar.show(done, of);
       }});
  bar.clear();
  report.version = PROJECT_VERSION;
  return report;
}

}  // namespace

int validate_verb(const Arguments& arguments) {
  Options options("validate",
                  "Predicts what was measured and published, and says how far off that is, by "
                  "mechanism, beside what anyone would say without a simulator. Exit status 1 "
                  "where a mechanism misses its bar, 2 where a case or its file is wrong; the "
                  "others are predicted all the same.",
                  "gpufeed validate tests/validation --html validation.html");
  ValidateArguments given;
  given.add_to(options);
  if (!options.parse(arguments)) return kGood;
  const unsigned jobs = jobs_in(options, given.jobs);
  std::vector<fs::path> paths(given.paths.begin(), given.paths.end());
  if (paths.empty()) paths.push_back(validation_folder());
  const Outputs outputs(given);
  const ValidationReport report = run(paths, catalog_with(given.catalogs), jobs);
  outputs.write(report);
  print(given.json == "-" ? to_json(report) : to_text(report));
  return status_of(report);
}

}  // namespace gpufeed::cli
