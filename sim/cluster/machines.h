// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "sim/cluster/case.h"

namespace gpufeed::cluster {

/// What a job holds of one node.
struct Part {
  int node = 0;
  std::vector<int> gpus = {};  ///< their numbers in the node
};

/// Where a job lies.
struct Placement {
  std::vector<Part> parts;
  int switches = 0;  ///< that its GPUs hang on, of all nodes together
};

/// What is free on which node, and who fits where. A copy is a plan: what would be free if.
class Machines {
 public:
  explicit Machines(const Case& of);

  /// Where the job would be put now; nothing where it does not fit. Stores are not asked.
  std::optional<Placement> place(const Job& job) const;
  /// Whether it has a place; cheaper.
  bool fits(const Job& job) const;

  void take(const Job& job, const Placement& at) { move(job, at, -1); }
  void give(const Job& job, const Placement& at) { move(job, at, 1); }
  void set_up(int node, bool up);
  bool is_up(int node) const { return up_[static_cast<std::size_t>(node)] != 0; }

  /// GPU milli that no job holds, of nodes that are up.
  std::int64_t free_milli() const { return free_milli_; }

  /// Leaves of everything the less that is free in one of the two.
  void take_less_of(const Machines& other);

  /// GPUs that the node can give to a job of several: 0 where it is not eligible.
  int usable(int node, const Job& job) const;
  /// Whether it has room for the whole job.
  bool holds(int node, const Job& job) const;
  /// Whether the job may lie on several nodes where none has room for it.
  bool may_split(const Job& job) const;

 private:
  struct Room {
    std::int64_t cpu = 0, memory = 0, milli = 0;
    int whole = 0;  ///< GPUs that are wholly free
  };
  struct Pool {
    std::vector<int> nodes;
    int most_gpus = 0;  ///< of one of them
  };
  /// What does not change.
  struct Layout {
    const Case* of = nullptr;
    std::vector<Pool> pools;
    std::vector<int> first_gpu, first_switch;  ///< of each node; one more at the end
    std::vector<int> switch_of_gpu;            ///< within its node
  };

  void move(const Job& job, const Placement& at, int sign);
  void move_gpu(int node, int gpu, int milli);
  void count(int node);
  int most_gpus(const Job& job) const;
  const Case& of() const { return *layout_->of; }
  bool eligible(int node, const Job& job) const;
  std::optional<int> best_node(const Job& job) const;
  int switches_used(int node, int gpus) const;
  std::vector<int> choose(int node, int gpus, int milli) const;
  std::vector<int> choose_packed(int node, int gpus) const;
  int switch_of(int node, int gpu) const;
  Placement made(std::vector<Part> parts) const;

  std::shared_ptr<const Layout> layout_;
  std::vector<char> up_;
  std::vector<Room> room_;
  std::vector<int> gpu_milli_;    ///< free
  std::vector<int> switch_free_;  ///< wholly free GPUs
  std::int64_t free_milli_ = 0;
};

}  // namespace gpufeed::cluster
