// SPDX-License-Identifier: Apache-2.0
#include "sim/cluster/machines.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace gpufeed::cluster {
namespace {

std::int64_t for_each_gpu(std::int64_t of_job, const Job& job) {
  return job.gpus > 1 ? (of_job + job.gpus - 1) / job.gpus : of_job;
}

/// What the job takes of a node on which it has so many GPUs.
std::int64_t on_node(std::int64_t of_job, const Job& job, int gpus) {
  return job.gpus > 1 ? for_each_gpu(of_job, job) * gpus : of_job;
}

bool is_share(const Job& job) { return job.gpus == 1 && job.milli < kMilli; }

}  // namespace

Machines::Machines(const Case& of) {
  Layout layout;
  layout.of = &of;
  layout.pools.resize(at(of.pools));
  layout.first_gpu = layout.first_switch = {0};
  for (const Node& node : of.nodes) {
    Pool& pool = layout.pools[at(node.pool)];
    pool.nodes.push_back(static_cast<int>(room_.size()));
    pool.most_gpus = std::max(pool.most_gpus, node.gpus);
    room_.push_back({node.cpu_milli, node.memory, std::int64_t{node.gpus} * kMilli, node.gpus});
    free_milli_ += room_.back().milli;
    layout.first_gpu.push_back(layout.first_gpu.back() + node.gpus);
    layout.first_switch.push_back(layout.first_switch.back() + node.switches);
    for (int i = 0; i < node.switches; ++i) {
      const int first = i * node.gpus / node.switches;
      const int end = (i + 1) * node.gpus / node.switches;
      switch_free_.push_back(end - first);
      layout.switch_of_gpu.insert(layout.switch_of_gpu.end(), at(end - first), i);
    }
  }
  up_.assign(room_.size(), 1);
  gpu_milli_.assign(layout.switch_of_gpu.size(), kMilli);
  layout_ = std::make_shared<const Layout>(std::move(layout));
}

int Machines::switch_of(int node, int gpu) const {
  return layout_->switch_of_gpu[at(layout_->first_gpu[at(node)] + gpu)];
}

bool Machines::eligible(int node, const Job& job) const {
  return up_[at(node)] != 0 &&
         (job.types.empty() || std::ranges::count(job.types, of().nodes[at(node)].type) > 0);
}

bool Machines::holds(int node, const Job& job) const {
  const Room& room = room_[at(node)];
  if (room.whole < job.gpus && !is_share(job)) return false;
  if (room.cpu < on_node(job.cpu_milli, job, job.gpus) ||
      room.memory < on_node(job.memory, job, job.gpus) || !eligible(node, job))
    return false;
  if (!is_share(job)) return true;
  return std::any_of(gpu_milli_.begin() + layout_->first_gpu[at(node)],
                     gpu_milli_.begin() + layout_->first_gpu[at(node) + 1],
                     [&](int milli) { return milli >= job.milli; });
}

int Machines::usable(int node, const Job& job) const {
  if (!eligible(node, job)) return 0;
  const Room& room = room_[at(node)];
  std::int64_t most = room.whole;
  if (const auto cpu = for_each_gpu(job.cpu_milli, job); cpu > 0)
    most = std::min(most, room.cpu / cpu);
  if (const auto memory = for_each_gpu(job.memory, job); memory > 0)
    most = std::min(most, room.memory / memory);
  return static_cast<int>(most);
}

int Machines::most_gpus(const Job& job) const {
  const Pool& pool = layout_->pools[at(job.pool)];
  if (job.types.empty()) return pool.most_gpus;
  int most = 0;
  for (const int node : pool.nodes)
    if (std::ranges::count(job.types, of().nodes[at(node)].type) > 0)
      most = std::max(most, of().nodes[at(node)].gpus);
  return most;
}

bool Machines::may_split(const Job& job) const {
  return job.gpus >= 2 && (of().policy.split || job.gpus > most_gpus(job));
}

int Machines::switches_used(int node, int gpus) const {
  const auto begin = switch_free_.begin() + layout_->first_switch[at(node)];
  const auto end = switch_free_.begin() + layout_->first_switch[at(node) + 1];
  if (gpus == 0) return 0;
  if (*std::max_element(begin, end) >= gpus) return 1;
  std::vector<int> free(begin, end);
  std::ranges::sort(free, std::greater<>());
  int used = 0;
  for (int i = 0; gpus > 0; ++i, ++used) gpus -= free[at(i)];
  return used;
}

std::optional<int> Machines::best_node(const Job& job) const {
  const Placed by = of().policy.placement;
  std::optional<int> best;
  std::tuple<std::int64_t, std::int64_t, std::int64_t> best_key;
  for (const int node : layout_->pools[at(job.pool)].nodes) {
    if (!holds(node, job)) continue;
    if (by == Placed::first) return node;
    const Room& room = room_[at(node)];
    const auto key =
        by == Placed::pack
            ? std::tuple(std::int64_t{is_share(job) ? 1 : switches_used(node, job.gpus)},
                         room.milli, room.cpu)
            : std::tuple(-room.milli, -room.cpu, std::int64_t{0});
    if (best && key >= best_key) continue;
    best = node;
    best_key = key;
  }
  return best;
}

std::vector<int> Machines::choose_packed(int node, int gpus) const {
  const auto free = switch_free_.begin() + layout_->first_switch[at(node)];
  const int count = layout_->first_switch[at(node) + 1] - layout_->first_switch[at(node)];
  std::vector<int> order(at(count));
  std::iota(order.begin(), order.end(), 0);
  int fullest = -1;
  for (int i = 0; i < count; ++i)
    if (free[i] >= gpus && (fullest < 0 || free[i] < free[fullest])) fullest = i;
  if (fullest >= 0)
    order = {fullest};
  else
    std::ranges::stable_sort(order, [&](int a, int b) { return free[a] > free[b]; });
  std::vector<int> chosen;
  for (const int one : order)
    for (int gpu = 0; gpu < of().nodes[at(node)].gpus; ++gpu)
      if (static_cast<int>(chosen.size()) < gpus && switch_of(node, gpu) == one &&
          gpu_milli_[at(layout_->first_gpu[at(node)] + gpu)] == kMilli)
        chosen.push_back(gpu);
  std::ranges::sort(chosen);
  return chosen;
}

std::vector<int> Machines::choose(int node, int gpus, int milli) const {
  const Placed by = of().policy.placement;
  if (milli == kMilli && by == Placed::pack) return choose_packed(node, gpus);
  const int* const free = gpu_milli_.data() + layout_->first_gpu[at(node)];
  const int count = of().nodes[at(node)].gpus;
  std::vector<int> chosen;
  if (milli == kMilli) {
    for (int gpu = 0; static_cast<int>(chosen.size()) < gpus; ++gpu)
      if (free[gpu] == kMilli) chosen.push_back(gpu);
    return chosen;
  }
  int best = -1;
  for (int gpu = 0; gpu < count; ++gpu) {
    if (free[gpu] < milli) continue;
    const bool better = best < 0 || (by == Placed::pack && free[gpu] < free[best]) ||
                        (by == Placed::spread && free[gpu] > free[best]);
    if (better) best = gpu;
  }
  return {best};
}

Placement Machines::made(std::vector<Part> parts) const {
  Placement out{std::move(parts)};
  for (const Part& part : out.parts) {
    std::vector<int> seen;
    for (const int gpu : part.gpus)
      if (const int one = switch_of(part.node, gpu); std::ranges::count(seen, one) == 0)
        seen.push_back(one);
    out.switches += static_cast<int>(seen.size());
  }
  return out;
}

std::optional<Placement> Machines::place(const Job& job) const {
  if (const auto node = best_node(job)) {
    Part part{*node};
    if (job.gpus > 0) part.gpus = choose(*node, job.gpus, job.milli);
    return made({std::move(part)});
  }
  if (!may_split(job)) return {};
  std::vector<std::pair<int, int>> most;  // usable GPUs, as a negative number; node
  int sum = 0;
  for (const int node : layout_->pools[at(job.pool)].nodes)
    if (const int gpus = usable(node, job); gpus > 0) {
      most.emplace_back(-gpus, node);
      sum += gpus;
    }
  if (sum < job.gpus) return {};
  std::ranges::sort(most);
  std::vector<Part> parts;
  int left = job.gpus;
  for (std::size_t i = 0; left > 0; ++i) {
    const int gpus = std::min(left, -most[i].first);
    parts.push_back({most[i].second, choose(most[i].second, gpus, kMilli)});
    left -= gpus;
  }
  return made(std::move(parts));
}

bool Machines::fits(const Job& job) const {
  const auto& nodes = layout_->pools[at(job.pool)].nodes;
  if (std::ranges::any_of(nodes, [&](int node) { return holds(node, job); })) return true;
  if (!may_split(job)) return false;
  int sum = 0;
  for (const int node : nodes)
    if ((sum += usable(node, job)) >= job.gpus) return true;
  return false;
}

void Machines::move_gpu(int node, int gpu, int milli) {
  int& free = gpu_milli_[at(layout_->first_gpu[at(node)] + gpu)];
  const int whole_before = free == kMilli ? 1 : 0;
  free += milli;
  const int more = (free == kMilli ? 1 : 0) - whole_before;
  room_[at(node)].whole += more;
  room_[at(node)].milli += milli;
  switch_free_[at(layout_->first_switch[at(node)] + switch_of(node, gpu))] += more;
  if (is_up(node)) free_milli_ += milli;
}

void Machines::move(const Job& job, const Placement& placement, int sign) {
  for (const Part& part : placement.parts) {
    const int gpus = static_cast<int>(part.gpus.size());
    Room& room = room_[at(part.node)];
    room.cpu += sign * on_node(job.cpu_milli, job, gpus);
    room.memory += sign * on_node(job.memory, job, gpus);
    for (const int gpu : part.gpus) move_gpu(part.node, gpu, sign * job.milli);
  }
}

void Machines::set_up(int node, bool up) {
  if (is_up(node) == up) return;
  up_[at(node)] = up ? 1 : 0;
  free_milli_ += (up ? 1 : -1) * room_[at(node)].milli;
}

void Machines::count(int node) {
  Room& room = room_[at(node)];
  if (is_up(node)) free_milli_ -= room.milli;
  room.milli = room.whole = 0;
  std::fill(switch_free_.begin() + layout_->first_switch[at(node)],
            switch_free_.begin() + layout_->first_switch[at(node) + 1], 0);
  for (int gpu = 0; gpu < of().nodes[at(node)].gpus; ++gpu) {
    const int free = gpu_milli_[at(layout_->first_gpu[at(node)] + gpu)];
    room.milli += free;
    if (free < kMilli) continue;
    ++room.whole;
    ++switch_free_[at(layout_->first_switch[at(node)] + switch_of(node, gpu))];
  }
  if (is_up(node)) free_milli_ += room.milli;
}

void Machines::take_less_of(const Machines& other) {
  for (std::size_t gpu = 0; gpu < gpu_milli_.size(); ++gpu)
    gpu_milli_[gpu] = std::min(gpu_milli_[gpu], other.gpu_milli_[gpu]);
  for (std::size_t n = 0; n < room_.size(); ++n) {
    room_[n].cpu = std::min(room_[n].cpu, other.room_[n].cpu);
    room_[n].memory = std::min(room_[n].memory, other.room_[n].memory);
    count(static_cast<int>(n));
  }
}

}  // namespace gpufeed::cluster
