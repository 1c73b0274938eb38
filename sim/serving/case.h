// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "sim/model/serving/answer.h"
#include "sim/model/serving/document.h"
#include "sim/serving/step_law.h"

// What is simulated, in plain numbers: seconds, bytes, tokens.
namespace gpufeed::serving {

inline constexpr std::int64_t kBlock = 16;  ///< tokens of a block of the GPUs' memory
/// That so many tokens take.
constexpr std::int64_t blocks_of(std::int64_t tokens) { return (tokens + kBlock - 1) / kBlock; }
inline constexpr double kNever = std::numeric_limits<double>::infinity();

/// Names of blocks that follow one another. Equal names: the same tokens, and the same before them.
struct NameRun {
  std::int32_t first = 0;
  std::int32_t count = 0;
};

struct Request {
  double arrival = 0;
  std::int32_t prompt = 1;
  std::int32_t answer = 1;
  std::uint32_t first_run = 0;  ///< in Case::runs: names of its leading full blocks
  std::uint32_t run_count = 0;
  std::int32_t after =
      -1;  ///< the request it takes up: it comes `Case::pause` after that has ended
};

/// One queue, first in, first out.
struct TierLaw {
  std::string name;
  TierKind kind = TierKind::memory;
  double latency = 0;
  double read_rate = 1;
  double write_rate = 1;
  std::int64_t capacity = 0;  ///< blocks of its own
  std::int64_t block = 256;   ///< tokens, a multiple of kBlock
  bool on_eviction = false;  ///< blocks go there when a GPU drops them, else when they are computed
  bool if_faster = false;    ///< read only where computing again takes longer
  bool shared = false;       ///< by all replicas
};

struct Case {
  StepLaw law;
  std::int64_t pool = 0;  ///< blocks that a replica's GPUs hold
  double kv_bytes = 0;    ///< of a token, over all GPUs of a replica
  std::int64_t budget = 8192;
  std::int64_t sequences = 256;
  std::int64_t replicas = 1;
  Route route = Route::prefix;
  bool async = true;
  double api = 0;
  double pause = 0;
  std::int64_t clients = 0;  ///< so many at once; 0: requests come when they arrive
  std::vector<TierLaw> tiers;
  std::vector<Request> requests;
  std::vector<NameRun> runs;
  std::int32_t names = 0;  ///< they are 0 to names - 1
};

/// Of a request, in the end.
struct Record {
  double arrival = 0;
  double first = kNever;  ///< its first token, without what the interface takes
  double end = kNever;
  double tier_wait = 0;  ///< outside the batch, for bytes of a tier
  bool refused = false;  ///< all GPUs of a replica could not hold it
};

struct TierTotals {
  std::int64_t hit_blocks = 0;  ///< of its own size
  double hit_tokens = 0;
  std::int64_t left = 0;  ///< found, but computed again, which was faster
  std::int64_t reads = 0;
  double read_B = 0;
  double written_B = 0;
  double busy = 0;
  double late = 0;    ///< of that, after the last answer, when reads are done and writes are not
  double waited = 0;  ///< by reads in its queue
  std::int64_t held = 0;
  std::int64_t most_held = 0;
};

/// A sum over time in parts of equal length, which doubles when they are all used.
class Timeline {
 public:
  static constexpr std::size_t kParts = 128;

  void add(double at, double amount) {
    while (at >= width_ * kParts) widen();
    sums_[static_cast<std::size_t>(at / width_)] += amount;
  }
  double width() const { return width_; }
  double sum(std::size_t part) const { return sums_[part]; }

 private:
  void widen() {
    for (std::size_t i = 0; i < kParts / 2; ++i) sums_[i] = sums_[2 * i] + sums_[2 * i + 1];
    for (std::size_t i = kParts / 2; i < kParts; ++i) sums_[i] = 0;
    width_ *= 2;
  }

  double width_ = 1.0 / 128;
  std::array<double, kParts> sums_{};
};

struct Outcome {
  std::vector<Record> requests;
  std::vector<TierTotals> tiers;  ///< over all replicas
  double end = 0;
  double busy = 0;        ///< replica-seconds of steps
  double prefill = 0;     ///< of these, what chunks add
  double blocked = 0;     ///< of these, while the first in the queue had no room
  double full = 0;        ///< of these, while as many sequences ran as may
  double kv_seconds = 0;  ///< blocks in use times seconds of steps
  Timeline kv;            ///< the same, by when the steps began
  std::int64_t steps = 0;
  std::int64_t kv_most = 0;  ///< blocks in use at once, of one replica
  std::int64_t batch_most = 0;
  double batch_seconds = 0;
  std::int64_t preemptions = 0;
  double prompt_tokens = 0;    ///< of requests that were admitted, without those computed anew
  double anew_tokens = 0;      ///< of preempted requests
  double computed_tokens = 0;  ///< by chunks
  double gpu_hit_tokens = 0;
  double generated_tokens = 0;
};

/// \source shared rules of continuous batching: sim/serving/README.md
Outcome run(const Case& of);

}  // namespace gpufeed::serving
