// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/headlines.h"

#include <fmt/format.h>

#include <cmath>

#include "sim/base/units.h"

namespace gpufeed {
namespace {

class Headlines {
 public:
  std::vector<ComparedFigure> all;

  void bandwidth(const std::string& name, double value) { add(name, value, "B/s", true); }
  void time(const std::string& name, double value, double noise = 0) {
    add(name, value, "s", false, noise);
  }
  void rate(const std::string& name, double value) { add(name, value, "/s", true); }
  void computing(const std::string& name, double value) { add(name, value, "FLOP/s", true); }

 private:
  void add(const std::string& name, double value, const char* unit, bool more_is_better,
           double noise = 0) {
    all.push_back({name, value, unit, more_is_better, std::isfinite(noise) ? noise : 0});
  }
};

void add(Headlines& out, const CheckpointingSummary& summary) {
  for (const auto& [name, phase] : {std::pair("save", &summary.save), {"load", &summary.load}}) {
    out.bandwidth(fmt::format("{} by rank 0", name), phase->rank0_Bps);
    out.bandwidth(fmt::format("{} by the slowest rank", name), phase->slowest_Bps);
    out.time(fmt::format("time to {}", name), phase->slowest_s);
  }
}

void add(Headlines& out, const std::vector<IoLine>& lines) {
  for (const IoLine& line : lines) {
    out.rate(line.direction + " requests", line.iops);
    out.bandwidth(line.direction + " bandwidth", line.bandwidth_Bps);
    if (std::isfinite(line.latency_mean_s))
      out.time(line.direction + " mean latency", line.latency_mean_s);
    if (std::isfinite(line.latency_p99_s))
      out.time(line.direction + " latency of 99 %", line.latency_p99_s);
  }
}

void add(Headlines& out, const std::vector<CollectiveTime>& lines) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto name = [&] {
      return fmt::format("{} of {}", lines[i].operation, text(Bytes{lines[i].size_B}, 3));
    };
    const bool first = i == 0 || lines[i - 1].operation != lines[i].operation;
    const bool last = i + 1 == lines.size() || lines[i + 1].operation != lines[i].operation;
    if (first) out.time("time of " + name(), lines[i].time_s);
    if (last) out.bandwidth("bus rate of " + name(), lines[i].bus_Bps);
  }
}

void add(Headlines& out, const ServingSummary& serving, double rate) {
  out.rate("requests answered", rate);
  out.rate("requests at most", serving.capacity_requests_per_s);
  out.time("cold start", serving.cold_start_s);
  const double noise = serving.latency_uncertainty;
  out.time("mean latency", serving.latency_mean_s, noise);
  out.time("latency of 99 %", serving.latency_p99_s, noise);
}

}  // namespace

std::vector<ComparedFigure> headlines_of(const Result& result) {
  Headlines out;
  if (result.checkpointing) add(out, *result.checkpointing);
  add(out, result.io);
  if (result.replay) out.time("replay", result.replay->replay_s);
  for (const auto& matrix : result.transfers)
    out.bandwidth("sum of " + matrix.test, matrix.sum_Bps);
  for (const auto& copy : result.copies)
    out.bandwidth(copy.from + " -> " + copy.to, copy.bandwidth_Bps);
  add(out, result.collectives);
  for (const auto& line : result.products)
    out.computing(fmt::format("{} x {} x {}", line.m, line.n, line.k), line.flop_per_s);
  if (result.pipeline) {
    out.time("copies between places", result.pipeline->copy_s);
    out.time("time to first result", result.time_to_first_result_s);
    out.time("time to result", result.time_to_result_s);
  }
  if (result.serving) add(out, *result.serving, result.throughput_samples_per_s);
  return std::move(out.all);
}

}  // namespace gpufeed
