// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "sim/serving/replica.h"

// Who gets how much of a step, whose blocks are found on the GPUs and in tiers, and what goes
// there.
namespace gpufeed::serving {

void Replica::plan_chunks(double at) {
  chunks_.clear();
  chunk_time_ = 0;
  has_no_room_ = false;
  budget_ = shared_.of.budget - decoding_;
  for (const std::int32_t request : prefills_) {
    if (budget_ <= 0) return;
    add_chunk(request);
  }
  while (budget_ > 0 && !queue_.empty() && running() < shared_.of.sequences)
    if (!admit(at)) return;
}

void Replica::add_chunk(std::int32_t request) {
  const State& own = state(request);
  const auto tokens =
      static_cast<std::int32_t>(std::min<std::int64_t>(budget_, own.prompt - own.done));
  budget_ -= tokens;
  chunks_.push_back({request, tokens});
  chunk_time_ += shared_.of.law.chunk(tokens, own.done);
  shared_.outcome.computed_tokens += tokens;
  name_computed(request, own.done + tokens);
}

bool Replica::admit(double at) {
  const std::int32_t request = queue_.front();
  State& own = state(request);
  Found found;
  if (!own.is_preempted) found = find(request, at);
  const std::int64_t wanted = blocks_of(own.prompt) - found.on_gpus;
  if (wanted + found.idle > pool_.room()) {
    has_no_room_ = true;
    return false;
  }
  queue_.pop_front();
  for_names(request, 0, found.on_gpus, [&](std::int32_t name) { pool_.hold(name); });
  pool_.take(wanted, watches_dropped_ ? &dropped_ : nullptr);
  own.named = static_cast<std::int32_t>(found.on_gpus);
  own.done = static_cast<std::int32_t>(found.on_gpus * kBlock);
  own.turn = turns_++;
  admitted_.emplace_back(own.turn, request);
  if (admitted_.size() > 64 && std::ssize(admitted_) > 4 * shared_.of.sequences)
    std::erase_if(admitted_, [&](const auto& one) { return state(one.second).turn != one.first; });
  (own.is_preempted ? shared_.outcome.anew_tokens : shared_.outcome.prompt_tokens) += own.prompt;
  shared_.outcome.gpu_hit_tokens += own.done;
  if (found.tokens > own.done) {
    read_from_tiers(request, found, at);
    return true;
  }
  prefills_.push_back(request);
  add_chunk(request);
  return true;
}

std::int64_t Replica::names_of(std::int32_t request) const {
  std::int64_t sum = 0;
  const Request& one = told(request);
  for (std::uint32_t i = 0; i < one.run_count; ++i) sum += shared_.of.runs[one.first_run + i].count;
  return sum;
}

std::int32_t Replica::name_of(std::int32_t request, std::int64_t block) const {
  std::int32_t name = -1;
  for_names(request, block, block + 1, [&](std::int32_t one) { name = one; });
  return name;
}

std::int64_t Replica::leading_blocks(std::int32_t request) const {
  const Request& one = told(request);
  const std::int64_t most = (one.prompt - 1) / kBlock;
  std::int64_t found = 0;
  for (std::uint32_t i = 0; i < one.run_count && found < most; ++i) {
    const NameRun& run = shared_.of.runs[one.first_run + i];
    for (std::int32_t k = 0; k < run.count && found < most; ++k, ++found)
      if (!pool_.has(run.first + k)) return found;
  }
  return found;
}

void Replica::name_computed(std::int32_t request, std::int64_t tokens) {
  State& own = state(request);
  const std::int64_t full = std::min(tokens / kBlock, names_of(request));
  if (full <= own.named) return;
  std::int32_t depth = own.named;
  for_names(request, own.named, full, [&](std::int32_t name) {
    pool_.put_name(name);
    if (watches_dropped_) depth_[static_cast<std::size_t>(name)] = depth++;
  });
  own.named = static_cast<std::int32_t>(full);
}

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
