// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>

#include "sim/base/numbers/random.h"
#include "sim/engine/engine.h"
#include "sim/kinds/serving/serving_plan.h"
#include "sim/model/kinds/inference.h"
#include "sim/model/result/serving_summary.h"
#include "sim/plan/on_engine.h"

namespace gpufeed {

/// Who asks, and how often. Either arrivals at random times, or clients that wait for answers.
struct RequestLoad {
  std::optional<Rate> arrivals;
  std::int64_t clients = 0;
  std::int64_t requests = 0;  ///< to answer; the first tenth warms up
  Seconds spread{};           ///< clients begin at random moments of this time
};

/// What was seen after the warm-up.
struct ServingRecord {
  Seconds time;
  std::vector<double> latencies_s;  ///< in the order of the answers
  RequestTimes sums;                ///< of all of them
  std::int64_t batches = 0;
  double gpus_busy = 0;     ///< mean over GPUs, 0 to 1
  double cores_busy = 0;    ///< mean over cores
  ByResource<double> load;  ///< 0 to 1
  double throughput_per_s() const { return static_cast<double>(latencies_s.size()) / time.value; }
};

/// Requests on their way: read, decode, copy, wait, forward pass.
/// - A request goes to the GPU with the fewest requests under way; equal ones in turn.
/// - Its input is read (latency, then from all drives of a striped volume at once, or from
///   one drive drawn at random where files lie whole), decoded on one core, first come first
///   served, and copied to the GPU at once.
/// - A free GPU starts on what waits when the largest batch is full or the oldest request
///   has waited `longest_wait`. Copies run while it computes.
/// - Flows share drives, links and memories max-min fairly, over the fluid engine.
class ServingJob {
 public:
  ServingJob(const ServingPlan& plan, const Serving& rules, const RequestLoad& load,
             Random& random);
  ServingRecord run();

 private:
  struct Request {
    std::size_t gpu = 0;
    std::size_t parts_left = 0;
    double began = 0;  ///< of the part of its way that it is on
    double arrived = 0;
    RequestTimes times{};
  };
  struct GpuState {
    std::int64_t under_way = 0;
    std::deque<std::uint64_t> ready;
    std::vector<std::uint64_t> batch;  ///< being computed
    double started = 0;
    double busy = 0;  ///< of the batches that have ended
    bool timer = false;
  };
  struct Pool {
    std::int64_t free = 0;
    std::int64_t cores = 0;
    double slowdown = 1;  ///< cores are whole, and a pool's capacity with SMT is not
    double busy = 0;
    std::deque<std::uint64_t> waiting;
  };
  /// Counters at one moment.
  struct Mark {
    double at = 0;
    double gpus = 0;
    double cores = 0;
    ByResource<double> carried;
  };

  void arrive(std::uint64_t);
  void ask();
  void begin(std::uint64_t) { ask(); }
  std::size_t least_busy();
  void read(std::uint64_t request);
  void part_read(std::uint64_t request);
  void queue_for_core(std::uint64_t request);
  void decode(std::uint64_t request);
  void decoded(std::uint64_t request);
  void copy(std::uint64_t request);
  void move(std::uint64_t request);
  void copied(std::uint64_t request);
  void waited(std::uint64_t gpu);
  void try_start(std::size_t gpu);
  void start(std::size_t gpu);
  void computed(std::uint64_t gpu);
  void answer(std::uint64_t request);
  void finish();
  Mark mark() const;
  /// Seconds since the part began; the next part begins now.
  double part(Request& request) const;
  double now() const { return engine_->now().value; }
  Pool& pool_of(std::uint64_t request) { return pools_[plan_.gpus[requests_[request].gpu].pool]; }

  const ServingPlan& plan_;
  const Serving& rules_;
  const RequestLoad load_;
  Random& random_;
  std::unique_ptr<Engine> engine_;
  GraphOnEngine on_engine_;
  ByRoute<RouteId> routes_;
  std::deque<Request> requests_;
  std::vector<GpuState> gpus_;
  std::vector<Pool> pools_;
  std::size_t turn_ = 0;
  std::int64_t answered_ = 0;
  bool counting_ = false;
  bool over_ = false;
  Mark begin_;
  ServingRecord record_;
};

}  // namespace gpufeed
