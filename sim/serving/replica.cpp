// SPDX-License-Identifier: Apache-2.0
#include "sim/serving/replica.h"

#include <algorithm>

namespace gpufeed::serving {
namespace {

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
  const double kv_seconds = static_cast<double>(pool_.in_use()) * time;
  outcome.kv_seconds += kv_seconds;
  outcome.kv.add(at, kv_seconds);
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

}  // namespace gpufeed::serving
