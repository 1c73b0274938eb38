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

namespace {

double sharpness_of(const Drive& drive) {
  if (drive.sharpness) return drive.sharpness->value;
  return drive.medium == Medium::disk ? kOneAfterAnother : kManyAtOnce;
}

/// The head of a disk positions and transfers in turn, so its limits add up. Each request pays
/// 1 / rate and its transfer in any case; what a lone one takes beyond that, a queue can hide.
DriveLaw law_of(const Drive& drive, Bandwidth bandwidth, Rate rate, Seconds latency) {
  DriveLaw law{bandwidth,
               rate,
               latency,
               drive.request_bandwidth.value_or(bandwidth),
               drive.largest_request,
               sharpness_of(drive)};
  if (drive.medium == Medium::disk) {
    law.latency = {std::max(0.0, latency.value - 1 / rate.value)};
    law.request_bandwidth = {std::numeric_limits<double>::infinity()};
  }
  return law;
}

}  // namespace

DriveLaw Drive::read_law() const { return law_of(*this, read_bandwidth, read_rate, read_latency); }

DriveLaw Drive::write_law() const {
  return law_of(*this, write_bandwidth, write_rate.value_or(read_rate),
                write_latency.value_or(read_latency));
}

}  // namespace gpufeed
