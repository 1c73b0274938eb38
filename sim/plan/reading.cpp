// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/reading.h"

#include <algorithm>
#include <cmath>

#include "sim/base/pages.h"
#include "sim/model/compute.h"
#include "sim/model/find_part.h"
#include "sim/model/scenario.h"
#include "sim/model/transport/store_client.h"

namespace gpufeed {

namespace {

Bytes window_at(const Scenario& scenario, const Store* store, const Volume* volume) {
  if (store) {
    const auto& protocol = store->protocol;
    if (protocol && (*protocol)->largest_request) return *(*protocol)->largest_request;
    return {std::numeric_limits<double>::infinity()};
  }
  if (!volume || !is_striped(*volume)) return scenario.data.readahead;
  const Bytes stripe = volume->stripe_unit * static_cast<double>(volume->drives.size());
  return std::max(scenario.data.readahead, stripe * 2.0);
}

}  // namespace

Bytes readahead_window(const Scenario& scenario, const Volume* volume) {
  return window_at(scenario, find_store(scenario, scenario.data.at), volume);
}

bool is_striped(const Volume& volume) {
  return volume.layout != Layout::files && volume.layout != Layout::raid1 &&
         volume.drives.size() > 1;
}

namespace {

bool on_disks(const Scenario& scenario, PartId at) {
  const auto drives = drives_of(*scenario.system, at);
  return std::ranges::any_of(drives, [&](std::size_t i) {
    return scenario.system->drives[i].model->medium == Medium::disk;
  });
}

/// Whether samples that lie in one file are not read one after the other.
bool is_scattered(const Scenario& scenario) {
  return scenario.workload.dataset()->samples_per_file > 1 &&
         scenario.loader.order == SampleOrder::permutation;
}

/// Bytes of a reader between two movements of a disk's head, where it asks for windows of a file.
Bytes run_of(const Scenario& scenario, const Volume* volume, std::int64_t readers, Bytes window,
             Bytes file) {
  if (is_scattered(scenario) || file <= window) return std::min(window, file);
  const bool whole_files = volume && volume->layout == Layout::files;
  const double disks = whole_files ? static_cast<double>(volume->drives.size()) : 1;
  const double shared = 1 - std::pow(1 - 1 / disks, static_cast<double>(readers) - 1);
  return {1 / (shared / window.value + (1 - shared) / file.value)};
}

/// Of memory, but the first of each request, for each page of a stretch that comes window by window
/// into the page cache, whose pages are four times as large from one of its windows to the next.
double pieces_in_cache(Bytes window, Bytes stretch, Bytes request) {
  window = std::min(window, stretch);
  const double pages = std::max(1.0, window.value / kPageBytes);
  const double requests = std::max(1.0, window / request);
  const double windows = std::max(1.0, stretch / window);
  double pieces = 0;
  double size = 1;
  double seen = 0;
  for (; seen < windows && size < pages; size *= 4, ++seen)
    pieces += std::max(0.0, pages / size - requests) * std::min(1.0, windows - seen);
  return pieces / (pages * windows);
}

/// What a missing page of a mapping brings, or a call at most.
Bytes window_anywhere(const Scenario& scenario, const Store* store, Bytes window) {
  return store ? std::min(window, scenario.data.readahead) : window;
}

/// \param window   of readahead, or what a direct reader asks for
/// \param request  as it reaches a drive
double pieces_of(const Scenario& scenario, const ReadFrom& from, Bytes window, Bytes request,
                 Bytes file) {
  const Bytes sample = scenario.workload.dataset()->sample_size;
  if (from.path != ReadPath::host || from.at.kind == PartKind::store) return 0;
  if (from.mode == ReadMode::direct)
    return scenario.data.huge_pages ? 0 : std::max(0.0, 1 - kPageBytes / request.value);
  return pieces_in_cache(window, is_scattered(scenario) ? sample : file, request);
}

}  // namespace

ReadAnywhere read_anywhere(bool mapped, Bytes sample, Bytes window) {
  if (mapped) return {1 + std::max(0.0, (sample - window / 2) / window), window};
  const Bytes pages = sample + Bytes{kPageBytes};
  const double requests = std::ceil(pages / window);
  return {requests, pages / requests};
}

Reading reading_of(const Scenario& scenario, const ReadFrom& from) {
  const Dataset& dataset = *scenario.workload.dataset();
  const Volume* volume = find_volume(*scenario.system, from.at);
  const Store* store = find_store(scenario, from.at);
  const bool direct = !from.buffered();
  const Bytes sample = dataset.sample_size;
  const Bytes file = sample * static_cast<double>(dataset.samples_per_file);
  const Bytes window =
      direct ? scenario.data.request.value_or(sample) : window_at(scenario, store, volume);
  Reading reading;
  const bool records = dataset.samples_per_file > 1 && !direct;
  Bytes request = std::min(records ? file : sample, window);
  reading.waits_per_sample =
      records ? std::max(sample / window, sample / file) : std::ceil(sample / window);
  if (is_read_anywhere(scenario)) {
    const ReadAnywhere one =
        read_anywhere(scenario.data.mapped, sample, window_anywhere(scenario, store, window));
    request = one.request;
    reading.waits_per_sample = one.requests;
    reading.read_per_byte = one.all() / sample;
  }
  Bytes run{};
  if (on_disks(scenario, from.at)) {
    run = run_of(scenario, volume, from.readers, request, file);
    reading.waits_per_sample = sample * reading.read_per_byte / run;
  }
  if (volume && is_striped(*volume)) {
    const auto at_once = [&](Bytes bytes) {
      const double units = std::max(1.0, bytes / volume->stripe_unit);
      return std::min(units, static_cast<double>(volume->drives.size()));
    };
    reading.drives_at_once = at_once(request);
    request = std::min(request, volume->stripe_unit);
    run = run / at_once(run);
  }
  const bool spoken = store && store->protocol;
  if (spoken && reads_files(**store->protocol)) {
    const BlockRead one =
        block_read(*store, {.file = file, .block = sample, .random = is_scattered(scenario)},
                   {std::numeric_limits<double>::infinity()});
    reading.waits_per_sample = 0;
    reading.open_time = one.wait;
    reading.first_bytes = one.first_bytes;
    reading.stream = one.stream;
    reading.read_per_byte *= one.fetched;
    reading.access = {.request = sample * one.fetched / one.requests,
                      .whole_files = true,
                      .bytes_per_open = file};
    return reading;
  }
  const double opens = spoken ? 0 : static_cast<double>(scenario.data.open_requests.value);
  const double awaited = spoken ? static_cast<double>((*store->protocol)->open_requests) : opens;
  reading.waits_per_sample += awaited / static_cast<double>(dataset.samples_per_file);
  if (spoken && (*store->protocol)->open_requests == 0) {  // an object, by one connection
    reading.waits_per_sample =
        std::max(reading.waits_per_sample, 1 / static_cast<double>(dataset.samples_per_file));
    reading.stream = (*store->protocol)->connection_bandwidth.value_or(reading.stream);
  }
  // Of a protocol, opening costs time alone.
  const double asked = sample / request + opens / static_cast<double>(dataset.samples_per_file);
  reading.first_bytes = std::min(reading.waits_per_sample, asked);
  reading.open_time = scenario.data.open_time / static_cast<double>(dataset.samples_per_file);
  reading.access = {.request = request,
                    .whole_files = true,
                    .pieces_per_page = pieces_of(scenario, from, window, request, file),
                    .run = run,
                    .bytes_per_open = file,
                    .open_requests = opens};
  return reading;
}

bool huge_pages_are_idle(const Scenario& scenario) {
  const Data& data = scenario.data;
  if (!data.huge_pages.given || !data.huge_pages) return false;
  if (asks_for_huge_pages(data, scenario.workload.dataset()->sample_size)) return false;
  const auto drives = drives_of(*scenario.system, data.at);
  return std::ranges::none_of(drives, [&](std::size_t i) {
    return scenario.system->drives[i].model->page_time.value_or(Seconds{}).value > 0;
  });
}

}  // namespace gpufeed
