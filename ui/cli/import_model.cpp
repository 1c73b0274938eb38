// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/import_model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reports/writers/layout.h"
#include "sim/import/model_config.h"
#include "ui/cli/numbers.h"
#include "ui/cli/output.h"
#include "ui/cli/verbs.h"

namespace gpufeed::cli {
namespace {

constexpr std::int64_t kUsualTokens = 4096;
constexpr std::int64_t kMostTokens = 100000000;
constexpr std::size_t kColumn = 13;  ///< column at which values begin

std::string rows(const ModelConfig& config, std::int64_t tokens, const std::string& file) {
  const Architecture& of = config.of;
  const ArchitectureCount count = count_architecture(of, static_cast<double>(tokens));
  const auto number = [](double value) { return text_number(value, 15); };
  std::string out =
      fmt::format("{}: written\n", file) +
      labeled("Parameters", number(count.parameters), kColumn) +
      labeled("Layers",
              fmt::format("{}, {} wide, {} heads{}", of.layers, of.hidden, of.heads,
                          of.experts > 0 ? fmt::format(", {} experts of which {} a token",
                                                       of.experts, of.experts_per_token)
                                         : ""),
              kColumn) +
      labeled("Samples", fmt::format("{} tokens each; --sequence sets them", tokens), kColumn);
  if (!config.not_modeled.empty())
    out += labeled("Not modeled", fmt::format("{}", fmt::join(config.not_modeled, ", ")), kColumn);
  return out + labeled("Next",
                       "workload.model = \"" + file + "\" in a scenario, or " +
                           "gpufeed simulate FILE --set 'workload.model=\"" + file + "\"'",
                       kColumn);
}

}  // namespace

int import_model(const Arguments& arguments) {
  Options options("import model",
                  "Turns config.json of a language model, as Hugging Face's transformers has it, "
                  "into a model for scenarios, by its layers; counts its parameters. Never "
                  "overwrites a file.",
                  "gpufeed import model config.json my-model.toml --sequence 8192");
  std::string config_file;
  std::string file;
  std::optional<std::string> sequence;
  options.operand(
      "config.json", config_file,
      fmt::format("of a decoder; model_type may be {}", fmt::join(model_types(), ", ")));
  options.optional_operand("FILE", file, "the model to write (.toml); - or none prints it");
  options.value("--sequence", "TOKENS", sequence,
                "of one sample; default: 4,096, or what the model takes where that is less");
  if (!options.parse(arguments)) return kGood;
  if (config_file.empty()) throw options.error("name the config.json to import");
  const ModelConfig config = load_model_config(config_file);
  const std::int64_t most = config.tokens > 0 ? config.tokens : kUsualTokens;
  std::int64_t tokens = std::min(kUsualTokens, most);
  if (sequence) tokens = number_in(options, "--sequence", *sequence, kMostTokens);
  const std::string text = model_entry(config, tokens);
  if (file.empty() || file == "-") {
    print(text);
    return kGood;
  }
  write_new(file, text);
  print(rows(config, tokens, file));
  return kGood;
}

}  // namespace gpufeed::cli
