// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/import_fio.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "reports/writers/layout.h"
#include "sim/base/files/read_file.h"
#include "sim/base/files/write_whole.h"
#include "sim/base/printable.h"
#include "sim/import/fio/fio_job.h"
#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "ui/cli/import_paths.h"
#include "ui/cli/output.h"
#include "ui/cli/verbs.h"
#include "ui/cli/words.h"
#include "ui/places/places.h"

namespace gpufeed::cli {

int import_fio(const Arguments& arguments) {
  constexpr const char* kMachine = "nvidia-dgx1-p100";
  constexpr std::size_t kColumn = 13;
  Options options("import fio",
                  "Turns a job of a job file of fio into a scenario of kind \"io\", and says which "
                  "of its options are not modeled. Never overwrites a file.",
                  "gpufeed import fio randread.fio requests.toml --at scratch");
  std::string from;
  std::string file;
  std::optional<std::string> job;
  std::optional<std::string> system;
  std::optional<std::string> at;
  std::vector<std::string> folders;
  options.operand("JOBS.fio", from, "the job file");
  options.optional_operand("FILE", file, "the scenario to write; - or none prints it");
  options.value("--job", "NAME", job, "which job, where the file has several");
  options.value("--system", "NAME", system,
                "the machine: a name in the catalog or a file; default: nvidia-dgx1-p100");
  options.value("--at", "PLACE", at, "the volume, drive or store that it reads and writes");
  options.repeatable("--catalog", "DIR", folders, kCatalogHelp).seldom();
  if (!options.parse(arguments)) return kGood;
  if (from.empty()) throw options.error("name the job file to import");
  Diagnostics problems;
  const auto text = read_text_file(from, kMaxTextSize, problems);
  problems.throw_if_any();
  const FioWorkload workload =
      parse_fio_job(*text, std::filesystem::path(from).lexically_normal().string(), job);
  const std::string machine = as_seen_from(file, system.value_or(kMachine));
  const std::string toml = fio_scenario(workload, machine, at);
  const bool printed = file.empty() || file == "-";
  std::vector<Override> given;
  if (system) given.push_back({"system", toml_string(machine), "--system " + *system});
  if (at) given.push_back({"data.at", toml_string(*at), "--at " + *at});
  parse_scenario(toml, printed ? "the scenario" : file, catalog_with(folders), given);
  if (printed) {
    print(toml);
    return kGood;
  }
  write_new(file, toml);
  std::string out = fmt::format("{}: written\n", file);
  if (!workload.not_modeled.empty())
    out +=
        labeled("Not modeled", fmt::format("{}", fmt::join(workload.not_modeled, ", ")), kColumn);
  if (!system)
    out += labeled("Machine", fmt::format("{}, because --system names none", kMachine), kColumn);
  print(out + labeled("Next", "gpufeed simulate " + file, kColumn));
  return kGood;
}

}  // namespace gpufeed::cli
