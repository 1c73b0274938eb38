// SPDX-License-Identifier: Apache-2.0
#include "sim/topology/rings.h"

#include <algorithm>
#include <numeric>

#include "sim/base/assert.h"

namespace gpufeed {
namespace {

// Machines of up to 16 GPUs that are all joined need at most 8 trials; all take some milliseconds.
constexpr std::size_t kTrials = 10;        // orders in which neighbors are tried
constexpr int kStepsPerTrial = 2000;       // hops
constexpr std::size_t kHalfBrickGpus = 4;  // NCCL looks for rings of half a brick up to here

/// Free bricks from each GPU (row) to each other one.
using Bricks = std::vector<std::vector<int>>;
using Orders = std::vector<std::vector<int>>;

Bricks bricks_of(const System& system, std::size_t gpus) {
  Bricks bricks(gpus, std::vector<int>(gpus, 0));
  for (const auto& link : system.nvlinks) {
    const auto a = (*link.between.front()).number;
    const auto b = (*link.between.back()).number;
    if (a >= gpus || b >= gpus) continue;
    bricks[a][b] += static_cast<int>(link.count);
    bricks[b][a] += static_cast<int>(link.count);
  }
  return bricks;
}

/// A GPU to go to next; the lowest rank first.
struct Candidate {
  int negative_bricks;
  std::size_t place;
  std::size_t gpu;
  std::pair<int, std::size_t> rank() const { return {negative_bricks, place}; }
};

/// One attempt: extends a cycle hop by hop, begins the next when it closes, and steps back where it
/// is stuck, until the upper bound is met or the steps are used up. Each cycle starts at GPU 0.
class Trial {
 public:
  Trial(Bricks bricks, std::size_t most, std::size_t turn)
      : free_(std::move(bricks)), size_(free_.size()), most_(most), turn_(turn) {}

  Orders run() {
    if (most_ > 0) begin_ring();
    return best_;
  }
  /// Whether every cycle was tried, so that no other order finds more.
  bool exhaustive() const { return steps_ > 0; }

 private:
  bool done() const { return best_.size() == most_ || steps_ <= 0; }

  void begin_ring() {
    const auto saved = visited_;
    visited_.assign(size_, false);
    visited_[0] = true;
    rings_.push_back({0});
    extend();
    rings_.pop_back();
    visited_ = saved;
  }

  void extend() {
    const auto here = static_cast<std::size_t>(rings_.back().back());
    if (rings_.back().size() == size_) return close(here);
    for (const auto& candidate : candidates(here)) {
      if (done()) return;
      const auto next = candidate.gpu;
      --steps_;
      --free_[here][next];
      visited_[next] = true;
      rings_.back().push_back(static_cast<int>(next));
      extend();
      rings_.back().pop_back();
      visited_[next] = false;
      ++free_[here][next];
    }
  }

  void close(std::size_t here) {
    if (free_[here][0] == 0) return;
    --free_[here][0];
    if (rings_.size() > best_.size()) best_ = rings_;
    if (!done()) begin_ring();
    ++free_[here][0];
  }

  /// Widest connections first, so that the narrow ones are left for later rings; among equals, in
  /// the order of GPU numbers, rotated by the trial's turn.
  std::vector<Candidate> candidates(std::size_t here) const {
    std::vector<Candidate> next;
    next.reserve(size_);
    for (std::size_t place = 0; place < size_; ++place) {
      const auto gpu = (place + turn_ * here) % size_;
      if (!visited_[gpu] && free_[here][gpu] > 0) next.push_back({-free_[here][gpu], place, gpu});
    }
    std::ranges::sort(next, {}, &Candidate::rank);
    return next;
  }

  Bricks free_;
  std::size_t size_;
  std::size_t most_;
  std::size_t turn_;
  int steps_ = kStepsPerTrial;
  std::vector<bool> visited_;
  Orders rings_;
  Orders best_;
};

/// No more rings than the bricks of the GPU that has fewest: each ring leaves every GPU once.
std::size_t most_rings(const Bricks& bricks) {
  int fewest = std::accumulate(bricks[0].begin(), bricks[0].end(), 0);
  for (const auto& row : bricks)
    fewest = std::min(fewest, std::accumulate(row.begin(), row.end(), 0));
  return static_cast<std::size_t>(fewest);
}

Orders search(const Bricks& bricks) {
  const auto most = most_rings(bricks);
  Orders best;
  for (std::size_t turn = 0; turn < kTrials && best.size() < most; ++turn) {
    Trial trial(bricks, most, turn);
    auto found = trial.run();
    if (found.size() > best.size()) best = std::move(found);
    if (trial.exhaustive()) break;
  }
  return best;
}

bool on_one_switch(const System& system, std::size_t count) {
  return std::ranges::any_of(system.nvswitches, [&](const NvSwitch& part) {
    std::size_t joined = 0;
    for (std::size_t gpu = 0; gpu < count; ++gpu)
      joined += std::ranges::count(part.gpus, PartId{PartKind::gpu, gpu}, &PartRef::part) > 0;
    return joined == count;
  });
}

std::vector<Ring> nvlink_rings(const Orders& orders, double bricks) {
  std::vector<Ring> rings;
  for (const auto& order : orders) rings.push_back({order, true, bricks});
  return rings;
}

}  // namespace

std::vector<Ring> find_rings(const System& system, int gpus, Rings wanted) {
  const auto count = static_cast<std::size_t>(gpus);
  GPUFEED_ASSERT(gpus >= 1 && count <= system.gpus.size(), "the ring's GPUs are in the system");
  if (gpus == 1) return {};
  std::vector<int> in_order(count);
  std::iota(in_order.begin(), in_order.end(), 0);
  if (!system.lets_gpus_reach()) return {Ring{std::move(in_order), false, 1.0}};
  if (wanted == Rings::one || on_one_switch(system, count))
    return {Ring{std::move(in_order), true, 1.0}};
  const auto bricks = bricks_of(system, count);
  const auto whole = search(bricks);
  if (whole.empty()) return {Ring{std::move(in_order), false, 1.0}};
  if (count <= kHalfBrickGpus) {
    auto twice = bricks;
    for (auto& row : twice)
      for (auto& free : row) free *= 2;
    const auto half = search(twice);
    if (half.size() > 2 * whole.size()) return nvlink_rings(half, 0.5);
  }
  return nvlink_rings(whole, 1.0);
}

}  // namespace gpufeed
