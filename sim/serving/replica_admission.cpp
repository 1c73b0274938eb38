// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "sim/serving/replica.h"

// Who gets how much of a step, and whose blocks are found on the GPUs.
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

}  // namespace gpufeed::serving
