// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace gpufeed {

/// How fast a connection was found to run.
struct PcieLink {
  int generation = 0;            ///< 1 to 6; 0: not known
  std::int64_t lanes = 0;        ///< 0: not known
  bool of_capabilities = false;  ///< what both ends can do, not what they do at the moment

  bool known() const { return generation > 0 && lanes > 0; }
};

/// Payload of one lane before packets, in GB/s: 2.5 and 5 GT/s with 8b/10b coding, 8 to 32 with
/// 128b/130b, 64 with flits of 236 of 256 bytes (PCI Express Base Specification 6.0).
double lane_GBps(int generation);

/// The connection that runs at this rate; of those of one rate, the one with most lanes up to 16.
/// hwloc tells only the rate. Unknown where none does.
PcieLink link_of_rate(double GBps);
/// The same with so many lanes, where one runs at this rate.
PcieLink link_of_rate(double GBps, std::int64_t lanes);

/// "8 GT/s", "16.0 GT/s PCIe": 3, 4; 0 where it is none.
int generation_of(const std::string& transfer_rate);

/// "pcie-4.0", as the catalog calls it.
std::string catalog_name(int generation);

}  // namespace gpufeed
