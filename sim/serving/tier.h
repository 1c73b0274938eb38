// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sim/serving/case.h"

namespace gpufeed::serving {

/// A place below the GPUs' memory: blocks of its own size, known by the name of their last block of
/// kBlock tokens. It drops what was touched longest ago. One queue serves reads and writes in turn.
class Tier {
 public:
  Tier(const TierLaw& law, double kv_bytes)
      : law_(law), block_B_(kv_bytes * static_cast<double>(law.block)), ends_{0, 0, 0} {
    nodes_.push_back(ends_);
  }

  const TierLaw& law() const { return law_; }
  bool has(std::int32_t name) const { return place_.contains(name); }
  /// Touches a block, or puts it in, where another may have to go.
  /// \return whether it was lacking
  bool put(std::int32_t name);

  /// When so many blocks would be there, asked for now.
  double ready(double now, std::int64_t blocks) const;
  double read(double now, std::int64_t blocks);
  void write(double now, std::int64_t blocks);
  /// The totals of a run whose last answer was given then.
  TierTotals totals_at(double end) const;

  TierTotals totals;

 private:
  struct Node {
    std::int32_t name, next, previous;
  };
  static std::size_t at(std::int32_t node) { return static_cast<std::size_t>(node); }
  void unlink(std::int32_t node);
  void put_last(std::int32_t node);
  double serve(double now, double bytes, double rate);

  TierLaw law_;
  double block_B_;
  double free_ = 0;  ///< when its queue is empty
  std::unordered_map<std::int32_t, std::int32_t> place_;
  std::vector<Node> nodes_;  ///< the first is both ends
  Node ends_;
};

}  // namespace gpufeed::serving
