// SPDX-License-Identifier: Apache-2.0
#include "sim/answer/gpu_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "sim/answer/words.h"
#include "sim/base/join_ids.h"
#include "sim/base/labels/label_text.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

struct Group {
  std::vector<std::string> ids;
  std::vector<std::int64_t> numbers;  ///< of the first node
  TimeSpent spent{};

  void add(const TimeSpent& other) {
    for (std::size_t a = 0; a < kActivities; ++a) spent[a] += other[a];
  }
};

TimeSpent shares(const TimeSpent& spent) {
  const double total = std::accumulate(spent.begin(), spent.end(), 0.0);
  TimeSpent out{};
  for (std::size_t a = 0; a < kActivities; ++a) out[a] = spent[a] / total;
  return out;
}

GpuShare gpu_share(const TimeSpent& shares) {
  const auto of = [&](Activity activity) { return shares[static_cast<std::size_t>(activity)]; };
  return {.compute = of(Activity::compute),
          .gpu_decode = of(Activity::gpu_decode),
          .storage = of(Activity::storage),
          .decode = of(Activity::decode),
          .copy = of(Activity::copy),
          .exchange = of(Activity::exchange),
          .barrier = of(Activity::barrier),
          .checkpoint = of(Activity::checkpoint)};
}

bool alike(const TimeSpent& a, const TimeSpent& b) {
  constexpr double kAlike = 0.02;  // closer than that, a reader learns nothing from two rows
  return std::ranges::equal(shares(a), shares(b),
                            [](double x, double y) { return std::abs(x - y) <= kAlike; });
}

/// By compute and decode time and by how many resources their reads and copies cross.
std::vector<Group> by_place(const Scenario& scenario, const Plan& plan,
                            const std::vector<TimeSpent>& spent) {
  std::map<std::array<double, 5>, Group> places;
  const auto hops = [&](std::optional<RouteIndex> route) {
    return route ? static_cast<double>(plan.route(*route).resources.size()) : 0.0;
  };
  for (std::size_t g = 0; g < plan.gpus.size(); ++g) {
    const GpuPlan& gpu = plan.gpus[g];
    Group& group = places[{gpu.compute.value, gpu.decode_in_compute.value,
                           gpu.decode_by_engine.value, hops(gpu.reads.front()), hops(gpu.copy)}];
    group.ids.push_back(gpu_name(scenario, plan, gpu));
    if (gpu.node == 0) group.numbers.push_back(static_cast<std::int64_t>(gpu.number));
    group.add(spent[g]);
  }
  std::vector<Group> groups;
  groups.reserve(places.size());
  for (auto& entry : places) groups.push_back(std::move(entry.second));
  return groups;
}

}  // namespace

std::string gpu_name(const Scenario& scenario, const Plan& plan, const GpuPlan& gpu) {
  std::string name = plan.kind == kind_of<kind::Loader> ? "loader" : "accelerator";
  name += std::to_string(gpu.number);
  if (plan.kind == kind_of<kind::Training>) name = text_of(scenario.system->gpus[gpu.number].id);
  return plan.nodes > 1 ? fmt::format("node{} {}", gpu.node, name) : name;
}

std::vector<GpuGroup> gpu_groups(const Scenario& scenario, const Plan& plan,
                                 const std::vector<TimeSpent>& spent) {
  std::vector<Group> groups;
  for (auto& group : by_place(scenario, plan, spent)) {
    const auto it = std::ranges::find_if(
        groups, [&](const Group& other) { return alike(other.spent, group.spent); });
    if (it == groups.end()) {
      groups.push_back(std::move(group));
      continue;
    }
    it->ids.insert(it->ids.end(), group.ids.begin(), group.ids.end());
    it->numbers.insert(it->numbers.end(), group.numbers.begin(), group.numbers.end());
    it->add(group.spent);
  }
  std::vector<GpuGroup> out;
  out.reserve(groups.size());
  for (const auto& group : groups) {
    out.push_back({join_ids_of_nodes(group.ids), static_cast<std::int64_t>(group.ids.size()),
                   gpu_share(shares(group.spent)), group.numbers});
  }
  return out;
}

}  // namespace gpufeed
