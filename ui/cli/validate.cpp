// SPDX-License-Identifier: Apache-2.0
#include "reports/study/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <system_error>

#include "reports/html/validation_page.h"
#include "reports/study/first_contacts.h"
#include "reports/study/learn_discrepancy.h"
#include "reports/writers/json.h"
#include "reports/writers/validation.h"
#include "sim/base/diagnostics.h"
#include "sim/base/files/read_file.h"
#include "sim/base/files/write_whole.h"
#include "sim/base/today.h"
#include "sim/load/study/first_contacts.h"
#include "ui/cli/numbers.h"
#include "ui/cli/output.h"
#include "ui/cli/output_option.h"
#include "ui/cli/page_head.h"
#include "ui/cli/pool_option.h"
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
  OutputOption json{"--json"}, html{"--html"}, board{"--board"};
  std::optional<std::string> jobs;
  std::optional<std::string> leave_out;
  std::optional<std::string> ledger;
  std::optional<std::string> learn;
  PoolOption pool;

  void add_to(Options& options) {
    options.operands(
        "PATH", paths,
        "files of cases, or folders (default: the measurements that came with gpufeed): "
        "all .toml below their folder cases, or below themselves. gpufeed check "
        "--keys validation lists the keys");
    json.add_to(options, "write scores and rows as JSON");
    html.add_to(options, "write them as a page with pictures");
    board.add_to(options, "write the scoreboard as Markdown, and beside a file its picture (.svg)")
        .seldom();
    options
        .value("--leave-out", "WHAT", leave_out,
               "system or family: also predicts every row with the fitted constants of bars.toml "
               "refitted to the rows of all other machines, or of all other networks")
        .seldom();
    options
        .value("--first-contact", "LEDGER", ledger,
               "also adds what was measured and predicted to this ledger (CSV), which is made "
               "where there is none: before anything is changed for a source")
        .seldom();
    options
        .value("--learn-discrepancy", "FOLDER", learn,
               "instead: PATHs are ledgers (default: the two that came with gpufeed), from "
               "which it is learned how far off predictions are, a file a mechanism in FOLDER, "
               "such as my_catalog/discrepancy")
        .seldom();
    add_jobs_option(options, "cases", jobs);
    pool.add_to(options, "cases");
    options.repeatable("--catalog", "DIR", catalogs, kCatalogHelp).seldom();
    add_confine_option(options, confine);
  }
};

/// The picture beside the scoreboard, where that is a file.
struct Picture {
  std::optional<OutputFile> file;
  std::string name;
};

Picture open_picture(const OutputOption& board) {
  if (board.file().empty()) return {};
  const fs::path svg = fs::path(board.file()).replace_extension(".svg");
  return {OutputFile("--board " + board.file() + ", its picture", svg), svg.filename().string()};
}

void write(const ValidationReport& report, const ValidateArguments& given, const Picture& picture,
           const Arguments& arguments) {
  if (given.json.asked_for()) given.json.write(to_json(report));
  if (given.html.asked_for())
    given.html.write(
        html::to_html(report, page_head("validate", arguments, "Predicted against measured", {})));
  if (given.board.asked_for()) given.board.write(to_board(report, picture.name));
  if (picture.file) picture.file->write(html::to_svg(report));
}

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
  std::vector<FirstContact> ledger;
};

/// A link in a folder may lead anywhere.
void check_links(const std::vector<fs::path>& files, const Catalog& catalog) {
  Diagnostics out;
  std::error_code missing;
  for (const auto& file : files)
    if (fs::is_symlink(file, missing) && !catalog.confinement().allows(file))
      out.error({file.string(), 0, 0}, "lies outside the folder of --confine and the catalogs");
  out.throw_if_any();
}

Inputs inputs_of(const std::vector<fs::path>& paths, const Catalog& catalog) {
  Inputs inputs;
  for (const auto& path : paths) {
    const std::vector<fs::path> files = case_files(path);
    if (fs::is_directory(path)) {
      check_links(files, catalog);
      check_links({path / "bars.toml"}, catalog);
    }
    std::ranges::copy(files, std::back_inserter(inputs.files));
    const Bars bars = bars_for(path, catalog);
    std::ranges::copy(bars.bars, std::back_inserter(inputs.bars.bars));
    std::ranges::copy(bars.laws, std::back_inserter(inputs.bars.laws));
    std::ranges::move(ledger_of(path), std::back_inserter(inputs.ledger));
  }
  return inputs;
}

ValidationReport run(Inputs inputs, const Catalog& catalog, unsigned jobs,
                     std::optional<LeaveOut> leave_out, StudyPool* pool) try {
  ProgressBar bar;
  ValidationReport report = validate(inputs.files, catalog,
                                     {.overrides = {},
                                      .jobs = jobs,
                                      .bars = std::move(inputs.bars),
                                      .leave_out = leave_out,
                                      .ledger = std::move(inputs.ledger),
                                      .progress = [&](auto done, auto of) { bar.show(done, of); },
                                      .pool = pool});
  bar.clear();
  report.version = PROJECT_VERSION;
  return report;
} catch (const PoolStopped&) {
  end_in_pool();
}

/// A ledger is appended to, never edited.
class Ledger {
 public:
  explicit Ledger(const fs::path& file) : file_(file) {
    before_ = std::string(first_contacts_header()) + "\n";
    if (!fs::exists(file)) return;
    load_first_contacts(file);  // refuses what is none
    Diagnostics out;
    before_ = read_text_file(file, kMaxTextSize, out).value_or("");
    out.throw_if_any();
  }
  void add(const ValidationReport& report) const {
    const auto contacts = first_contacts_of(report, {PROJECT_VERSION, date_text(today())});
    try {
      put_whole(file_, before_ + to_csv(contacts));
    } catch (const std::system_error& error) {
      throw InputError({{{"--first-contact " + file_.string(), 0, 0},
                         "cannot be written: " + error.code().message()}});
    }
  }

 private:
  fs::path file_;
  std::string before_;
};

/// Writes a file a mechanism.
int learn(const std::vector<fs::path>& ledgers, const fs::path& folder) {
  std::vector<FirstContact> contacts;
  for (const fs::path& ledger : ledgers)
    std::ranges::move(load_first_contacts(ledger), std::back_inserter(contacts));
  std::error_code told_by_writing;
  fs::create_directories(folder, told_by_writing);
  for (const auto& [mechanism, learned] : learn_discrepancies(contacts)) {
    const fs::path file = folder / fmt::format("{}.toml", name_of(mechanism));
    write_whole("--learn-discrepancy " + file.string(), file, to_toml(*learned));
    print(fmt::format("{:<22} {:>5} rows of {:>3} sources: deviation {:.3f}\n", name_of(mechanism),
                      learned->rows, learned->sources, learned->deviation));
  }
  return kGood;
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
                  "gpufeed validate --html validation.html");
  ValidateArguments given;
  given.add_to(options);
  if (!options.parse(arguments)) return kGood;
  const unsigned jobs = jobs_in(options, given.jobs);
  const auto leave_out = left_out_in(options, given.leave_out);
  const bool screen_taken = take_standard_output(options, {&given.json, &given.html, &given.board});
  given.pool.check(options);
  if (given.pool.asked_for() && (given.learn || given.ledger))
    throw options.error(
        "in a pool cases are predicted alone: leave out --learn-discrepancy and "
        "--first-contact");
  std::vector<fs::path> paths(given.paths.begin(), given.paths.end());
  if (given.learn) {
    if (paths.empty())
      paths = {validation_folder() / "first.csv", validation_folder() / "taught.csv"};
    return learn(paths, *given.learn);
  }
  const auto ledger = given.ledger ? std::optional<Ledger>(*given.ledger) : std::nullopt;
  if (paths.empty()) paths.push_back(validation_folder());
  const Catalog catalog = confined(catalog_with(given.catalogs), given.confine);
  Inputs inputs = inputs_of(paths, catalog);
  for (OutputOption* output : {&given.json, &given.html, &given.board}) output->open();
  const Picture picture = open_picture(given.board);
  auto pool = given.pool.open(options);
  const ValidationReport report =
      run(std::move(inputs), catalog, jobs, leave_out, pool ? &*pool : nullptr);
  write(report, given, picture, arguments);
  if (ledger) ledger->add(report);
  if (!screen_taken) print(to_text(report));
  return status_of(report);
}

}  // namespace gpufeed::cli
