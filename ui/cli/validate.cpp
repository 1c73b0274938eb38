// SPDX-License-Identifier: Apache-2.0
#include "reports/study/validate.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/html/validation_page.h"
#include "reports/writers/json.h"
#include "reports/writers/validation.h"
#include "ui/cli/limits.h"
#include "ui/cli/numbers.h"
#include "ui/cli/output.h"
#include "ui/cli/page_head.h"
#include "ui/cli/progress.h"
#include "ui/cli/scenarios.h"
#include "ui/cli/verbs.h"
#include "ui/cli/words.h"
#include "ui/places/places.h"

namespace gpufeed::cli {
namespace {

namespace fs = std::filesystem;

struct ValidateArguments {
  std::vector<std::string> paths;
  std::vector<std::string> catalogs;
  std::optional<std::string> confine;
  std::optional<std::string> json;
  std::optional<std::string> html;
  std::optional<std::string> board;
  std::optional<std::string> jobs;
  std::optional<std::string> leave_out;
  Limits limits;

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
    options.value(
        "--leave-out", "WHAT", leave_out,
        "system or family: also predicts every row with the fitted constants of bars.toml "
        "refitted to the rows of all other machines, or of all other networks");
    add_jobs_option(options, "cases", jobs);
    options.repeatable("--catalog", "DIR", catalogs, kCatalogHelp);
    add_confine_option(options, confine);
    limits.add_to(options);
  }
};

/// Where results go, all tried before the work begins.
struct ValidateOutputs {
  std::optional<OutputFile> json, html, board, picture;
  std::string picture_name;

  ValidateOutputs(const ValidateArguments& given, CommandFiles& files)
      : json(output_for("--json", given.json, files)),
        html(output_for("--html", given.html, files)),
        board(output_for("--board", given.board, files)) {
    if (!given.board) return;
    const fs::path svg = fs::path(*given.board).replace_extension(".svg");
    const std::string option = "--board " + *given.board + ", its picture";
    files.output(option, svg);
    picture.emplace(option, svg);
    picture_name = svg.filename().string();
  }

  void write(const ValidationReport& report, const Arguments& arguments) const {
    if (json) json->write(to_json(report));
    if (html)
      html->write(html::to_html(
          report, page_head("validate", arguments, "Predicted against measured", {})));
    if (board) board->write(to_board(report, picture_name));
    if (picture) picture->write(html::to_svg(report));
  }
};

int status_of(const ValidationReport& report) {
  if (std::ranges::any_of(report.failures, &FailedCase::internal)) return kOurFault;
  if (!report.failures.empty()) return kWrongInput;
  const bool all_met = std::ranges::all_of(
      report.mechanisms, [](const auto& score) { return score.missed_bars.empty(); });
  return all_met ? kGood : kNo;
}

/// The cases and bars of the paths.
struct Inputs {
  std::vector<fs::path> files;
  Bars bars;
};

Inputs inputs_of(const std::vector<fs::path>& paths, const Catalog& catalog, CommandFiles& files) {
  Inputs inputs;
  for (const auto& path : paths) {
    std::ranges::copy(case_files(path), std::back_inserter(inputs.files));
    const Bars bars = bars_for(path, catalog);
    std::ranges::copy(bars.bars, std::back_inserter(inputs.bars.bars));
    std::ranges::copy(bars.laws, std::back_inserter(inputs.bars.laws));
    files.input(path / "bars.toml");
  }
  for (const auto& file : inputs.files) files.input(file);
  return inputs;
}

ValidationReport run(Inputs inputs, const Catalog& catalog, unsigned jobs,
                     std::optional<LeaveOut> leave_out) {
  ProgressBar bar;
  ValidationReport report = validate(inputs.files, catalog,
                                     {.overrides = {},
                                      .jobs = jobs,
                                      .bars = std::move(inputs.bars),
                                      .leave_out = leave_out,
                                      .progress = [&](auto done, auto of) { bar.show(done, of); }});
  bar.clear();
  report.version = PROJECT_VERSION;
  return report;
}

std::optional<LeaveOut> left_out_in(const Options& options,
                                    const std::optional<std::string>& given) {
  if (!given) return {};
  for (const auto one : {LeaveOut::system, LeaveOut::family})
    if (name_of(one) == *given) return one;
  throw options.error(fmt::format("--leave-out takes system or family; found \"{}\"", *given));
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
  const auto leave_out = left_out_in(options, given.leave_out);
  given.limits.set(options);
  std::vector<fs::path> paths(given.paths.begin(), given.paths.end());
  if (paths.empty()) paths.push_back(validation_folder());
  const Catalog catalog = confined(catalog_with(given.catalogs), given.confine);
  CommandFiles files;
  Inputs inputs = inputs_of(paths, catalog, files);
  files.inputs(catalog);
  const ValidateOutputs outputs(given, files);
  const ValidationReport report = run(std::move(inputs), catalog, jobs, leave_out);
  files.inputs(catalog);  // with those that the cases have named
  outputs.write(report, arguments);
  print(given.json == "-" ? to_json(report) : to_text(report));
  return status_of(report);
}

}  // namespace gpufeed::cli
