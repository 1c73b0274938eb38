// SPDX-License-Identifier: Apache-2.0
#include "calib/fit/gpu_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "calib/fit/decode_fit.h"
#include "calib/fit/findings.h"
#include "calib/fit/step_curve.h"
#include "sim/base/diagnostics.h"
#include "sim/base/numbers/statistics.h"

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

void tell_lines(const Lines& lines, std::string (*in_words)(const LineFit&), Findings& findings) {
  for (const auto& [kind, times] : lines) try {
      findings.tell(kind + ": " + in_words(fit_line(times, kind)));
    } catch (const InputError& error) {
      findings.refuse(kind, sentence(error.problems().front()));
    }
}

/// Copies that differ in size only.
std::string kind_of_copy(const Json& copy) {
  const std::string way = copy.at("way");
  return fmt::format("gpu {}: copies {}, {}", copy.at("gpu").get<int>(),
                     way == "both"     ? "both ways at once"
                     : way == "within" ? "from one place of it to another"
                                       : way + " it",
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

/// Of copies of one GPU by pinned memory.
std::optional<LineFit> line_of_copies(const Json& gpu, int index, std::string_view way) {
  std::vector<Timed> times;
  for (const Json& one : gpu.at("copies"))
    if (one.at("gpu") == index && one.at("way") == way && one.at("memory") == "pinned")
      times.push_back({one.at("bytes"), {one.at("s")}});
  try {
    return fit_line(times, "copies");
  } catch (const InputError&) {  // told where all copies are
    return {};
  }
}

/// What copies attain of the link that PCIe tells of.
void fit_link(const Json& gpu, const Json& one, Findings& findings) {
  const int index = one.at("gpu");
  const double raw_Bps = one.value("pcie_Bps", 0.0);
  const auto to = line_of_copies(gpu, index, "to");
  const auto from = line_of_copies(gpu, index, "from");
  const std::string link = fmt::format("system.gpu[gpu{}].model.link.", index);
  if (!to || !from) return;
  if (raw_Bps <= 0)
    return findings.refuse(link + "efficiency", "PCIe does not tell how fast the link is");
  if (std::max(to->rate, from->rate) > raw_Bps)
    return findings.refuse(link + "efficiency",
                           "copies are faster than the link that PCIe tells of");
  std::size_t points = 0;
  for (const Json& copy : gpu.at("copies"))
    points += copy.at("gpu") == index && copy.at("way") == "to" && copy.at("memory") == "pinned";
  const auto take = [&](const char* key, std::string value, const LineFit& line) {
    findings.take({link + key, std::move(value), line.deviation, line.residual, points,
                   "copies by pinned memory: a start and a rate"});
  };
  const auto share = [](double part) { return fmt::format("{:.4g} %", 100 * part); };
  take("efficiency", share(to->rate / raw_Bps), *to);
  take("efficiency_from_device", share(from->rate / raw_Bps), *from);
  take("latency", text(to->start, 4), *to);
  const auto both = line_of_copies(gpu, index, "both");
  if (!both) return;
  const double duplex = 2 * both->rate / std::max(to->rate, from->rate);
  take("duplex", share(std::clamp(duplex, 1.0, 2.0)), *both);
}

/// Sums of kernels by network and batch.
std::map<std::string, StepCurve> curves_of(const Json& gpu) {
  std::map<std::string, StepCurve> curves;
  for (const Json& one : gpu.at("kernels")) {
    auto& point = curves[kind_of_step(one)].of_batch[one.at("batch")];
    const double times = one.at("times");
    point.gpu += Seconds{times * one.at("s").get<double>()};
    point.host += Seconds{times * one.at("host_s").get<double>()};
  }
  return curves;
}

/// What whole steps are off from the kernels that they consist of.
void tell_steps(const Json& gpu, Findings& findings) {
  const auto curves = curves_of(gpu);
  std::map<std::string, std::map<std::string, std::vector<double>>> departures;
  for (const Json& step : gpu.at("steps")) {
    const auto curve = curves.find(kind_of_step(step));
    if (curve == curves.end()) continue;
    const StepCurve::Point parts = step_at(curve->second, step.at("batch"));
    const std::string launch = step.at("launch");
    const Seconds predicted = launch == "graph" ? parts.gpu : std::max(parts.gpu, parts.host);
    departures[curve->first][launch].push_back(
        std::abs(predicted.value / step.at("s").get<double>() - 1));
  }
  for (const auto& [kind, curve] : curves) {
    const auto& [least, first] = *curve.of_batch.begin();
    const auto& [most, last] = *curve.of_batch.rbegin();
    std::string words =
        fmt::format("{}: by its kernels {} at batch {} and {} at {}, launched by the host in {}",
                    kind, text(first.gpu, 3), least, text(last.gpu, 3), most, text(last.host, 3));
    for (const auto& [launch, values] : departures[kind])
      words += fmt::format("; whole steps, launched {}{}, depart by {}, at most {}",
                           launch == "graph" ? "as a " : "", launch, percent_of(median(values)),
                           percent_of(std::ranges::max(values)));
    findings.tell(std::move(words));
  }
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

void fit_gpus(const Json& gpu, Findings& findings) {
  for (const Json& one : gpu.at("gpus"))
    findings.tell(
        fmt::format("gpu {} is {}", one.at("gpu").get<int>(), one.at("name").get<std::string>()));
  Lines lines;
  gather(gpu, "copies", "bytes", kind_of_copy, lines);
  gather(gpu, "peers", "bytes", kind_of_peer, lines);
  gather(gpu, "together", "bytes", kind_of_all, lines);
  gather(gpu, "collectives", "bytes", kind_of_collective, lines);
  tell_lines(lines, line_text, findings);
  if (gpu.contains("copies"))
    for (const Json& one : gpu.at("gpus")) fit_link(gpu, one, findings);
  if (gpu.contains("kernels")) {
    tell_steps(gpu, findings);
  } else {
    Lines steps;
    gather(gpu, "steps", "batch", kind_of_step, steps);
    tell_lines(steps, step_text, findings);
  }
  for (const Json& launch : gpu.at("launches"))
    findings.tell(fmt::format("gpu {}: launching a kernel takes {}", launch.at("gpu").get<int>(),
                              text(Seconds{launch.at("s")}, 3)));
  for (const Json& product : gpu.at("products")) {
    const double flop = 2.0 * product.at("m").get<double>() * product.at("n").get<double>() *
                        product.at("k").get<double>();
    findings.tell(fmt::format("gpu {}: {} {} x {} x {} attains {}", product.at("gpu").get<int>(),
                              product.at("type").get<std::string>(), product.at("m").get<int>(),
                              product.at("n").get<int>(), product.at("k").get<int>(),
                              text(FlopRate{flop / product.at("s").get<double>()}, 3)));
  }
}

}  // namespace gpufeed
