// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
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
  void add(const CpuSet& other);
  bool operator==(const CpuSet& other) const { return runs() == other.runs(); }
  /// First and last of each unbroken run, in order.
  std::vector<std::pair<std::int64_t, std::int64_t>> runs() const;
  /// How far apart two hardware threads of one core are numbered; 0 where the numbers do not tell.
  /// Linux numbers the first thread of all cores before the second of any, so that "0-47,96-143" is
  /// 48 cores of two, where "0,2,4,6" may be either.
  std::int64_t sibling_distance() const;
  std::int64_t count() const;
  bool empty() const { return count() == 0; }

 private:
  std::vector<std::uint32_t> words_;  ///< the lowest first
};

}  // namespace gpufeed
