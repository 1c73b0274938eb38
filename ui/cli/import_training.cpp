// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/import_training.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reports/writers/layout.h"
#include "sim/import/training/file.h"
#include "sim/load/load.h"
#include "sim/load/read/toml_text.h"
#include "sim/model/scenario.h"
#include "ui/cli/numbers.h"
#include "ui/cli/output.h"
#include "ui/cli/words.h"
#include "ui/places/places.h"

namespace gpufeed::cli {
namespace {

constexpr std::size_t kValues = 13;  ///< column at which values begin
constexpr const char* kUsualSystem = "nvidia-dgx-h100";
constexpr std::int64_t kMostMachines = 4096;

}  // namespace

std::int64_t gpus_of_machine(const std::string& system, const Catalog& catalog) {
  const auto machine =
      parse_system(fmt::format("system = {}\n", toml_string(system)), "the scenario", catalog);
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(machine->gpus.size()));
}

int import_training(const Arguments& arguments) {
  Options options("import training",
                  "Turns a training file of torchtitan (TOML), Megatron-LM (a script with its "
                  "arguments), NeMo or Megatron-Bridge (YAML), accelerate (YAML) or DeepSpeed "
                  "(JSON) into a scenario, and says what of it is not taken. Never overwrites a "
                  "file.",
                  "gpufeed import training llama3_8b.toml mine.toml --nodes 2");
  std::string from;
  std::string file;
  std::optional<std::string> system;
  std::optional<std::string> nodes;
  std::vector<std::string> folders;
  TrainingTarget target;
  options.operand("TRAINING", from, "the training file");
  options.optional_operand("FILE", file, "the scenario to write; - or none prints it");
  options.value("--system", "NAME", system,
                "the machine: a name in the catalog or a file; default: nvidia-dgx-h100");
  options.value("--nodes", "N", nodes, "machines alike; default: as the file says, else 1");
  options.value("--model", "NAME", target.model,
                "the language model, instead of the file's: a name in the catalog or a file, such "
                "as of gpufeed import model");
  options.value("--at", "PLACE", target.at, "the volume, drive or store that holds the data");
  options.repeatable("--catalog", "DIR", folders, kCatalogHelp).seldom();
  if (!options.parse(arguments)) return kGood;
  if (from.empty()) throw options.error("name the training file to import");
  if (nodes) target.nodes = number_in(options, "--nodes", *nodes, kMostMachines);
  target.system = system.value_or(kUsualSystem);
  const TrainingFile training = load_training_file(from);
  const Catalog catalog = catalog_with(folders);
  target.gpus = gpus_of_machine(target.system, catalog);
  const std::string text = training_scenario(training, target);
  parse_scenario(text, file.empty() || file == "-" ? "the scenario" : file, catalog, {});
  if (file.empty() || file == "-") {
    print(text);
    return kGood;
  }
  write_new(file, text);
  std::string out = fmt::format("{}: written, from a file of {}\n", file, name_of(training.format));
  if (!training.not_taken.empty())
    out += labeled("Not taken", fmt::format("{}", fmt::join(training.not_taken, ", ")), kValues);
  if (!system)
    out += labeled("Machine", std::string(kUsualSystem) + ", for --system names none", kValues);
  print(out + labeled("Next", "gpufeed simulate " + file, kValues));
  return kGood;
}

}  // namespace gpufeed::cli
