// SPDX-License-Identifier: Apache-2.0
#include "calib/discover/nodes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace gpufeed {
namespace {

constexpr std::int64_t kMostNodes = 64;

/// Cores of a node; 0 where its threads do not tell.
std::int64_t cores_of(const FoundSocket& node) {
  if (node.cores > 0) return node.cores;
  return node.cpus.sibling_distance() > 0 ? node.cpus.count() / 2 : 0;
}

std::int64_t threads_of(const FoundSocket& node) {
  return node.threads > 0 ? node.threads : node.cpus.count();
}

/// How many NUMA nodes the machine has, by those that were seen.
std::int64_t count_nodes(const std::vector<FoundSocket>& seen) {
  auto count = static_cast<std::int64_t>(seen.size());
  for (const FoundSocket& node : seen) {
    if (node.node) count = std::max(count, *node.node + 1);
    const std::int64_t all_cores = node.cpus.sibling_distance();
    const std::int64_t cores = cores_of(node);
    if (cores > 0 && all_cores % cores == 0) count = std::max(count, all_cores / cores);
  }
  if (count > 2 && count % 2 != 0) ++count;
  return std::min(count, kMostNodes);
}

class Joiner {
 public:
  Joiner(FoundMachine& machine, const ProcessorFacts& facts)
      : machine_(machine), facts_(facts), seen_(std::move(machine.sockets)) {}

  void join() {
    nodes_ =
        facts_.nodes.empty() ? count_nodes(seen_) : static_cast<std::int64_t>(facts_.nodes.size());
    sockets_ = facts_.sockets > 0 ? facts_.sockets : std::min<std::int64_t>(nodes_, 2);
    nodes_ = std::max(nodes_, sockets_);
    each_ = std::max<std::int64_t>(1, nodes_ / sockets_);
    make_sockets();
    for (auto& device : machine_.devices) device.at.socket = socket_of(device.at.socket);
    for (auto& one : machine_.switches) one.at.socket = socket_of(one.at.socket);
    if (facts_.sockets == 0 && nodes_ > 2) ask();
    machine_.sockets_are_nodes = false;
  }

 private:
  std::size_t socket_of(std::size_t node) const {
    const std::int64_t number = number_of(node);
    return static_cast<std::size_t>(std::clamp<std::int64_t>(number / each_, 0, sockets_ - 1));
  }

  /// Of all nodes: by the source's own numbering, else by the threads, else by the order.
  std::int64_t number_of(std::size_t node) const {
    const FoundSocket& one = seen_[node];
    if (one.node) return *one.node;
    for (std::size_t i = 0; i < facts_.nodes.size(); ++i)
      if (facts_.nodes[i].overlaps(one.cpus)) return static_cast<std::int64_t>(i);
    const std::int64_t cores = cores_of(one);
    if (cores > 0 && !one.cpus.empty()) return one.cpus.runs().front().first / cores;
    return static_cast<std::int64_t>(node);
  }

  void make_sockets() {
    machine_.sockets.assign(static_cast<std::size_t>(sockets_), {});
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      FoundSocket& socket = machine_.sockets[socket_of(i)];
      if (socket.cpu.empty()) socket.cpu = seen_[i].cpu;
      socket.memory += seen_[i].memory;
      socket.cpus.add(seen_[i].cpus);
    }
    std::int64_t cores = 0;
    std::int64_t threads = 0;
    for (const FoundSocket& node : seen_) {
      cores = std::max(cores, cores_of(node));
      threads = std::max(threads, threads_of(node));
    }
    for (FoundSocket& socket : machine_.sockets) {
      socket.numa_nodes = each_;
      socket.cores = cores * each_;
      socket.threads = threads * each_;
    }
  }

  void ask() {
    std::vector<std::int64_t> numbers;
    std::int64_t seen_cores = 0;
    std::int64_t cores = 0;
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      numbers.push_back(number_of(i));
      seen_cores += cores_of(seen_[i]);
      cores = std::max(cores, cores_of(seen_[i]));
    }
    std::ranges::sort(numbers);
    const std::string counted =
        cores > 0 ? fmt::format(" ({} cores, of which {} were seen)", cores * nodes_, seen_cores)
                  : "";
    machine_.questions.push_back(fmt::format(
        "how many sockets has it? NUMA nodes {} of {}{} were told, not sockets: {} with {} nodes "
        "each are assumed (NPS of EPYC, SNC of Xeon); lscpu tells",
        fmt::join(numbers, ", "), nodes_, counted, sockets_, each_));
  }

  FoundMachine& machine_;
  const ProcessorFacts& facts_;
  std::vector<FoundSocket> seen_;
  std::int64_t nodes_ = 1;
  std::int64_t sockets_ = 1;
  std::int64_t each_ = 1;
};

/// What the processor says of itself holds for every socket.
void take_facts(FoundMachine& machine, const ProcessorFacts& facts) {
  for (FoundSocket& socket : machine.sockets) {
    if (!facts.model.empty()) socket.cpu = facts.model;
    if (facts.cores_per_socket == 0) continue;
    socket.cores = facts.cores_per_socket;
    socket.threads = socket.cores * std::max<std::int64_t>(1, facts.threads_per_core);
  }
}

}  // namespace

void join_nodes(FoundMachine& machine, const ProcessorFacts& facts) {
  if (machine.sockets_are_nodes && !machine.sockets.empty()) Joiner(machine, facts).join();
  take_facts(machine, facts);
}

}  // namespace gpufeed
