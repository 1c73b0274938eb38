// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <filesystem>

#include "reports/writers/layout.h"
#include "sim/import/dlio.h"
#include "sim/load/load.h"
#include "sim/load/toml_text.h"
#include "ui/cli/output.h"
#include "ui/cli/places.h"
#include "ui/cli/verbs.h"
#include "ui/cli/words.h"

namespace gpufeed::cli {
namespace {

namespace fs = std::filesystem;

/// The machine of a scenario that names none, as gpufeed new takes it.
constexpr const char* kSystem = "nvidia-dgx1-p100";

std::int64_t count_of(const std::string& option, const std::string& text, std::int64_t most,
                      const Options& options) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc{} && rest == end && value >= 1 && value <= most) return value;
  throw options.error(
      fmt::format("{} must be a whole number from 1 to {}; found \"{}\"", option, most, text));
}

/// A path of the command line as the file at `file` must write it; names stay as they are.
std::string as_seen_from(const std::string& file, const std::string& name) {
  const bool path = name.find('/') != std::string::npos || name.ends_with(".toml");
  if (!path || file.empty() || file == "-") return name;
  const fs::path folder = fs::path(file).parent_path();
  const fs::path seen = fs::proximate(name, folder.empty() ? fs::path(".") : folder);
  return seen.has_parent_path() ? seen.string() : "./" + seen.string();
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
  options.value("--system", "NAME", system,
                fmt::format("the machine: a name in the catalog or a file; default: {}", kSystem));
  options.value("--at", "PLACE", at, "the volume, drive or store that holds the data");
  options.value("--accelerators", "N", accelerators,
                "how many accelerators to emulate; default: as many as the machine has GPUs");
  options.flag("--mlperf-size", target.mlperf_size,
               "as many samples as MLPerf Storage demands, 500 steps and 5 times the memory at "
               "least, instead of the file's");
  options.repeatable("--catalog", "DIR", folders, kCatalogHelp);
  if (!options.parse(arguments)) return kGood;
  if (yaml.empty()) throw options.error("name the workload file to import");
  if (accelerators) target.accelerators = count_of("--accelerators", *accelerators, 4096, options);
  const std::string name = system.value_or(kSystem);
  target.system = as_seen_from(file, name);
  target.at = at;

  const Catalog catalog = catalog_with(folders);
  const DlioWorkload workload = load_dlio(yaml);
  const std::string text = dlio_scenario(workload, target);
  // What the options name must be there, and what is written must load.
  std::vector<Override> given{{"system", toml_string(name), "--system " + name}};
  if (at) given.push_back({"data.at", toml_string(*at), "--at " + *at});
  parse_scenario(text, file.empty() || file == "-" ? "the scenario" : file, catalog, given);
  if (file.empty() || file == "-") {
    print(text);
    return kGood;
  }
  write_new(file, text);
  constexpr std::size_t kIndent = 13;
  std::string out = fmt::format("{}: written\n", file);
  if (!workload.not_modeled.empty())
    out +=
        labeled("Not modeled", fmt::format("{}", fmt::join(workload.not_modeled, ", ")), kIndent);
  if (!system)
    out += labeled("Machine", fmt::format("{}, because --system names none", name), kIndent);
  print(out + labeled("Next", "gpufeed simulate " + file, kIndent));
  return kGood;
}

}  // namespace

int import_verb(const Arguments& arguments) {
  const std::string what = arguments.empty() ? "" : arguments.front();
  const Arguments rest(arguments.begin() + (arguments.empty() ? 0 : 1), arguments.end());
  if (what == "dlio" || what == "--help" || what == "-h")
    return import_dlio(what == "dlio" ? rest : Arguments{"--help"});
  if (what.empty()) throw UsageError("gpufeed import: say from what: dlio");
  throw UsageError(fmt::format("gpufeed import: cannot import from \"{}\"; {}", what,
                               suggestion(what, {"dlio"})));
}

}  // namespace gpufeed::cli
