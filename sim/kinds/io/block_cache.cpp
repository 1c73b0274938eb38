// SPDX-License-Identifier: Apache-2.0
#include "sim/kinds/io/block_cache.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "sim/base/pages.h"
#include "sim/model/scenario.h"
#include "sim/plan/cache/cache_policies.h"

namespace gpufeed {
namespace {

struct Block {
  std::int64_t number;
  std::int32_t file;
  bool operator==(const Block&) const = default;
};

struct BlockHash {
  std::size_t operator()(const Block& block) const {
    const auto mixed =
        static_cast<std::uint64_t>(block.number) * std::uint64_t{0x9E3779B97F4A7C15} +
        static_cast<std::uint64_t>(block.file) * std::uint64_t{0xC2B2AE3D27D4EB4F};
    return static_cast<std::size_t>(mixed ^ (mixed >> 32));
  }
};

class LogCache {
 public:
  LogCache(const Scenario& scenario, const AccessLog& log) : scenario_(scenario), log_(log) {}

  CachedLog run() {
    choose_block();
    number_blocks();
    auto cache = new_cache();
    std::size_t next = 0;
    out_.needs.reserve(log_.requests.size());
    for (const auto& request : log_.requests) out_.needs.push_back(need_of(request, *cache, next));
    out_.block = {static_cast<double>(block_)};
    return std::move(out_);
  }

 private:
  std::int64_t first_block(const AccessRequest& one) const { return one.offset / block_; }
  std::int64_t last_block(const AccessRequest& one) const {
    return (one.offset + one.bytes - 1) / block_;
  }

  void choose_block() {
    constexpr double kMost = 2e7;
    for (;; block_ *= 2) {
      double blocks = 0;
      for (const auto& one : log_.requests)
        blocks += static_cast<double>(last_block(one) - first_block(one) + 1);
      if (blocks <= std::max(kMost, 2.0 * static_cast<double>(log_.requests.size()))) return;
    }
  }

  void number_blocks() {
    std::unordered_map<Block, std::int32_t, BlockHash> numbers;
    for (const auto& one : log_.requests)
      for (std::int64_t b = first_block(one); b <= last_block(one); ++b) {
        const auto number = static_cast<std::int32_t>(numbers.size());
        items_.push_back(numbers.try_emplace({b, one.file}, number).first->second);
      }
    blocks_ = static_cast<std::int32_t>(numbers.size());
  }

  std::unique_ptr<FileCache> new_cache() const {
    Bytes memory{};
    for (const auto& socket : scenario_.system->sockets) memory += socket.memory;
    memory -= scenario_.system->reserved_memory;
    const double room =
        scenario_.loader.cache_memory.value_or(memory).value / static_cast<double>(block_);
    const auto capacity =
        static_cast<std::int32_t>(std::clamp(room, 1.0, static_cast<double>(blocks_)));
    return scenario_.loader.cache == CacheRule::pinned ? pinned_cache(blocks_, capacity)
                                                       : lru_cache(blocks_, capacity);
  }

  CachedLog::Need need_of(const AccessRequest& one, FileCache& cache, std::size_t& next) {
    CachedLog::Need need;
    const std::int64_t start = one.offset / kPageBytes * kPageBytes;
    const std::int64_t end = (one.offset + one.bytes + kPageBytes - 1) / kPageBytes * kPageBytes;
    for (std::int64_t b = first_block(one); b <= last_block(one); ++b) {
      if (cache.read(items_[next++])) continue;
      const std::int64_t from = std::max(start, b * block_);
      if (need.bytes == 0) need.offset = from;
      need.bytes += std::min(end, (b + 1) * block_) - from;
    }
    if (one.write) return {one.offset, one.bytes};
    const auto asked = static_cast<double>(one.bytes);
    out_.read_bytes += asked;
    out_.hit_bytes +=
        asked * (1 - static_cast<double>(need.bytes) / static_cast<double>(end - start));
    return need;
  }

  const Scenario& scenario_;
  const AccessLog& log_;
  std::int64_t block_ = kPageBytes;
  std::int32_t blocks_ = 0;
  std::vector<std::int32_t> items_;  ///< blocks of all requests, one after another
  CachedLog out_;
};

}  // namespace

CachedLog through_cache(const Scenario& scenario) {
  const IoJob& io = *scenario.workload.get<kind::Io>().io;
  const AccessLog& log = *io.requests;
  const bool around =
      io.direct || scenario.loader.cache == CacheRule::none ||
      (scenario.loader.cache_memory && scenario.loader.cache_memory->value < kPageBytes);
  if (!around) return LogCache(scenario, log).run();
  CachedLog out;
  for (const auto& one : log.requests) {
    out.needs.push_back({one.offset, one.bytes});
    if (!one.write) out.read_bytes += static_cast<double>(one.bytes);
  }
  return out;
}

}  // namespace gpufeed
