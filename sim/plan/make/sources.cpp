// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/make/sources.h"

#include <algorithm>
#include <limits>

#include "sim/model/compute.h"
#include "sim/model/find_part.h"
#include "sim/model/scenario.h"
#include "sim/topology/capacity.h"

namespace gpufeed {
namespace {

constexpr Bandwidth kNoLimit{std::numeric_limits<double>::infinity()};

}  // namespace

Sources sources_of(const Scenario& scenario, const ReadFrom& from) {
  const System& system = *scenario.system;
  Sources out{.from = from, .reading = reading_of(scenario, from)};
  if (const Store* store = find_store(scenario, from.at)) {
    out.store = store;
    out.parts = {from.at};
    return out;
  }
  for (const std::size_t i : drives_of(system, from.at)) out.parts.emplace_back(PartKind::drive, i);
  const Volume* volume = find_volume(system, from.at);
  out.whole_files = volume && volume->layout == Layout::files && out.parts.size() > 1;
  return out;
}

bool told_together(const Scenario& scenario, const Sources& sources) {
  if (sources.store || sources.parts.size() != 1 || scenario.nodes != 1) return false;
  return find_drive(*scenario.system, sources.parts.front())->model->completions ==
         Completions::together;
}

Bandwidth most_of_source(const Sources& sources, const System& system, PartId source,
                         const Cpu& cpu, std::int64_t readers) {
  const auto count = static_cast<double>(sources.parts.size());
  const auto of_batch = static_cast<double>(readers);
  Bandwidth most = kNoLimit;
  if (sources.store) {
    most = std::min(stripes_bandwidth(*sources.store).value_or(most), sources.reading.stream);
  } else {
    const Device<Drive>* drive = find_drive(system, source);
    // A striped sample comes from several drives, a whole file from one after the other.
    const double share = sources.whole_files ? 1 : sources.reading.drives_at_once / count;
    // A disk serves one request after the other: a stream gets all of those that it asks at once.
    most = share *
           (drive->model->medium == Medium::disk
                ? drive_capacities(*drive->model, sources.reading.access).read.rate
                : lone_bandwidth(drive->model->read_law(sources.reading.access.pieces_per_page)));
  }
  const auto& thread = sources.from.path == ReadPath::gpudirect ? cpu.thread_gpudirect_bandwidth
                                                                : cpu.thread_read_bandwidth;
  if (thread) most = std::min(most, *thread / (sources.whole_files ? 1 : count));
  return most * (of_batch / (sources.whole_files ? std::min(count, of_batch) : 1.0));
}

}  // namespace gpufeed
