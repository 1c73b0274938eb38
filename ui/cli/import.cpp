// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "reports/writers/layout.h"
#include "sim/base/files/read_file.h"
#include "sim/base/printable.h"
#include "sim/import/dlio.h"
#include "sim/load/csv/access_log.h"
#include "sim/load/csv/tool_logs.h"
#include "sim/load/load.h"
#include "sim/load/read/toml_text.h"
#include "sim/model/catalog/system.h"
#include "sim/model/scenario.h"
#include "ui/cli/cluster.h"
#include "ui/cli/import_engine.h"
#include "ui/cli/import_fio.h"
#include "ui/cli/import_model.h"
#include "ui/cli/import_paths.h"
#include "ui/cli/import_results.h"
#include "ui/cli/import_training.h"
#include "ui/cli/output.h"
#include "ui/cli/verb_parts.h"
#include "ui/cli/verbs.h"
#include "ui/cli/words.h"
#include "ui/places/places.h"

namespace gpufeed::cli {
namespace {

namespace fs = std::filesystem;

/// The machine of a scenario that names none, as gpufeed new takes it.
constexpr const char* kSystem = "nvidia-dgx1-p100";
constexpr const char* kSystemHelp =
    "the machine: a name in the catalog or a file; default: nvidia-dgx1-p100";
constexpr const char* kAtHelp = "the volume, drive or store that holds the data";
constexpr std::size_t kIndent = 13;  ///< column at which values begin

std::int64_t count_of(const std::string& option, const std::string& text, std::int64_t most,
                      const Options& options) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc{} && rest == end && value >= 1 && value <= most) return value;
  throw options.error(
      fmt::format("{} must be a whole number from 1 to {}; found \"{}\"", option, most, text));
}

/// The scenario that `text` is: what is written must load, and what the options name be there.
Scenario checked(const std::string& text, const std::string& file, const std::string& system,
                 const std::optional<std::string>& at, const Catalog& catalog) {
  std::vector<Override> given{{"system", toml_string(system), "--system " + system}};
  if (at) given.push_back({"data.at", toml_string(*at), "--at " + *at});
  return parse_scenario(text, file.empty() || file == "-" ? "the scenario" : file, catalog, given);
}

std::string machine_row(const std::optional<std::string>& system) {
  if (system) return "";
  return labeled("Machine", fmt::format("{}, because --system names none", kSystem), kIndent);
}

int import_dlio(const Arguments& arguments) {
  Options options(
      "import dlio",
      "Turns a workload file of DLIO, the benchmark behind MLPerf Storage, into a "
      "scenario of kind \"emulated\", and says what of the file is not modeled. Never "
      "overwrites a file.",
      "gpufeed import dlio unet3d_h100.yaml unet3d.toml --accelerators 4 --mlperf-size");
  std::string yaml;
  std::string file;
  std::optional<std::string> system;
  std::optional<std::string> at;
  std::optional<std::string> accelerators;
  std::vector<std::string> folders;
  DlioTarget target;
  options.operand(
      "WORKLOAD.yaml", yaml,
      "a workload as DLIO reads it, or the config.yaml that it leaves with its results");
  options.optional_operand("FILE", file, "the scenario to write; - or none prints it");
  options.value("--system", "NAME", system, kSystemHelp);
  options.value("--at", "PLACE", at, kAtHelp);
  options.value("--store", "NAME", target.store,
                "instead of --at: a shared store that holds the data, by its name in the catalog");
  options.value("--accelerators", "N", accelerators,
                "how many accelerators to emulate; default: as many as the machine has GPUs");
  options.flag("--mlperf-size", target.mlperf_size,
               "as many samples as MLPerf Storage demands, 500 steps and 5 times the memory at "
               "least, instead of the file's");
  options.repeatable("--catalog", "DIR", folders, kCatalogHelp).seldom();
  if (!options.parse(arguments)) return kGood;
  if (yaml.empty()) throw options.error("name the workload file to import");
  if (accelerators) target.accelerators = count_of("--accelerators", *accelerators, 4096, options);
  const std::string name = system.value_or(kSystem);
  target.system = as_seen_from(file, name);
  target.at = at;

  if (at && target.store) throw options.error("--at and --store name two places; give one");
  const DlioWorkload workload = load_dlio(yaml);
  if (workload.checkpointed && !target.store)
    throw options.error(fmt::format(
        "{} saves checkpoints of {} alone, which takes a store that all hosts share: name it with "
        "--store; gpufeed catalog list array names those of the catalog",
        yaml, name_of(*workload.checkpointed)));
  const Catalog catalog = catalog_with(folders);
  if (workload.steps && !target.accelerators)
    target.gpus_of_machine = gpus_of_machine(name, catalog);
  const std::string text = dlio_scenario(workload, target);
  checked(text, file, name, at, catalog);
  if (file.empty() || file == "-") {
    print(text);
    return kGood;
  }
  write_new(file, text);
  std::string out = fmt::format("{}: written\n", file);
  if (!workload.not_modeled.empty())
    out +=
        labeled("Not modeled", fmt::format("{}", fmt::join(workload.not_modeled, ", ")), kIndent);
  out += machine_row(system);
  print(out + labeled("Next", "gpufeed simulate " + file, kIndent));
  return kGood;
}

std::string log_scenario(const std::string& log, const std::string& system,
                         const std::optional<std::string>& at, bool direct) {
  const std::string name = printable(fs::path(log).filename().string());
  std::string out = fmt::format(
      "# The requests of {} as a scenario, by gpufeed import log.\nschema = 1\ntitle = {}\n"
      "system = {}\n\n[workload]\nkind = \"io\"\n\n[workload.io]\nlog = {}\n"
      "# true: the program went around the page cache (O_DIRECT)\ndirect = {}\n\n[data]\n",
      toml_string(name), toml_string(name + ", replayed"), toml_string(system), toml_string(log),
      direct);
  if (at) out += fmt::format("at = {}\n", toml_string(*at));
  if (!direct)
    out +=
        "\n[loader]\n# lru, pinned or none; what it may fill: cache_memory = \"64 GiB\"\n"
        "cache = \"lru\"\n";
  return out;
}

/// How many lines of a tool's log are requests; nothing of a log that is CSV.
std::string lines_row(const std::string& file) {
  constexpr std::size_t kMostLog = 1u << 30;
  Diagnostics none;
  const auto text = read_text_file(file, kMostLog, none);
  const auto csv = text ? csv_of_tool_log(*text) : std::nullopt;
  if (!csv) return "";
  const auto lines = std::ranges::count(*text, '\n') + (text->ends_with('\n') ? 0 : 1);
  const auto requests = std::ranges::count(*csv, '\n') - 1;  // without its heading
  return labeled("Lines",
                 fmt::format("{} of {}; the others move no bytes of a file, or are not whole",
                             requests, lines),
                 kIndent);
}

std::string log_rows(const AccessLog& log) {
  const AccessSummary sum = summary_of(log);
  const auto count = static_cast<double>(log.requests.size());
  const auto number = [](auto n) { return text_number(static_cast<double>(n), 15); };
  std::string out =
      labeled("Requests",
              fmt::format("{} in {}; reads: {}, {} in all; writes: {}, {}", number(count),
                          time_text(log.requests.back().time_s), number(sum.reads),
                          text(Bytes{sum.bytes_read}, 4), number(sum.writes),
                          text(Bytes{sum.bytes_written}, 4)),
              kIndent) +
      labeled("Files", number(log.files), kIndent) +
      labeled("On average",
              fmt::format("{} a request; {} of them begin where the last one of their file ended",
                          text(Bytes{(sum.bytes_read + sum.bytes_written) / count}, 4),
                          percent(sum.sequential_share)),
              kIndent);
  if (!log.not_used.empty())
    out += labeled("Not used", fmt::format("columns {}", fmt::join(log.not_used, ", ")), kIndent);
  return out;
}

int import_log(const Arguments& arguments) {
  Options options(
      "import log",
      "Checks a log of what a program read and wrote, and makes a scenario that replays "
      "it: comma-separated values, the first line naming the columns time (seconds), "
      "file, offset and bytes, in any order, and op (read or write) where there are "
      "writes. So it takes what strace -f -tt, blkparse, biosnoop and darshan-dxt-parser print, "
      "and DFTracer's .pfw. "
      "Never overwrites a file.",
      "gpufeed import log access.csv replay.toml --at scratch");
  std::string log;
  std::string file;
  std::optional<std::string> system;
  std::optional<std::string> at;
  std::vector<std::string> folders;
  bool direct = false;
  options.operand("ACCESS.csv", log, "the log; the scenario names it");
  options.optional_operand("FILE", file, "the scenario to write; - or none prints it");
  options.value("--system", "NAME", system, kSystemHelp);
  options.value("--at", "PLACE", at, kAtHelp);
  options.flag("--direct", direct, "the program went around the page cache (O_DIRECT)");
  options.repeatable("--catalog", "DIR", folders, kCatalogHelp).seldom();
  if (!options.parse(arguments)) return kGood;
  if (log.empty()) throw options.error("name the log to import");
  const bool printed = file.empty() || file == "-";
  const std::string name = system.value_or(kSystem);
  const std::string text = log_scenario(beside(file, log), as_seen_from(file, name), at, direct);
  const Scenario scenario = checked(text, file, name, at, catalog_with(folders));
  if (printed) {
    print(text);
    return kGood;
  }
  write_new(file, text);
  print(fmt::format("{}: written\n", file) +
        log_rows(*scenario.workload.get<kind::Io>().io->requests) + lines_row(log) +
        machine_row(system) + labeled("Next", "gpufeed simulate " + file, kIndent));
  return kGood;
}

}  // namespace

int import_verb(const Arguments& arguments) {
  const std::string what = arguments.empty() ? "" : arguments.front();
  const Arguments rest(arguments.begin() + (arguments.empty() ? 0 : 1), arguments.end());
  if (what == "dlio") return import_dlio(rest);
  if (what == "fio") return import_fio(rest);
  if (what == "log") return import_log(rest);
  if (names_results(what)) return import_results(rest);
  if (what == "cluster") return import_cluster(rest);
  if (what == "model") return import_model(rest);
  if (what == "training") return import_training(rest);
  if (what == "vllm") return import_engine(rest);
  if (helped("import",
             {import_dlio, import_fio, import_log, import_results, import_cluster, import_model,
              import_training, import_engine},
             arguments))
    return kGood;
  if (what.empty())
    throw UsageError(
        "gpufeed import: say from what: dlio, fio, log, results, cluster, model, training or vllm");
  throw UsageError(fmt::format(
      "gpufeed import: cannot import from \"{}\"; {}", what,
      suggestion(what, {"dlio", "fio", "log", "results", "cluster", "model", "training", "vllm"})));
}

}  // namespace gpufeed::cli
