// SPDX-License-Identifier: Apache-2.0
#include "sim/training/reading.h"

#include <algorithm>
#include <cmath>

namespace gpufeed {

Bytes readahead_window(const Scenario& scenario, const Volume* volume) {
  const auto store = scenario.store.find(scenario.data.at.id);
  if (store != scenario.store.end()) {
    const auto& protocol = store->second.protocol;
    if (protocol && (*protocol)->largest_request) return *(*protocol)->largest_request;
    return {std::numeric_limits<double>::infinity()};
  }
  if (!volume || !is_striped(*volume)) return scenario.data.readahead;
  const Bytes stripe = volume->stripe_unit * static_cast<double>(volume->drives.size());
  return std::max(scenario.data.readahead, stripe * 2.0);
}

const Volume* volume_of(const System& system, const std::string& id) {
  const auto it = std::ranges::find(system.volumes, id, &Volume::id);
  return it == system.volumes.end() ? nullptr : &*it;
}

bool is_striped(const Volume& volume) {
  return volume.layout != Layout::files && volume.layout != Layout::raid1 &&
         volume.drives.size() > 1;
}

Reading reading_of(const Scenario& scenario) {
  const Dataset& dataset = *scenario.workload.dataset;
  const Volume* volume = volume_of(*scenario.system, scenario.data.at.id);
  const bool direct = scenario.data.mode == ReadMode::direct;
  const Bytes sample = dataset.sample_size;
  const Bytes file = sample * static_cast<double>(dataset.samples_per_file);
  const Bytes window =
      direct ? scenario.data.request.value_or(sample) : readahead_window(scenario, volume);
  Reading reading;
  const bool records = dataset.samples_per_file > 1 && !direct;
  Bytes request = std::min(records ? file : sample, window);
  reading.waits_per_sample =
      records ? std::max(sample / window, sample / file) : std::ceil(sample / window);
  if (volume && is_striped(*volume)) {
    const double units = std::max(1.0, request / volume->stripe_unit);
    reading.drives_at_once = std::min(units, static_cast<double>(volume->drives.size()));
    request = std::min(request, volume->stripe_unit);
  }
  const auto store = scenario.store.find(scenario.data.at.id);
  if (store != scenario.store.end() && store->second.protocol)
    reading.waits_per_sample += 1 / static_cast<double>(dataset.samples_per_file);
  reading.access = {.request = request, .whole_files = true, .bytes_per_open = file};
  return reading;
}

}  // namespace gpufeed
