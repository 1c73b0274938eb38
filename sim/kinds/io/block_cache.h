// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace gpufeed {

struct Scenario;

/// What the page cache leaves of a log's requests for the storage.
struct CachedLog {
  struct Need {
    std::int64_t offset = 0;
    std::int64_t bytes = 0;  ///< 0: all of the request was in the cache
  };
  std::vector<Need> needs;  ///< of each request
  Bytes block{4096};
  double hit_bytes = 0;   ///< read from the cache
  double read_bytes = 0;  ///< asked by all reads together
};

/// Sends the requests of `log` through the page cache, in their order, as if each were done before
/// the next is made. The cache starts empty and holds whole blocks: pages of 4 KiB, or larger ones
/// in a log that touches more than 20 million pages. What is written is there afterwards, and goes
/// to the storage in any case. Under `loader.cache` = "pinned" what came first stays; the other
/// rules are those of the least recently used block: the lists of the kernel are not replayed here.
/// Readahead is left out: a program that reads ahead of itself shows that in its log.
/// With workload.io.direct, or without a cache, every request needs the storage as it is.
CachedLog through_cache(const Scenario& scenario);

}  // namespace gpufeed
