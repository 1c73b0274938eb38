// SPDX-License-Identifier: Apache-2.0
#include "sim/export/export.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "reports/writers/layout.h"
#include "sim/base/files/read_file.h"
#include "sim/load/check/file_kind.h"
#include "sim/load/key_values.h"
#include "sim/load/scenario_source.h"
#include "sim/model/scenario.h"
#include "ui/cli/output.h"
#include "ui/cli/output_option.h"
#include "ui/cli/scenarios.h"
#include "ui/cli/verb_parts.h"
#include "ui/cli/verbs.h"
#include "ui/cli/words.h"

namespace gpufeed::cli {
namespace {

namespace fs = std::filesystem;

/// What one tool makes of a scenario, for its help.
struct ExportHelp {
  ExportTool tool;
  const char* summary;
  const char* like;  ///< what a pattern is; null: it takes none
};
constexpr std::array kExports{
    ExportHelp{ExportTool::fio,
               "Writes what a scenario reads or writes as a job file of fio: io jobs as they are, "
               "of others what their loaders read or their checkpoints save.",
               "a job file of fio with one job, whose options stay where the scenario says nothing "
               "else"},
    ExportHelp{ExportTool::dlio,
               "Writes a scenario as a workload file of DLIO, the benchmark behind MLPerf Storage.",
               "a workload file of DLIO, such as the one that the scenario was imported from: what "
               "the scenario does not say stays as it has it"},
    ExportHelp{ExportTool::elbencho,
               "Writes what a scenario reads or writes as command lines of elbencho.", nullptr},
    ExportHelp{ExportTool::ior,
               "Writes what a scenario reads or writes as command lines of IOR, started by mpirun.",
               nullptr},
    ExportHelp{ExportTool::nccl_tests,
               "Writes command lines of nccl-tests: a collective scenario as it is, of a training "
               "the sizes of its gradient exchange.",
               nullptr},
    ExportHelp{ExportTool::pytorch,
               "Writes a scenario's loader as the call that makes PyTorch's DataLoader.", nullptr}};

constexpr const char* kLeftOut =
    " What the tool cannot say is listed in comments, and on standard error.";

std::optional<ExportPattern> pattern_of(const std::optional<std::string>& file) {
  if (!file) return {};
  Diagnostics problems;
  const auto text = read_text_file(*file, kMaxTextSize, problems);
  problems.throw_if_any();
  return ExportPattern{*text, fs::path(*file).lexically_normal().string()};
}

/// A sweep, a goal or a cluster is refused by what it is. \throws InputError
void check_is_scenario(const std::string& file) {
  const auto kind = kind_of_file(file);
  if (kind == FileKind::cluster || kind == FileKind::serving)
    throw InputError(
        {{{file, 1, 1},
          fmt::format("this is {}; no benchmark here runs it: jobs of kind training, emulated, "
                      "loader, io, collective and checkpointing can be exported",
                      kind == FileKind::cluster ? "a cluster with its jobs (kind cluster)"
                                                : "a language model that is served (kind serving)"),
          ProblemCode::unusable_file}});
}

void tell(const Exported& made) {
  constexpr std::size_t kTextFrom = 11;
  std::string out;
  for (const auto& one : made.left_out) out += labeled("Left out", one, kTextFrom);
  for (const auto& one : made.chosen) out += labeled("Chosen", one, kTextFrom);
  complain(out);
}

int export_to(const ExportHelp& help, const Arguments& arguments) {
  const std::string tool(name_of(help.tool));
  Options options("export " + tool, std::string(help.summary) + kLeftOut,
                  fmt::format("gpufeed export {} scenario.toml --output FILE", tool));
  std::string file;
  std::optional<std::string> like;
  ScenarioArguments given;
  OutputOption output("--output");
  options.operand("SCENARIO", file, "the scenario");
  output.add_to(options, "write it to a file instead of standard output");
  if (help.like) options.value("--like", "FILE", like, help.like);
  given.add_overrides_to(options);
  if (!options.parse(arguments)) return kGood;
  if (file.empty()) throw options.error("name the scenario to export");
  check_is_scenario(file);
  output.open();
  const auto pattern = pattern_of(like);
  const ScenarioSource source(file, catalog_of(given), overrides_of(given));
  const Scenario scenario = source.load();
  const GivenKeys keys = key_values(source.canonical_text());
  const Exported made =
      export_scenario(help.tool, {scenario, keys, fs::path(file).stem().string()}, pattern);
  if (output.asked_for())
    output.write(made.text);
  else
    print(made.text);
  tell(made);
  if (!output.file().empty()) print(fmt::format("{}: written\n", output.file()));
  return kGood;
}

template <std::size_t I>
int export_part(const Arguments& arguments) {
  return export_to(kExports[I], arguments);
}

constexpr std::array<VerbFunction, kExports.size()> kParts{
    export_part<0>, export_part<1>, export_part<2>, export_part<3>, export_part<4>, export_part<5>};

}  // namespace

int export_verb(const Arguments& arguments) {
  const std::string what = arguments.empty() ? "" : arguments.front();
  Names tools;
  for (const ExportHelp& one : kExports) tools.emplace_back(name_of(one.tool));
  const auto found = std::ranges::find(tools, what);
  if (found != tools.end())
    return kParts.at(static_cast<std::size_t>(found - tools.begin()))(
        {arguments.begin() + 1, arguments.end()});
  if (helped("export", {kParts.begin(), kParts.end()}, arguments)) return kGood;
  const std::string known = "fio, dlio, elbencho, ior, nccl-tests or pytorch";
  if (what.empty()) throw UsageError("gpufeed export: say for what: " + known);
  throw UsageError(
      fmt::format("gpufeed export: cannot export to \"{}\"; {}", what, suggestion(what, tools)));
}

}  // namespace gpufeed::cli
