// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "sim/engine/engine.h"
#include "sim/plan/plan.h"

namespace gpufeed {

/// The time of flows that start together, when nothing else is under way.
Seconds time_together(const Plan& plan, const std::vector<Flow>& flows);

/// Whether gradients cross a resource where reads, copies or checkpoints may hold them back.
/// \param binds  of binding_resources
bool meets_loaders(const Plan& plan, const ByResource<bool>& binds);

/// The exchange of every step as a state machine over an engine: phase after phase.
class ExchangeJob {
 public:
  /// Of all GPUs together. Flows that never meet the loaders' need no engine: the time that they
  /// take together is always the same.
  /// \param routes  of the engine, by their place in the plan
  /// \param binds   of binding_resources
  /// All must outlive the job.
  ExchangeJob(const Plan& plan, Engine& engine, const ByRoute<RouteId>& routes,
              const ByResource<bool>& binds);
  /// Of one GPU, beside those of others.
  ExchangeJob(const GpuPlan& gpu, Engine& engine, const ByRoute<RouteId>& routes);

  bool empty() const { return phases_.empty(); }
  /// Starts the exchange of one step; the former has ended. \param beside  how long GPUs go on to
  ///                                                                         compute
  void start(Seconds beside, Callback done);
  /// All GPUs have computed: phases that wait for that may go on. Once a step.
  void computed();

 private:
  struct Phase {
    Seconds latency;
    std::vector<Flow> shared;      ///< flows that loaders can hold back
    std::optional<Seconds> alone;  ///< time of the others together
    double ready = 0;
  };
  void enter(std::uint64_t phase);
  void on_ready(std::uint64_t wait);
  void send(std::uint64_t phase);
  void on_part(std::uint64_t phase);

  Engine& engine_;
  const ByRoute<RouteId>& routes_;
  std::vector<Phase> phases_;
  std::size_t parts_left_ = 0;
  bool computed_ = false;
  Seconds start_;                         ///< of this step's
  Seconds beside_;                        ///< how long GPUs compute from then on
  std::optional<std::uint64_t> waiting_;  ///< the phase that waits until so much is computed
  std::uint64_t waits_ = 0;               ///< so far
  Callback done_;
};

}  // namespace gpufeed
