// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/make/cores.h"

#include <algorithm>
#include <numeric>

#include "sim/model/compute.h"
#include "sim/model/find_part.h"
#include "sim/model/scenario.h"
#include "sim/model/transport/store_client.h"

namespace gpufeed {
namespace {

double cores_of(const System& system) {
  double all = 0;
  for (const auto& socket : system.sockets) all += static_cast<double>(socket.model->cores);
  return all;
}

double with_smt(double cores, double threads, const Scenario& scenario, const Ref<Cpu>& cpu) {
  const double more = static_cast<double>(cpu->threads_per_core - 1);
  if (threads <= cores || more <= 0) return cores;
  const auto gain = smt_gain(scenario, cpu);
  if (!gain) return cores;
  const double used = std::min((threads - cores) / (cores * more), 1.0);
  return cores * (1 + (gain->value.value - 1) * used);
}

/// What takes a second on the core that a cost was measured on.
double as_long(const DecodeCost& cost, const Cpu& here) {
  if (!cost.measured_on || !(*cost.measured_on)->core_speed || !here.core_speed) return 1;
  return (*cost.measured_on)->core_speed->value / here.core_speed->value;
}

/// Of one sample on a CPU of which so much is at work.
Seconds decode_time_on(const Cpu& cpu, const std::string& name, const Dataset& dataset,
                       double used) {
  const auto here = [&](Seconds time, const std::optional<Ratio>& load,
                        const std::optional<Ratio>& of_all) {
    const auto speed = [&](double at) { return 1 - at * (1 - of_all.value_or(Ratio{1.0}).value); };
    return load ? time * (speed(load->value) / speed(used)) : time;
  };
  if (dataset.decode_time)
    return here(*dataset.decode_time, dataset.decode_load, cpu.all_core_speed);
  const DecodeCost& cost = *decode_cost(**dataset.decoder, name, {});
  return here(decode_time(cost, dataset) * as_long(cost, cpu), cost.load,
              cost.all_core_speed ? cost.all_core_speed : cpu.all_core_speed);
}

/// How often the time of one reader a sample takes, where batches share their readers.
double readers_shared_by(const LoaderShape& loader) {
  if (!loader.shared_batches) return 1;
  return static_cast<double>(loader.batches_at_once) /
         static_cast<double>(loader.readers_per_batch);
}

void add_decoding(const Scenario& scenario, const LoaderShape& loader, bool buffered, double used,
                  SampleTimes& times) {
  const Dataset& dataset = *scenario.workload.dataset();
  if (dataset.decoder && *dataset.decoder) {
    const Decoder& decoder = **dataset.decoder;
    // A direct reader asks for a sample as a whole, and what was measured through the page cache
    // says nothing of it.
    if (!buffered && decoder.direct_byte_rate) {
      times.decode = dataset.sample_size / *decoder.direct_byte_rate;
      return;
    }
    times.decodes_while_reading = buffered && decoder.decodes_while_reading;
    if (buffered && decoder.reader_bandwidth)
      times.reader = dataset.sample_size / *decoder.reader_bandwidth * readers_shared_by(loader);
  }
  for (const auto& socket : scenario.system->sockets)
    times.decode =
        std::max(times.decode, decode_time_on(*socket.model, socket.model.name, dataset, used));
}

/// What a missed sample costs for the page cache's sake.
void add_filling(const Scenario& scenario, const Cpu& cpu, bool full, SampleTimes& times) {
  const Bytes sample = scenario.workload.dataset()->sample_size;
  if (cpu.cache_fill_bandwidth) times.fill += sample / *cpu.cache_fill_bandwidth;
  if (!full || !cpu.cache_evict_bandwidth) return;
  const bool by_reader = scenario.loader.cache_limit != CacheLimit::machine;
  (by_reader ? times.fill : times.fetch) += sample / *cpu.cache_evict_bandwidth;
}

}  // namespace

CorePools core_pools(const Scenario& scenario, std::int64_t threads) {
  const System& system = *scenario.system;
  const Loader& loader = scenario.loader;
  const double all = cores_of(system);
  const auto wanted = static_cast<double>(threads);
  CorePools pools;
  pools.physical = loader.decode_cores ? static_cast<double>(*loader.decode_cores) : all;
  pools.used = std::min(pools.physical, wanted) / all;
  for (const auto& socket : system.sockets) {
    const double cores = pools.physical * static_cast<double>(socket.model->cores) / all;
    pools.cores.push_back(with_smt(cores, wanted * cores / pools.physical, scenario, socket.model));
  }
  if (loader.cores == CorePool::machine)
    pools.cores = {std::accumulate(pools.cores.begin(), pools.cores.end(), 0.0)};
  return pools;
}

std::size_t pool_of(const CorePools& pools, PartId socket) {
  return pools.cores.size() == 1 ? 0 : socket.number;
}

SampleTimes sample_times(const Scenario& scenario, const Sources& sources,
                         const LoaderShape& loader, double used, bool full) {
  const Dataset& dataset = *scenario.workload.dataset();
  const Cpu& cpu = *scenario.system->sockets.front().model;
  SampleTimes times;
  if (scenario.loader.decode == DecodeOn::cpu)
    add_decoding(scenario, loader, sources.from.buffered(), used, times);
  // The rate of a decoder that works while it reads is that of its whole way, copy included.
  if (cpu.core_copy_bandwidth && sources.from.buffered() && !times.decodes_while_reading)
    times.decode += dataset.sample_size / *cpu.core_copy_bandwidth;
  if (!sources.store && sources.from.buffered() && !times.decodes_while_reading)
    add_filling(scenario, cpu, full, times);
  if (sources.store && sources.store->protocol) {
    const Protocol& protocol = **sources.store->protocol;
    const Reading& reading = sources.reading;
    double requests = dataset.sample_size * reading.read_per_byte / reading.access.request;
    if (!reads_files(protocol))  // it is closed as well
      requests += 2 * static_cast<double>(protocol.open_requests) /
                  static_cast<double>(dataset.samples_per_file);
    times.fetch = core_time(protocol, dataset.sample_size, requests);
  }
  return times;
}

Seconds decode_time(const DecodeCost& cost, const Dataset& dataset) {
  Seconds time = cost.per_sample;
  if (cost.byte_rate) time += dataset.sample_size / *cost.byte_rate;
  if (cost.pixel_rate)
    time += {static_cast<double>(dataset.pixels.value_or(0)) / cost.pixel_rate->value};
  return time;
}

}  // namespace gpufeed
