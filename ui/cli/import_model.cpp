// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/import_model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reports/writers/layout.h"
#include "sim/base/files/read_file.h"
#include "sim/import/model_config.h"
#include "sim/import/networks/network_config.h"
#include "ui/cli/numbers.h"
#include "ui/cli/output.h"
#include "ui/cli/verbs.h"

namespace gpufeed::cli {
namespace {

constexpr std::int64_t kUsualTokens = 4096;
constexpr std::int64_t kMostTokens = 100000000;
constexpr std::int64_t kMostPixels = 8192;
constexpr std::int64_t kMostSeconds = 3600;
constexpr SampleKeys kOfDecoders{false, true, false};
constexpr std::size_t kColumn = 13;  ///< column at which values begin

std::string next_step(const std::string& file) {
  return "workload.model = \"" + file + "\" in a scenario, or gpufeed simulate FILE --set " +
         "'workload.model=\"" + file + "\"'";
}

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
  return out + labeled("Next", next_step(file), kColumn);
}

std::string rows(const NetworkConfig& config, const std::string& file) {
  const LayerCount count = count_layers(config.layers);
  return fmt::format("{}: written\n", file) +
         labeled("Parameters", text_number(count.parameters, 15), kColumn) +
         labeled("Multiply-adds",
                 text_number(count.multiply_adds / 1e9, 4) + " G a sample, forward", kColumn + 2) +
         labeled("Samples", config.sample + " each", kColumn) +
         labeled("Next", next_step(file), kColumn);
}

/// Of networks that are no decoders; nothing of others.
std::optional<NetworkConfig> network_of(const std::string& file, const SampleSize& size) {
  constexpr std::size_t kMostBytes = 4194304;
  Diagnostics out;
  const auto text = read_text_file(file, kMostBytes, out);
  out.throw_if_any();
  return parse_network_config(*text, file, size);
}

/// Refuses what would be without effect. \throws UsageError
void check_options(const Options& options, const SampleSize& given, const SampleKeys& open,
                   const std::string& type) {
  const auto idle = [&](bool said, bool taken, const char* option) {
    if (said && !taken)
      throw options.error(
          fmt::format("{} has no effect: a {} does not leave it open", option, type));
  };
  idle(given.image.has_value(), open.image, "--image");
  idle(given.tokens.has_value(), open.tokens, "--sequence");
  idle(given.seconds.has_value(), open.seconds, "--seconds");
}

int write_entry(const std::string& text, const std::string& file, const std::string& said) {
  if (file.empty() || file == "-") {
    print(text);
    return kGood;
  }
  write_new(file, text);
  print(said);
  return kGood;
}

}  // namespace

int import_model(const Arguments& arguments) {
  Options options(
      "import model",
      "Turns config.json of a network, as Hugging Face's transformers and diffusers have it, "
      "into a model for scenarios, by its layers; counts its parameters. Never "
      "overwrites a file.",
      "gpufeed import model config.json my-model.toml --sequence 8192");
  std::string config_file;
  std::string file;
  std::optional<std::string> sequence, image, seconds;
  options.operand("config.json", config_file,
                  fmt::format("of a decoder, with model_type {}; or of another network: {}",
                              fmt::join(model_types(), ", "), fmt::join(network_types(), ", ")));
  options.optional_operand("FILE", file, "the model to write (.toml); - or none prints it");
  options.value(
      "--sequence", "TOKENS", sequence,
      "of one sample, or of its text; default of a decoder: 4,096, or what it takes where "
      "that is less; of others what they take");
  options.value("--image", "PIXELS", image,
                "side of the pictures; default: what the network was made for (512 or 1,024)");
  options.value("--seconds", "N", seconds, "of speech (wav2vec2, hubert); default: 15");
  if (!options.parse(arguments)) return kGood;
  if (config_file.empty()) throw options.error("name the config.json to import");
  SampleSize size;
  if (sequence) size.tokens = number_in(options, "--sequence", *sequence, kMostTokens);
  if (image) size.image = number_in(options, "--image", *image, kMostPixels);
  if (seconds) size.seconds = number_in(options, "--seconds", *seconds, kMostSeconds);
  if (const auto network = network_of(config_file, size)) {
    check_options(options, size, network->open, network->type);
    return write_entry(network_entry(*network), file, rows(*network, file));
  }
  const ModelConfig config = load_model_config(config_file);
  check_options(options, size, kOfDecoders, config.type);
  const std::int64_t most = config.tokens > 0 ? config.tokens : kUsualTokens;
  const std::int64_t tokens = size.tokens.value_or(std::min(kUsualTokens, most));
  return write_entry(model_entry(config, tokens), file, rows(config, tokens, file));
}

}  // namespace gpufeed::cli
