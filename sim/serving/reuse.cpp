// SPDX-License-Identifier: Apache-2.0
#include <list>
#include <unordered_map>

#include "sim/serving/answer.h"

namespace gpufeed::serving {
namespace {

std::int64_t hits_of(const std::vector<LoggedRequest>& log, std::optional<std::int64_t> size) {
  std::list<std::int64_t> order;  // touched longest ago first
  std::unordered_map<std::int64_t, std::list<std::int64_t>::iterator> place;
  std::int64_t hits = 0;
  for (const LoggedRequest& one : log) {
    for (const std::int64_t block : one.blocks) {
      if (!place.contains(block)) break;
      ++hits;
    }
    for (auto block = one.blocks.rbegin(); block != one.blocks.rend(); ++block) {
      if (const auto found = place.find(*block); found != place.end()) {
        order.splice(order.end(), order, found->second);
        continue;
      }
      place.emplace(*block, order.insert(order.end(), *block));
      if (size && std::ssize(place) > *size) {
        place.erase(order.front());
        order.pop_front();
      }
    }
  }
  return hits;
}

}  // namespace

std::vector<Reuse> reuse_of(const std::vector<LoggedRequest>& log,
                            const std::vector<std::optional<std::int64_t>>& sizes,
                            double block_bytes) {
  std::int64_t all = 0;
  std::unordered_map<std::int64_t, bool> different;
  for (const LoggedRequest& one : log) {
    all += std::ssize(one.blocks);
    for (const std::int64_t block : one.blocks) different[block] = true;
  }
  std::vector<Reuse> out;
  if (all == 0) return out;
  for (const auto& size : sizes) {
    Reuse one{size};
    one.bytes_B = static_cast<double>(size.value_or(std::ssize(different))) * block_bytes;
    one.hits = hits_of(log, size);
    one.share = static_cast<double>(one.hits) / static_cast<double>(all);
    out.push_back(one);
  }
  return out;
}

}  // namespace gpufeed::serving
