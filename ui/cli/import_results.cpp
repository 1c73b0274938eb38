// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/import_results.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "reports/writers/layout.h"
#include "sim/base/files/read_file.h"
#include "sim/base/files/write_whole.h"
#include "sim/base/printable.h"
#include "sim/import/results/results.h"
#include "sim/load/load.h"
#include "sim/load/study/validation.h"
#include "sim/model/scenario.h"
#include "ui/cli/import_paths.h"
#include "ui/cli/numbers.h"
#include "ui/cli/output.h"
#include "ui/cli/verbs.h"
#include "ui/cli/words.h"
#include "ui/cli/written_files.h"
#include "ui/places/places.h"

namespace gpufeed::cli {
namespace {

/// Every run must be a scenario on that machine: all that are not, are told at once.
void check_runs(const ToolResults& results, const std::string& system,
                const std::optional<std::string>& at, const Catalog& catalog) {
  const std::string scenario = results_scenario(results, system, {});
  Diagnostics problems;
  std::set<std::string> told;
  for (const MeasuredRun& run : results.runs) try {
      std::vector<Override> given{{"system", toml_string(system), "--system " + system}};
      if (at) given.push_back({"data.at", toml_string(*at), "--at " + *at});
      for (const auto& assignment : run.set) {
        given.push_back(parse_override(assignment));
        given.back().option = run.title;
      }
      parse_scenario(scenario, "the scenario", catalog, given);
    } catch (const InputError& error) {
      for (const Problem& one : error.problems())
        if (told.insert(sentence(one)).second) problems.add(std::vector{one});
    }
  problems.throw_if_any();
}

}  // namespace

bool names_results(const std::string& what) {
  for (const auto name : EnumNames<ResultTool>::names)
    if (what == name) return true;
  return what == "results" || what == "rccl-tests";
}

int import_results(const Arguments& arguments) {
  constexpr std::size_t kColumn = 13;
  Options options(
      "import results",
      "Turns what elbencho, IOR, nvbandwidth, nccl-tests or Darshan measured into cases. gpufeed "
      "validate predicts them on a machine, and shows that beside what was measured. It takes "
      "screens, --resfile, --csvfile and --jsonfile of elbencho, JSON of IOR and of nvbandwidth "
      "-j, "
      "rccl-tests, and the counters of darshan-parser. Says what of it is not taken. Never "
      "overwrites a file.",
      "gpufeed import results all_reduce.log cases.toml --system nvidia-dgx-h100");
  std::string from;
  std::string file;
  std::optional<std::string> system;
  std::optional<std::string> at;
  std::vector<std::string> folders;
  options.operand("OUTPUT", from, "what the tool printed or wrote");
  options.optional_operand("FILE", file, "the cases to write; - or none prints them");
  options.value("--system", "NAME", system,
                "the machine that was measured: a name in the catalog or a file");
  options.value("--at", "PLACE", at, "the volume, drive or store that was read and written");
  options.repeatable("--catalog", "DIR", folders, kCatalogHelp).seldom();
  if (!options.parse(arguments)) return kGood;
  if (from.empty()) throw options.error("name the output to import");
  if (!system)
    throw options.error(
        "--system must name the machine that was measured: a name in the catalog, or a file of "
        "gpufeed discover");
  Diagnostics problems;
  const auto text = read_text_file(from, kLargestResults, problems);
  problems.throw_if_any();
  if (const auto own = written_in_words(*text))
    throw InputError({{{from, 1, 1},
                       fmt::format("this is {}, and no measurement", *own),
                       ProblemCode::unusable_file}});
  const ToolResults results =
      read_results(*text, std::filesystem::path(from).lexically_normal().string());
  if (at && results.kind != "io")
    throw options.error("--at is for what reads and writes: elbencho, IOR and Darshan");
  check_runs(results, *system, at, catalog_with(folders));
  const std::string cases =
      results_cases(results, printable(std::filesystem::path(from).filename().string()),
                    as_seen_from(file, *system), at);
  if (file.empty() || file == "-") {
    print(cases);
    return kGood;
  }
  write_new(file, cases);
  std::string out = fmt::format("{}: written\n", file);
  std::size_t values = 0;
  for (const MeasuredRun& run : results.runs) values += run.values.size();
  out += labeled("Measured",
                 fmt::format("{} of {}, by {}", counted(values, "value"),
                             counted(results.runs.size(), "run"), name_of(results.tool)),
                 kColumn);
  for (const auto& one : results.left_out) out += labeled("Not taken", printable(one), kColumn);
  for (const auto& one : results.assumed) out += labeled("Assumed", printable(one), kColumn);
  print(out + labeled("Next", "gpufeed validate " + file, kColumn));
  return kGood;
}

}  // namespace gpufeed::cli
