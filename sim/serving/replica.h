// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <queue>
#include <vector>

#include "sim/serving/case.h"
#include "sim/serving/pool.h"
#include "sim/serving/tier.h"

namespace gpufeed::serving {

/// What is there for all replicas.
struct Shared {
  const Case& of;
  Outcome& outcome;
  std::vector<Tier>& tiers;          ///< those that are shared; others are unused there
  std::vector<std::int32_t>& ended;  ///< requests that ended in the last step
};

/// GPUs that hold the model once, with their queue, step by step.
class Replica {
 public:
  explicit Replica(const Shared& shared);

  void arrive(std::int32_t request, double at) { incoming_.push_back({at, request}); }
  /// When it begins a step, as far as is known; kNever: it has nothing to do.
  double next() const;
  /// Does a step from `next()` on.
  void step();
  double now() const { return now_; }

  /// Requests that it has and has not ended.
  std::int64_t load() const { return load_; }
  /// Leading blocks of a request that its GPUs hold.
  std::int64_t leading_blocks(std::int32_t request) const;
  const std::vector<Tier>& tiers() const { return own_tiers_; }

 private:
  /// Of a request that was admitted.
  struct State {
    std::int32_t prompt = 0;     ///< tokens to compute before it decodes on
    std::int32_t done = 0;       ///< of these
    std::int32_t generated = 0;  ///< tokens that it has, when it last began to decode
    std::int32_t named = 0;      ///< leading blocks that it holds by name
    std::int32_t in_tier = 0;    ///< tokens that are read from tiers
    std::int64_t from = 0;       ///< the first step it decodes in
    std::int64_t until = -1;     ///< the last; -1: it does not decode
    std::int64_t turn = -1;      ///< number of its admission; -1: it waits
    double asked = 0;            ///< when a tier was asked for its blocks
    bool is_preempted = false;
  };
  struct Timed {
    double at;
    std::int32_t request;
    bool operator>(const Timed& other) const {
      return at != other.at ? at > other.at : request > other.request;
    }
  };
  struct Ending {
    std::int64_t step;
    std::int64_t turn;
    std::int32_t request;
    bool operator>(const Ending& other) const {
      return step != other.step ? step > other.step : turn > other.turn;
    }
  };
  struct Chunk {
    std::int32_t request;
    std::int32_t tokens;
  };
  /// What is found of a request when it is admitted.
  struct Found {
    std::int64_t on_gpus = 0;           ///< blocks
    std::int64_t idle = 0;              ///< of these, used by nobody
    std::int64_t tokens = 0;            ///< in all
    std::vector<std::int64_t> of_tier;  ///< blocks of its size
  };

  State& state(std::int32_t request) { return states_[static_cast<std::size_t>(request)]; }
  const Request& told(std::int32_t request) const {
    return shared_.of.requests[static_cast<std::size_t>(request)];
  }
  Record& record(std::int32_t request) {
    return shared_.outcome.requests[static_cast<std::size_t>(request)];
  }
  Tier& tier(std::size_t i) {
    return shared_.of.tiers[i].shared ? shared_.tiers[i] : own_tiers_[i];
  }
  std::int32_t name_of(std::int32_t request, std::int64_t block) const;
  std::int64_t names_of(std::int32_t request) const;
  template <class Visit>
  void for_names(std::int32_t request, std::int64_t from, std::int64_t to,
                 const Visit& visit) const;

  void listen(double until);
  void grow(double at);
  void grow_one_by_one(double at);
  void preempt_youngest();
  std::int32_t youngest();
  void plan_chunks(double at);
  bool admit(double at);
  Found find(std::int32_t request, double at);
  bool is_worth_reading(const Found& found, std::int64_t after, double at);
  void read_from_tiers(std::int32_t request, const Found& found, double at);
  void add_chunk(std::int32_t request);
  void name_computed(std::int32_t request, std::int64_t tokens);
  void end_prompt(std::int32_t request);
  void end_decoding(std::int32_t request);
  void give_to_tiers(std::int32_t request, std::int64_t tokens);
  void write_dropped(double at);
  void release(std::int32_t request, std::int64_t context);
  std::int64_t running() const { return decoding_ + std::ssize(prefills_); }

  Shared shared_;
  Pool pool_;
  std::vector<Tier> own_tiers_;
  std::vector<State> states_;
  double now_ = 0;
  double last_begin_ = -1;
  bool is_stuck_ = false;
  std::int64_t load_ = 0;
  std::int64_t step_ = 0;
  std::int64_t turns_ = 0;
  std::int64_t decoding_ = 0;
  std::int64_t context_ = 0;                    ///< of all that decode
  std::array<std::int64_t, kBlock> growing_{};  ///< of these, who take a block when step % 16 is
  std::priority_queue<Ending, std::vector<Ending>, std::greater<>> endings_;
  std::vector<std::pair<std::int64_t, std::int32_t>> admitted_;  ///< by turn; some have ended
  std::vector<std::int32_t> prefills_;                           ///< by turn
  std::priority_queue<Timed, std::vector<Timed>, std::greater<>> loading_;
  std::deque<Timed> incoming_;
  std::deque<std::int32_t> queue_;
  std::vector<Chunk> chunks_;
  double chunk_time_ = 0;
  std::int64_t budget_ = 0;
  bool has_no_room_ = false;
  std::vector<std::int32_t> dropped_;
  std::vector<std::int32_t> depth_;  ///< of each name, where a tier takes what is dropped
  bool watches_dropped_ = false;
};

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

}  // namespace gpufeed::serving
