// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/import_engine.h"

#include <fmt/format.h>

#include "sim/import/engine_command.h"
#include "sim/load/serving/document.h"
#include "ui/cli/output.h"
#include "ui/cli/verbs.h"
#include "ui/cli/words.h"
#include "ui/places/places.h"

namespace gpufeed::cli {
namespace {

constexpr const char* kUsualGpu = "nvidia-h100-sxm5-80gb";

}  // namespace

int import_engine(const Arguments& arguments) {
  Options options("import vllm",
                  "Turns a command line that starts vLLM or SGLang into a scenario of kind "
                  "\"serving\", and says what of it is not modeled. What is asked of the engine is "
                  "for you to fill in.",
                  "gpufeed import vllm 'vllm serve meta-llama/Llama-3.1-8B-Instruct "
                  "--tensor-parallel-size 2'");
  std::string line;
  std::string file;
  std::optional<std::string> gpu, as;
  std::vector<std::string> folders;
  options.operand("COMMAND", line, "the command line, in quotation marks");
  options.optional_operand("FILE", file, "the scenario to write; - or none prints it");
  options.value("--gpu", "NAME", gpu, "on which it runs; default: nvidia-h100-sxm5-80gb");
  options.value("--as", "MODEL", as,
                "the model, by its name in the catalog or a file; default: by the command line's");
  options.repeatable("--catalog", "DIR", folders, kCatalogHelp).seldom();
  if (!options.parse(arguments)) return kGood;
  if (line.empty()) throw options.error("give the command line in quotation marks");
  const Catalog catalog = catalog_with(folders);
  const EngineCommand command = parse_engine_command({line});
  const std::string model = as ? *as : catalog_model_of(command, catalog.names("model"));
  const std::string text = serving_text(command, model, gpu.value_or(kUsualGpu));
  parse_serving(text, file.empty() || file == "-" ? "the scenario" : file, catalog);
  if (file.empty() || file == "-") {
    print(text);
    return kGood;
  }
  write_new(file, text);
  print(
      fmt::format("{}: written; set what is asked in [serving.requests], then gpufeed simulate "
                  "{}\n",
                  file, file));
  return kGood;
}

}  // namespace gpufeed::cli
