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

/// A fixed part and one by samples.
std::string step_text(const LineFit& line) {
  return fmt::format("{} and {} samples/s, departing by {:.2g} %", text(line.start, 3),
                     text_number(line.rate, 3), 100 * line.residual);
}

/// What was timed by amount, by its kind.
using Lines = std::map<std::string, std::vector<Timed>>;

/// What an older probe, or one of fewer GPUs or libraries, did not measure is not there.
template <class KindOf>
void gather(const Json& gpu, const char* list, const char* amount, KindOf kind_of, Lines& lines) {
  if (!gpu.contains(list)) return;
  for (const Json& one : gpu.at(list))
    lines[kind_of(one)].push_back({one.at(amount), {one.at("s")}});
}

void tell_lines(const Lines& lines, std::string (*in_words)(const LineFit&),
                std::vector<std::string>& told, std::vector<std::string>& refused) {
  for (const auto& [kind, times] : lines) try {
      told.push_back(kind + ": " + in_words(fit_line(times, kind)));
    } catch (const InputError& error) {
      refused.push_back(kind + ": " + error.problems().front().message);
    }
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

std::string kind_of_all(const Json& copy) {
  return fmt::format("all {} GPUs at once: copies {} each, pinned", copy.at("gpus").get<int>(),
                     copy.at("way").get<std::string>());
}

std::string kind_of_collective(const Json& one) {
  return fmt::format("{} of {} GPUs", one.at("what").get<std::string>(), one.at("gpus").get<int>());
}

std::string kind_of_step(const Json& step) {
  return fmt::format("gpu {}: {}, forward and backward in fp16", step.at("gpu").get<int>(),
                     step.at("network").get<std::string>());
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
  return {fit.per_sample, fit.byte_rate->value, fit.residual, fit.deviation};
}

std::vector<std::string> tell_gpus(const Json& gpu, std::vector<std::string>& refused) {
  std::vector<std::string> told;
  for (const Json& one : gpu.at("gpus"))
    told.push_back(
        fmt::format("gpu {} is {}", one.at("gpu").get<int>(), one.at("name").get<std::string>()));
  Lines lines;
  gather(gpu, "copies", "bytes", kind_of_copy, lines);
  gather(gpu, "peers", "bytes", kind_of_peer, lines);
  gather(gpu, "together", "bytes", kind_of_all, lines);
  gather(gpu, "collectives", "bytes", kind_of_collective, lines);
  tell_lines(lines, line_text, told, refused);
  Lines steps;
  gather(gpu, "steps", "batch", kind_of_step, steps);
  tell_lines(steps, step_text, told, refused);
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
