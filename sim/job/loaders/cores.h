// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "sim/engine/engine.h"
#include "sim/plan/plan.h"

namespace gpufeed {

/// What a loader needs cores for; decoding and fetching may have several threads a batch.
enum class CoreWork { decode, fetch, take_over };
inline constexpr std::size_t kCoreWorks = 3;

/// Threads that may want a core of each pool at the same time.
std::vector<double> most_threads(const Plan& plan);

/// The pools of cores that serve loaders. Threads beyond the cores share them by time slices, as an
/// operating system lets them: all advance at once, equally fast, none on more than one core.
class Cores {
 public:
  /// Both must outlive it.
  Cores(const Plan& plan, Engine& engine);

  /// Works for so much time of one core.
  void start(std::size_t pool, CoreWork work, Seconds core_time, Callback done);

  /// Whether more threads may want a core of a pool than it has.
  bool shared(std::size_t pool) const;

  /// After what `start` began, before anything is begun in its place.
  void end(std::size_t pool, CoreWork work);

  /// Whether what has been started and not ended takes all cores of a pool.
  bool busy(std::size_t pool) const;

  /// Time of one core that has gone into decoding so far, in pools that are shared.
  Seconds decoded() const;

 private:
  struct Pool {
    bool shared = false;  ///< by more threads than it has cores
    double running = 0;   ///< threads that want a core now
    std::array<RouteId, kCoreWorks> routes{};
  };
  double threads_of(CoreWork work) const;

  const Plan& plan_;
  Engine& engine_;
  std::vector<Pool> pools_;
};

}  // namespace gpufeed
