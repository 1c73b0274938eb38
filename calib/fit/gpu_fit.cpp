// SPDX-License-Identifier: Apache-2.0
#include "calib/fit/gpu_fit.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "calib/fit/decode_fit.h"
#include "sim/base/diagnostics.h"

namespace gpufeed {
namespace {

using Json = nlohmann::ordered_json;

std::string line_text(const LineFit& line) {
  return fmt::format("{} and {}, departing by {:.2g} %", text(line.start, 3),
                     text(Bandwidth{line.rate}, 3), 100 * line.residual);
}

/// Copies that differ in size only.
std::string kind_of_copy(const Json& copy) {
  const std::string way = copy.at("way");
  return fmt::format("gpu {}: copies {}, {}", copy.at("gpu").get<int>(),
                     way == "both" ? "both ways at once" : way + " it",
                     copy.at("memory").get<std::string>());
}

std::string kind_of_peer(const Json& copy) {
  return fmt::format("gpu {} to gpu {}, {}", copy.at("from").get<int>(), copy.at("to").get<int>(),
                     copy.at("direct").get<bool>() ? "directly" : "through the host");
}

}  // namespace

LineFit fit_line(const std::vector<Timed>& times, const std::string& name) {
  // decoding's law, of samples without pixels
  std::vector<DecodeTime> as_decoding;
  as_decoding.reserve(times.size());
  for (const Timed& one : times) as_decoding.push_back({0, {one.amount}, one.time});
  const DecodeFit fit = fit_decoding(as_decoding, name);
  if (!fit.byte_rate || fit.per_sample.value <= 0)
    throw InputError({{{name, 0, 0}, "the times tell no start and rate"}});
  return {fit.per_sample, fit.byte_rate->value, fit.residual};
}

std::vector<std::string> tell_gpus(const Json& gpu, std::vector<std::string>& refused) {
  std::vector<std::string> told;
  for (const Json& one : gpu.at("gpus"))
    told.push_back(
        fmt::format("gpu {} is {}", one.at("gpu").get<int>(), one.at("name").get<std::string>()));
  std::map<std::string, std::vector<Timed>> lines;
  for (const Json& copy : gpu.at("copies"))
    lines[kind_of_copy(copy)].push_back({copy.at("bytes"), {copy.at("s")}});
  for (const Json& copy : gpu.at("peers"))
    lines[kind_of_peer(copy)].push_back({copy.at("bytes"), {copy.at("s")}});
  for (const auto& [kind, times] : lines) try {
      told.push_back(kind + ": " + line_text(fit_line(times, kind)));
    } catch (const InputError& error) {
      refused.push_back(kind + ": " + error.problems().front().message);
    }
  for (const Json& launch : gpu.at("launches"))
    told.push_back(fmt::format("gpu {}: launching a kernel takes {}", launch.at("gpu").get<int>(),
                               text(Seconds{launch.at("s")}, 3)));
  for (const Json& product : gpu.at("products")) {
    const double flop = 2.0 * product.at("m").get<double>() * product.at("n").get<double>() *
                        product.at("k").get<double>();
    told.push_back(fmt::format("gpu {}: {} {} x {} x {} attains {}", product.at("gpu").get<int>(),
                               product.at("type").get<std::string>(), product.at("m").get<int>(),
                               product.at("n").get<int>(), product.at("k").get<int>(),
                               text(FlopRate{flop / product.at("s").get<double>()}, 3)));
  }
  return told;
}

}  // namespace gpufeed
