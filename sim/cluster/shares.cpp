// SPDX-License-Identifier: Apache-2.0
#include "sim/cluster/shares.h"

#include <algorithm>
#include <limits>

namespace gpufeed::cluster {
namespace {

/// A resource of which more is wanted than it has.
struct Narrow {
  int resource = 0;
  double left = 0;    ///< beside the flows that stopped
  double weight = 0;  ///< of those that still rise
  int rising = 0;
  std::vector<std::size_t> flows = {};
};

class Filling {
 public:
  Filling(const std::vector<Flow>& flows, const std::vector<double>& capacities)
      : flows_(flows), uses_(flows.size()) {
    std::vector<double> wanted(capacities.size(), 0.0);
    for (const Flow& flow : flows)
      for (const auto& [resource, part] : flow.uses)
        wanted[static_cast<std::size_t>(resource)] += part * flow.demand;
    std::vector<int> number(capacities.size(), -1);
    for (std::size_t i = 0; i < flows.size(); ++i) {
      rates_.push_back({flows[i].demand});
      for (const auto& [resource, part] : flows[i].uses) {
        const auto r = static_cast<std::size_t>(resource);
        if (wanted[r] <= capacities[r]) continue;
        if (number[r] < 0) {
          number[r] = static_cast<int>(narrow_.size());
          narrow_.push_back({resource, capacities[r]});
        }
        Narrow& one = narrow_[static_cast<std::size_t>(number[r])];
        one.flows.push_back(i);
        one.weight += part * flows[i].weight;
        ++one.rising;
        uses_[i].emplace_back(number[r], part);
      }
    }
  }

  std::vector<FlowShare> fill() {
    if (narrow_.empty()) return rates_;
    rises_.assign(flows_.size(), 0);
    for (std::size_t flow = 0; flow < flows_.size(); ++flow)
      if (!uses_[flow].empty()) {
        rises_[flow] = 1;
        by_level_.push_back(flow);
      }
    std::ranges::sort(by_level_, {}, [this](std::size_t flow) { return level(flow); });
    std::size_t next = 0;
    while (true) {
      while (next < by_level_.size() && rises_[by_level_[next]] == 0) ++next;
      if (next == by_level_.size()) return rates_;
      Narrow* const tightest = &*std::ranges::min_element(narrow_, {}, full_at);
      if (full_at(*tightest) < level(by_level_[next])) {
        const double reached = full_at(*tightest);
        for (const std::size_t flow : tightest->flows)
          if (rises_[flow] != 0) stop(flow, {reached * flows_[flow].weight, tightest->resource});
      } else {
        stop(by_level_[next], {flows_[by_level_[next]].demand});
      }
    }
  }

 private:
  double level(std::size_t flow) const { return flows_[flow].demand / flows_[flow].weight; }
  static double full_at(const Narrow& one) {
    return one.rising == 0 ? std::numeric_limits<double>::infinity() : one.left / one.weight;
  }

  void stop(std::size_t flow, FlowShare share) {
    rates_[flow] = share;
    rises_[flow] = 0;
    for (const auto& [number, part] : uses_[flow]) {
      Narrow& one = narrow_[static_cast<std::size_t>(number)];
      one.left -= part * share.rate;
      one.weight -= part * flows_[flow].weight;
      --one.rising;
    }
  }

  const std::vector<Flow>& flows_;
  std::vector<std::vector<std::pair<int, double>>> uses_;  ///< of each flow, narrow ones alone
  std::vector<FlowShare> rates_;
  std::vector<Narrow> narrow_;
  std::vector<char> rises_;
  std::vector<std::size_t> by_level_;
};

}  // namespace

std::vector<FlowShare> fair_rates(const std::vector<Flow>& flows,
                                  const std::vector<double>& capacities) {
  return Filling(flows, capacities).fill();
}

}  // namespace gpufeed::cluster
