// SPDX-License-Identifier: Apache-2.0
#include "sim/model/parts.h"

namespace gpufeed {

Bandwidth Link::to_device(std::int64_t lanes) const {
  return raw_bandwidth * static_cast<double>(lanes) * efficiency;
}

Bandwidth Link::from_device(std::int64_t lanes) const {
  return raw_bandwidth * static_cast<double>(lanes) * efficiency_from_device.value_or(efficiency);
}

Bandwidth Nic::payload_bandwidth() const {
  return port_bandwidth * static_cast<double>(ports) * efficiency;
}

namespace {

double sharpness_of(const Drive& drive) {
  if (drive.sharpness) return drive.sharpness->value;
  return drive.medium == Medium::disk ? kOneAfterAnother : kManyAtOnce;
}

}  // namespace

DriveLaw Drive::read_law() const {
  return {read_bandwidth,  read_rate,
          read_latency,    request_bandwidth.value_or(read_bandwidth),
          largest_request, sharpness_of(*this)};
}

DriveLaw Drive::write_law() const {
  return {write_bandwidth,
          write_rate.value_or(read_rate),
          write_latency.value_or(read_latency),
          request_bandwidth.value_or(write_bandwidth),
          largest_request,
          sharpness_of(*this)};
}

}  // namespace gpufeed
