// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "sim/serving/replica.h"

// What is found in tiers, read from them and given to them.
namespace gpufeed::serving {

Replica::Found Replica::find(std::int32_t request, double at) {
  Found found;
  found.on_gpus = leading_blocks(request);
  for_names(request, 0, found.on_gpus,
            [&](std::int32_t name) { found.idle += pool_.is_idle(name) ? 1 : 0; });
  const std::int64_t on_gpus = found.on_gpus * kBlock;
  found.tokens = on_gpus;
  const std::size_t tiers = shared_.of.tiers.size();
  if (tiers == 0) return found;
  found.of_tier.assign(tiers, 0);
  const std::int64_t named =
      std::min<std::int64_t>(names_of(request) * kBlock, told(request).prompt - 1);
  for (std::size_t i = 0; i < tiers;) {
    const std::int64_t block = tier(i).law().block;
    const std::int64_t end = (found.tokens / block + 1) * block;
    if (end > named || !tier(i).has(name_of(request, end / kBlock - 1))) {
      ++i;
      continue;
    }
    ++found.of_tier[i];
    found.tokens = end;
    i = 0;
  }
  if (found.tokens > on_gpus && !is_worth_reading(found, on_gpus, at)) found.tokens = on_gpus;
  return found;
}

bool Replica::is_worth_reading(const Found& found, std::int64_t after, double at) {
  double read = at;
  bool may_choose = false;
  for (std::size_t i = 0; i < found.of_tier.size(); ++i) {
    if (found.of_tier[i] == 0) continue;
    read = std::max(read, tier(i).ready(at, found.of_tier[i]));
    may_choose = may_choose || tier(i).law().if_faster;
  }
  if (!may_choose) return true;
  const double compute =
      shared_.of.law.prefill(static_cast<double>(found.tokens - after), static_cast<double>(after),
                             static_cast<double>(shared_.of.budget));
  if (read - at <= compute) return true;
  for (std::size_t i = 0; i < found.of_tier.size(); ++i) tier(i).totals.left += found.of_tier[i];
  return false;
}

void Replica::read_from_tiers(std::int32_t request, const Found& found, double at) {
  State& own = state(request);
  own.in_tier = static_cast<std::int32_t>(found.tokens);
  own.asked = at;
  double ready = at;
  std::int64_t left = found.tokens - own.done;
  std::size_t lowest = 0;
  for (std::size_t i = found.of_tier.size(); i-- > 0;) {
    if (found.of_tier[i] == 0) continue;
    lowest = std::max(lowest, i);
    ready = std::max(ready, tier(i).read(at, found.of_tier[i]));
    const std::int64_t tokens = std::min(left, found.of_tier[i] * tier(i).law().block);
    tier(i).totals.hit_tokens += static_cast<double>(tokens);
    left -= tokens;
  }
  for (std::size_t i = 0; i < lowest; ++i) {
    const std::int64_t block = tier(i).law().block;
    for (std::int64_t j = found.tokens / block; j > 0; --j)
      tier(i).put(name_of(request, j * block / kBlock - 1));
  }
  loading_.push({ready, request});
}

void Replica::give_to_tiers(std::int32_t request, std::int64_t tokens) {
  for (std::size_t i = 0; i < shared_.of.tiers.size(); ++i) {
    Tier& one = tier(i);
    const std::int64_t block = one.law().block;
    std::int64_t lacking = 0;
    for (std::int64_t j = std::min(tokens, names_of(request) * kBlock) / block; j > 0; --j) {
      const std::int32_t name = name_of(request, j * block / kBlock - 1);
      if (one.law().on_eviction && !one.has(name)) continue;
      lacking += one.put(name) ? 1 : 0;
    }
    one.write(now_, lacking);
  }
}

/// A tier's block goes there when its last part is dropped: that is let go first.
void Replica::write_dropped(double at) {
  for (std::size_t i = 0; i < shared_.of.tiers.size() && !dropped_.empty(); ++i) {
    Tier& one = tier(i);
    if (!one.law().on_eviction) continue;
    std::int64_t lacking = 0;
    for (const std::int32_t name : dropped_) {
      const std::int64_t end = depth_[static_cast<std::size_t>(name)] + 1;
      if (end % (one.law().block / kBlock) == 0) lacking += one.put(name) ? 1 : 0;
    }
    one.write(at, lacking);
  }
  dropped_.clear();
}

}  // namespace gpufeed::serving
