// SPDX-License-Identifier: Apache-2.0
#include "sim/model/catalog/parts.h"

#include <algorithm>
#include <limits>

namespace gpufeed {

Link Link::for_drives() const {
  Link link = *this;
  if (!packet_payload) return link;
  link.efficiency = {*packet_payload / (*packet_payload + packet_overhead)};
  link.efficiency_from_device.reset();
  link.of_key["efficiency"] = provenance_of("packet_payload");
  return link;
}

Bandwidth Link::to_device(std::int64_t lanes) const {
  return raw_bandwidth * static_cast<double>(lanes) * efficiency;
}

Bandwidth Link::from_device(std::int64_t lanes) const {
  return raw_bandwidth * static_cast<double>(lanes) * efficiency_from_device.value_or(efficiency);
}

Bandwidth Link::in_rings(std::int64_t lanes) const {
  return raw_bandwidth * static_cast<double>(lanes) * ring_efficiency.value_or(efficiency);
}

Bandwidth Nic::payload_bandwidth() const {
  return port_bandwidth * static_cast<double>(ports) * efficiency;
}

Bandwidth Nic::payload_sent() const {
  return payload_bandwidth() * (send_bandwidth.value_or(port_bandwidth) / port_bandwidth);
}

Bandwidth Nic::payload_received() const {
  return payload_bandwidth() * (receive_bandwidth.value_or(port_bandwidth) / port_bandwidth);
}

namespace {

double sharpness_of(const Drive& drive, const std::optional<Ratio>& own) {
  if (own) return own->value;
  return drive.medium == Medium::disk ? kOneAfterAnother : kManyAtOnce;
}

/// The head of a disk positions and transfers in turn. Each request pays 1 / rate and its transfer
/// in any case; what a lone one takes beyond that, a queue can hide.
DriveLaw as_medium(const Drive& drive, DriveLaw law) {
  if (drive.medium != Medium::disk) return law;
  law.latency = {std::max(0.0, law.latency.value - 1 / law.request_rate.value)};
  law.request_bandwidth = {std::numeric_limits<double>::infinity()};
  return law;
}

}  // namespace

DriveLaw Drive::read_law(double pieces, Bytes request) const {
  constexpr Bytes kSector{512};
  const Rate most = request <= kSector ? read_rate_512.value_or(read_rate) : read_rate;
  return as_medium(*this, {read_bandwidth, most, read_latency,
                           request_bandwidth.value_or(read_bandwidth), largest_request,
                           sharpness_of(*this, sharpness), page_time.value_or(Seconds{}) * pieces});
}

void Drive::complete() {
  const bool on_pcie = link && link->packet_payload;
  if (file_efficiency || medium != Medium::flash || !on_pcie) return;
  file_efficiency = kFileEfficiency;
  of_key["file_efficiency"] = {
      "not stated for this drive: between the 82 and 90 % of two drives in public MLPerf Storage "
      "v1.0 runs",
      Basis::estimate};
}

DriveLaw Drive::write_law() const {
  const auto one = write_request_bandwidth ? write_request_bandwidth : request_bandwidth;
  return as_medium(
      *this, {write_bandwidth, write_rate.value_or(read_rate), write_latency.value_or(read_latency),
              one.value_or(write_bandwidth), write_largest_request.value_or(largest_request),
              sharpness_of(*this, write_sharpness ? write_sharpness : sharpness)});
}

}  // namespace gpufeed
