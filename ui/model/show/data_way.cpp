// SPDX-License-Identifier: Apache-2.0
#include "ui/model/show/data_way.h"

#include <cmath>

#include "reports/writers/phrases.h"
#include "sim/model/scenario.h"

namespace gpufeed::ui {
namespace {

bool is_read(LimiterCode code) {
  return code == LimiterCode::drives || code == LimiterCode::store ||
         code == LimiterCode::network || code == LimiterCode::pcie_and_sockets;
}

bool past_cache(const Scenario& scenario) {
  return scenario.data.path == ReadPath::gpudirect || scenario.data.mode.value == ReadMode::direct;
}

/// What of the stored bytes the epochs after the first read from storage.
double missed(const Result& result, const Scenario& scenario) {
  const bool later = result.later_epochs_samples_per_s.has_value();
  return past_cache(scenario) || !later ? 1 : 1 - result.cache.hit_rate;
}

/// Bytes of a sample that the GPU gets.
Bytes handed_to_gpu(const Scenario& scenario) {
  if (scenario.workload.is<kind::Training>() && scenario.loader.decode == DecodeOn::gpu)
    return scenario.workload.dataset()->sample_size;
  return scenario.workload.model() ? scenario.workload.model()->input_size : Bytes{};
}

std::string copies_at(LimiterCode code, const Scenario& scenario) {
  const Loader& loader = scenario.loader;
  switch (code) {
    case LimiterCode::pcie_and_sockets:
      if (scenario.data.path == ReadPath::gpudirect) return "straight into the GPU: no copy";
      return past_cache(scenario) ? "into the reader's memory: no copy"
                                  : "into the page cache, then one copy to the reader";
    case LimiterCode::cpu_decode:
      return loader.decode == DecodeOn::cpu ? "one copy: the decoded sample is written" : "";
    case LimiterCode::loader_process:
      return "taken over from the workers";
    case LimiterCode::host_to_device_copy:
      if (scenario.data.path == ReadPath::gpudirect) return "";
      return loader.pinned_memory ? "from pinned memory: no further copy"
                                  : "one copy, into the driver's pinned buffer";
    default:
      return "";
  }
}

}  // namespace

std::vector<WayStation> data_way(const Result& result, const Scenario& scenario) {
  std::vector<WayStation> way;
  if (!scenario.workload.dataset()) return way;
  const Stage* const holds = tightest_stage(result);
  const double rate = result.throughput_samples_per_s;
  const double read =
      rate * scenario.workload.dataset()->sample_size.value * missed(result, scenario);
  for (const Stage& stage : result.stages) {
    const double capacity = stage.capacity_samples_per_s;
    if (!std::isfinite(capacity) || capacity <= 0) continue;
    WayStation station{sentence(stage.stage), capacity,
                       rate / capacity,       0,
                       in_words(stage.limit), copies_at(stage.stage.code, scenario),
                       &stage == holds};
    if (is_read(stage.stage.code)) station.rate_Bps = read;
    if (stage.stage.code == LimiterCode::host_to_device_copy)
      station.rate_Bps = rate * handed_to_gpu(scenario).value;
    way.push_back(std::move(station));
  }
  return way;
}

std::string copies_in_words(const Scenario& scenario) {
  if (scenario.data.path == ReadPath::gpudirect)
    return "Storage writes into the GPUs' memory: software copies nothing.";
  const int copies = !past_cache(scenario) + (scenario.loader.decode == DecodeOn::cpu) +
                     !scenario.loader.pinned_memory;
  if (copies == 0) return "Software copies nothing on the way: each byte is moved by DMA alone.";
  return copies == 1
             ? "Software writes each sample once more on its way."
             : "Software writes each sample " + std::to_string(copies) + " times more on its way.";
}

}  // namespace gpufeed::ui
