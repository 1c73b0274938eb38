// SPDX-License-Identifier: Apache-2.0
#include "sim/serving/replica.h"

#include <algorithm>

namespace gpufeed::serving {
namespace {

std::int64_t blocks_of(std::int64_t tokens) { return (tokens + kBlock - 1) / kBlock; }

/// The number of a step, as all that are a multiple of kBlock later have it.
std::size_t phase(std::int64_t step) {
  return static_cast<std::size_t>(((step % kBlock) + kBlock) % kBlock);
}

}  // namespace

Replica::Replica(const Shared& shared)
    : shared_(shared), pool_(shared.of.pool, shared.of.names), states_(shared.of.requests.size()) {
  for (const TierLaw& law : shared.of.tiers) {
    own_tiers_.emplace_back(law, shared.of.kv_bytes);
    watches_dropped_ = watches_dropped_ || law.on_eviction;
  }
  if (watches_dropped_) depth_.resize(static_cast<std::size_t>(shared.of.names));
}

double Replica::next() const {
  if (running() > 0 || (!queue_.empty() && !is_stuck_)) return now_;
  double at = kNever;
  if (!incoming_.empty()) at = incoming_.front().at;
  if (!loading_.empty()) at = std::min(at, loading_.top().at);
  return std::max(now_, at);
}

void Replica::step() {
  const double at = next();
  listen(shared_.of.async ? last_begin_ : at);
  if (running() == 0 && queue_.empty()) listen(at);
  grow(at);
  plan_chunks(at);
  if (decoding_ == 0 && chunks_.empty()) {  // what it knew cannot be: it looks again
    listen(at);
    plan_chunks(at);
  }
  write_dropped(at);
  last_begin_ = at;
  is_stuck_ = decoding_ == 0 && chunks_.empty();
  now_ = at;
  if (is_stuck_) return;

  std::int64_t tokens = decoding_;
  for (const Chunk& chunk : chunks_) tokens += chunk.tokens;
  const auto sequences = static_cast<double>(decoding_ + std::ssize(chunks_));
  context_ += decoding_;
  const StepLaw& law = shared_.of.law;
  const auto context = static_cast<double>(context_);
  const double time = law.seconds(static_cast<double>(tokens), sequences, context, chunk_time_);
  now_ = at + time;

  Outcome& outcome = shared_.outcome;
  ++outcome.steps;
  outcome.busy += time;
  if (!chunks_.empty())
    outcome.prefill += decoding_ == 0
                           ? time
                           : time - law.seconds(static_cast<double>(decoding_),
                                                static_cast<double>(decoding_), context, 0);
  if (has_no_room_) outcome.blocked += time;
  if (running() >= shared_.of.sequences && !queue_.empty()) outcome.full += time;
  outcome.kv_seconds += static_cast<double>(pool_.in_use()) * time;
  outcome.kv_most = std::max(outcome.kv_most, pool_.in_use());
  outcome.batch_most = std::max(outcome.batch_most, running());
  outcome.batch_seconds += sequences * time;
  outcome.generated_tokens += static_cast<double>(decoding_);

  while (!endings_.empty() && endings_.top().step <= step_) {
    const Ending ending = endings_.top();
    endings_.pop();
    const State& own = state(ending.request);
    if (own.turn == ending.turn && own.until == step_) end_decoding(ending.request);
  }
  for (const Chunk& chunk : chunks_) {
    State& own = state(chunk.request);
    own.done += chunk.tokens;
    if (own.done == own.prompt) end_prompt(chunk.request);
  }
  ++step_;
}

void Replica::listen(double until) {
  while (!incoming_.empty() && incoming_.front().at <= until) {
    const std::int32_t request = incoming_.front().request;
    incoming_.pop_front();
    state(request).prompt = told(request).prompt;
    queue_.push_back(request);
    ++load_;
  }
  while (!loading_.empty() && loading_.top().at <= until && running() < shared_.of.sequences) {
    const auto [at, request] = loading_.top();
    loading_.pop();
    State& own = state(request);
    record(request).tier_wait += at - own.asked;
    own.done = own.in_tier;
    own.in_tier = 0;
    name_computed(request, own.done);
    const auto before = [&](std::int32_t one, std::int64_t turn) { return state(one).turn < turn; };
    prefills_.insert(std::lower_bound(prefills_.begin(), prefills_.end(), own.turn, before),
                     request);
  }
}

void Replica::grow(double at) {
  const std::int64_t blocks = growing_[phase(step_)];
  if (blocks <= pool_.room())
    pool_.take(blocks, watches_dropped_ ? &dropped_ : nullptr);
  else
    grow_one_by_one(at);
}

/// Older requests take their block first; who came last makes room.
void Replica::grow_one_by_one(double) {
  for (std::size_t i = 0; i < admitted_.size(); ++i) {
    const auto [turn, request] = admitted_[i];
    const State& own = state(request);
    if (own.turn != turn || own.until < 0) continue;
    if (phase(own.from - own.prompt) != phase(step_)) continue;
    while (pool_.room() == 0 && own.turn == turn) preempt_youngest();
    if (own.turn == turn) pool_.take(1, watches_dropped_ ? &dropped_ : nullptr);
  }
}

std::int32_t Replica::youngest() {
  const auto is_over = [&](const auto& one) { return state(one.second).turn != one.first; };
  while (is_over(admitted_.back())) admitted_.pop_back();
  for (auto one = admitted_.rbegin(); one != admitted_.rend(); ++one)
    if (!is_over(*one) && state(one->second).in_tier == 0) return one->second;
  return -1;
}

void Replica::preempt_youngest() {
  const std::int32_t request = youngest();
  State& own = state(request);
  std::int64_t context = own.prompt;
  if (own.until >= 0) {
    const std::int64_t steps = step_ - own.from;
    --growing_[phase(own.from - own.prompt)];
    context += steps;
    context_ -= context;
    --decoding_;
    own.generated += static_cast<std::int32_t>(steps);
  } else {
    std::erase(prefills_, request);
    shared_.outcome.anew_tokens -= own.prompt - own.done;  // of these nothing was computed
  }
  release(request, context);
  own.prompt = told(request).prompt + own.generated;
  own.done = 0;
  own.until = own.turn = -1;
  own.is_preempted = true;
  queue_.push_front(request);
  ++shared_.outcome.preemptions;
}

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

template <class Visit>
void Replica::for_names(std::int32_t request, std::int64_t from, std::int64_t to,
                        const Visit& visit) const {
  const Request& one = told(request);
  std::int64_t begin = 0;
  for (std::uint32_t i = 0; i < one.run_count && begin < to; ++i) {
    const NameRun& run = shared_.of.runs[one.first_run + i];
    const std::int64_t first = std::max<std::int64_t>(from - begin, 0);
    const std::int64_t last = std::min<std::int64_t>(to - begin, run.count);
    for (std::int64_t k = first; k < last; ++k) visit(static_cast<std::int32_t>(run.first + k));
    begin += run.count;
  }
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

void Replica::end_prompt(std::int32_t request) {
  State& own = state(request);
  std::erase(prefills_, request);
  if (record(request).first == kNever) record(request).first = now_;
  ++own.generated;
  shared_.outcome.generated_tokens += 1;
  give_to_tiers(request, own.prompt);
  if (own.generated == told(request).answer) {
    release(request, own.prompt);
    own.turn = -1;
    --load_;
    record(request).end = now_;
    shared_.ended.push_back(request);
    return;
  }
  own.from = step_ + 1;
  own.until = step_ + told(request).answer - own.generated;
  endings_.push({own.until, own.turn, request});
  ++growing_[phase(own.from - own.prompt)];
  context_ += own.prompt;
  ++decoding_;
}

void Replica::end_decoding(std::int32_t request) {
  State& own = state(request);
  const std::int64_t context = own.prompt + (own.until - own.from + 1);
  --growing_[phase(own.from - own.prompt)];
  context_ -= context;
  --decoding_;
  const std::int64_t named = own.named;
  name_computed(request, context);
  if (own.named > named) give_to_tiers(request, context);
  release(request, context);
  own.turn = own.until = -1;
  --load_;
  record(request).end = now_;
  shared_.ended.push_back(request);
}

void Replica::release(std::int32_t request, std::int64_t context) {
  State& own = state(request);
  pool_.give_back(blocks_of(context) - own.named);
  const Request& one = told(request);
  std::int64_t begin = 0;
  for (std::uint32_t i = 0; i < one.run_count; ++i)
    begin += shared_.of.runs[one.first_run + i].count;
  for (std::uint32_t i = one.run_count; i-- > 0;) {
    const NameRun& run = shared_.of.runs[one.first_run + i];
    begin -= run.count;
    const auto held = std::min<std::int64_t>(run.count, own.named - begin);
    for (std::int64_t k = held; k-- > 0;) pool_.let_go(static_cast<std::int32_t>(run.first + k));
  }
  own.named = 0;
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
