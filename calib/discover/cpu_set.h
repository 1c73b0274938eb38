// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace gpufeed {

/// Which hardware threads belong to something, as hwloc, NCCL and Linux write it.
class CpuSet {
 public:
  CpuSet() = default;
  /// "0x000000ff,0xffff0000,0x0" or "ff,ffff0000,0": words of 32 bits, the highest first; what is
  /// no hexadecimal number counts as none.
  static CpuSet of_mask(std::string_view text);
  /// "0-47,96-143".
  static CpuSet of_list(std::string_view text);

  bool overlaps(const CpuSet& other) const;
  std::int64_t count() const;
  bool empty() const { return count() == 0; }

 private:
  std::vector<std::uint32_t> words_;  ///< the lowest first
};

}  // namespace gpufeed
