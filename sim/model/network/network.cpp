// SPDX-License-Identifier: Apache-2.0
#include "sim/model/network/network.h"

#include <cmath>

namespace gpufeed {
namespace {

std::int64_t ceil_of(double value) { return static_cast<std::int64_t>(std::ceil(value - 1e-9)); }

}  // namespace

NetworkParts fat_tree(std::int64_t down, std::int64_t ports, double up) {
  if (down <= ports) return {1, 0, down};
  const auto wide = static_cast<double>(ports);
  const auto each = static_cast<std::int64_t>(std::floor(wide / (1 + up)));
  NetworkParts parts;
  parts.leaves = ceil_of(static_cast<double>(down) / static_cast<double>(each));
  const double above = up * static_cast<double>(down);
  // Levels above the leaves: each but the last passes on as many links as it takes in.
  std::int64_t levels = 1;
  for (double reach = wide; reach < static_cast<double>(parts.leaves); reach *= wide / 2) ++levels;
  parts.spines = (levels - 1) * ceil_of(2 * above / wide) + ceil_of(above / wide);
  parts.cables = down + levels * ceil_of(above);
  return parts;
}

}  // namespace gpufeed
