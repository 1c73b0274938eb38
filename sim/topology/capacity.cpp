// SPDX-License-Identifier: Apache-2.0
#include "sim/topology/capacity.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/base/assert.h"
#include "sim/base/pages.h"
#include "sim/model/scenario.h"
#include "sim/model/transport/store_client.h"

namespace gpufeed {
namespace {

/// The keys of a drive that set the limits of one direction.
struct LimitKeys {
  std::string_view bandwidth, rate, latency;
};
constexpr LimitKeys kReading{"read_bandwidth", "read_rate", "read_latency"};
constexpr LimitKeys kWriting{"write_bandwidth", "write_rate", "write_latency"};

/// What the law attains, and the lowest of its limits.
Capacity capacity_of(const Drive& drive, const DriveLaw& law, Bytes request, double outstanding,
                     const LimitKeys& keys) {
  const Bandwidth by_rate = law.request_rate * std::min(request, law.largest_request);
  const Seconds alone = lone_request(law, request);
  const Bandwidth by_latency{outstanding * request.value / alone.value};
  const auto least = std::min({law.bandwidth, by_rate, by_latency});
  Capacity out{attained_bandwidth(law, request, outstanding), {}, StorageLimit::bandwidth};
  std::string_view key = keys.bandwidth;
  if (least == by_rate && by_rate < law.bandwidth)
    out.limit = StorageLimit::requests, key = keys.rate;
  if (least == by_latency && by_latency < law.bandwidth && by_latency < by_rate)
    out.limit = StorageLimit::latency, key = keys.latency;
  if (law.page_time.value > 0 && least.value * law.page_time.value > kPageBytes)
    out.limit = StorageLimit::non_contiguous_pages, key = "page_time";
  out.provenance = drive.provenance_of(key);
  return out;
}

/// A disk moves its head once in a run of requests, and reads ahead of them meanwhile, however
/// little it is asked for at once.
DriveLaw with_runs(DriveLaw law, const Drive& drive, const StorageAccess& access) {
  if (drive.medium != Medium::disk || access.run < access.request) return law;
  law.request_rate =
      law.request_rate * (access.run / std::min(access.request, law.largest_request));
  law.latency = law.latency * (access.request / access.run);
  law.request_bandwidth = {std::numeric_limits<double>::infinity()};
  return law;
}

/// Opening files takes requests that bring none of their data.
DriveLaw with_opens(DriveLaw law, Rate most_requests, const StorageAccess& access) {
  if (access.open_requests == 0 || access.bytes_per_open.value == 0) return law;
  const Bandwidth data = law.request_rate * std::min(access.request, law.largest_request);
  const Bandwidth files = most_requests * access.bytes_per_open;
  law.request_rate = law.request_rate / (1 + access.open_requests * (data / files));
  return law;
}

/// The same access as its writes ask. What readers of files find in a row is none of theirs.
StorageAccess writes_of(StorageAccess access) {
  access.run = access.write_run.value_or(access.run < kInARow ? Bytes{} : access.run);
  access.request = access.write_request.value_or(access.request);
  access.outstanding = access.write_outstanding.value_or(access.outstanding);
  return access;
}

/// What of its servers sets the rate of a store that is made of some.
StorageLimit limit_of(ServerPart part) {
  switch (part) {
    case ServerPart::drives:
      return StorageLimit::server_drives;
    case ServerPart::drive_slots:
      return StorageLimit::server_drive_slots;
    case ServerPart::cards:
      return StorageLimit::server_cards;
    case ServerPart::card_slots:
      return StorageLimit::server_card_slots;
    case ServerPart::memory:
      return StorageLimit::server_memory;
    case ServerPart::cores:
      return StorageLimit::server_cores;
    case ServerPart::software:
      break;
  }
  return StorageLimit::server_software;
}

}  // namespace

Provenance weaker_of(const Entry& entry, std::string_view key, std::string_view other) {
  return weaker(entry.provenance_of(key), entry.provenance_of(other));
}

Capacity lesser(const Capacity& a, const Capacity& b) { return b.rate < a.rate ? b : a; }

Capacity toward_device(const Link& link, std::int64_t lanes) {
  return {link.to_device(lanes), weaker_of(link, "raw_bandwidth", "efficiency")};
}

Capacity from_device(const Link& link, std::int64_t lanes) {
  const auto efficiency = link.efficiency_from_device ? "efficiency_from_device" : "efficiency";
  return {link.from_device(lanes), weaker_of(link, "raw_bandwidth", efficiency)};
}

Capacity between_gpus(const Scenario& scenario, const Link& link, std::int64_t lanes) {
  Capacity copies = toward_device(link, lanes);
  if (scenario.workload.kind() == kind_of<kind::Transfers>) return copies;
  if (const auto& share = scenario.exchange.ring_efficiency)
    return {copies.rate * share->value, copies.provenance};
  if (!link.ring_efficiency) return copies;
  return {link.in_rings(lanes), weaker_of(link, "raw_bandwidth", "ring_efficiency")};
}

DriveCapacities drive_capacities(const Drive& drive, const StorageAccess& access) {
  const DriveLaw plain = drive.read_law(access.pieces_per_page, access.request);
  DriveLaw reading = with_opens(with_runs(plain, drive, access), plain.request_rate, access);
  const StorageAccess write = writes_of(access);
  const DriveLaw writing = with_runs(drive.write_law(), drive, write);
  if (access.whole_files)
    reading.bandwidth = reading.bandwidth * drive.file_efficiency.value_or(Ratio{1.0});
  DriveCapacities both{capacity_of(drive, reading, access.request, access.outstanding, kReading),
                       capacity_of(drive, writing, write.request, write.outstanding, kWriting)};
  const double x = access.read_share;
  if (x <= 0 || x >= 1) return both;
  const double together = 1 / (x / both.read.rate.value + (1 - x) / both.write.rate.value);
  both.read.rate = {x * together};
  both.write.rate = {(1 - x) * together};
  return both;
}

double size_of(const Store& store) {
  const Array& array = *store.model;
  if (!array.blades || !store.blades) return 1;
  return static_cast<double>(*store.blades) / static_cast<double>(*array.blades);
}

Bytes request_to(const Store& store, Bytes request) {
  if (!store.protocol || !(*store.protocol)->largest_request) return request;
  return std::min(request, *(*store.protocol)->largest_request);
}

std::optional<Bandwidth> stripes_bandwidth(const Store& store) {
  if (!store.stripes || !store.model->stripe_bandwidth) return {};
  return *store.model->stripe_bandwidth * static_cast<double>(*store.stripes);
}

Capacity store_capacity(const Store& store, const StorageAccess& access) {
  const Array& array = *store.model;
  const double blades = size_of(store);
  std::string_view lowest = "read_bandwidth";
  const auto& servers = store.of_servers;
  StorageLimit limit = servers ? limit_of(servers->read_limit) : StorageLimit::bandwidth;
  Bandwidth bandwidth = array.read_bandwidth * blades;
  if (array.front_end_bandwidth && *array.front_end_bandwidth < bandwidth) {
    bandwidth = *array.front_end_bandwidth;
    lowest = "front_end_bandwidth";
    limit = StorageLimit::front_end;
  }
  const Bytes request = request_to(store, access.request);
  Bandwidth by_requests = array.read_rate * blades * request;
  std::string_view requests = "read_rate";
  StorageLimit asking = servers ? limit_of(servers->small_read_limit) : StorageLimit::requests;
  if (array.metadata_rate && access.bytes_per_open.value > 0) {
    const Bandwidth by_opens = *array.metadata_rate * access.bytes_per_open;
    if (by_opens < by_requests) requests = "metadata_rate", asking = StorageLimit::file_opens;
    by_requests = {by_opens.value * by_requests.value / (by_opens.value + by_requests.value)};
  }
  if (access.open_requests > 0 && access.bytes_per_open.value > 0) {
    const Bandwidth files = array.read_rate * blades * access.bytes_per_open;
    by_requests = by_requests / (1 + access.open_requests * (by_requests / files));
  }
  if (by_requests < bandwidth) lowest = requests, limit = asking;
  const Bandwidth joined = under_ceiling(by_requests, bandwidth);
  return {joined * (1 - store.other_load.value), array.provenance_of(lowest), limit};
}

StorePorts ports_to(const System& system, const Store& store) {
  StorePorts all;
  for (std::size_t i = 0; i < system.nics.size(); ++i) {
    const Nic& nic = *system.nics[i].model;
    const PartId part{PartKind::nic, i};
    if (!store.via.empty() && !std::ranges::count(store.via, part, &PartRef::part)) continue;
    const auto ports = static_cast<double>(nic.ports);
    all.in += std::max(nic.port_bandwidth, nic.receive_bandwidth.value_or(Bandwidth{})) * ports;
    all.out += nic.send_bandwidth.value_or(nic.port_bandwidth) * ports;
  }
  return all;
}

std::optional<Capacity> client_capacity(const System& system, const Store& store,
                                        const StorageAccess& access) {
  const Protocol& spoken = **store.protocol;
  const Bandwidth ports = ports_to(system, store).in;
  double cores = 0;
  for (const auto& socket : system.sockets) cores += static_cast<double>(socket.model->cores);
  const Bandwidth most = client_ceiling(store, ports, cores);
  if (std::isinf(most.value)) return {};
  std::string_view lowest = "connection_bandwidth";
  if (software_ceiling(spoken, cores) == most) lowest = "client_bandwidth";
  if (spoken.port_share && ports * spoken.port_share->value == most) lowest = "port_share";
  return Capacity{reads_files(spoken) ? under_ceiling(access.readers_alone, most) : most,
                  spoken.provenance_of(lowest)};
}

Capacity store_write_capacity(const Store& store) {
  const Array& array = *store.model;
  GPUFEED_ASSERT(array.write_bandwidth, "what the store takes is known");
  Capacity out{
      *array.write_bandwidth * (size_of(store) / array.write_redundancy.value),
      weaker_of(array, "write_bandwidth", "write_redundancy"),
      store.of_servers ? limit_of(store.of_servers->write_limit) : StorageLimit::bandwidth};
  if (array.front_end_bandwidth && *array.front_end_bandwidth < out.rate)
    out = {*array.front_end_bandwidth, array.provenance_of("front_end_bandwidth"),
           StorageLimit::front_end};
  out.rate = out.rate * (1 - store.other_load.value);
  return out;
}

}  // namespace gpufeed
