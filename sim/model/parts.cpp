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

}  // namespace gpufeed
