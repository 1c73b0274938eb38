// SPDX-License-Identifier: Apache-2.0
#include "sim/plan/cache/unlike_nodes.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/model/compute.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

/// As one, each kind with its share of all samples.
class Joined {
 public:
  Joined(std::vector<CacheHits> kinds, std::vector<double> parts, double later)
      : kinds_(std::move(kinds)), parts_(std::move(parts)) {
    for (CacheHits& kind : kinds_)
      if (kind.filling.empty()) kind.filling = {{kind.later, later}};
  }

  CacheHits hits() const {
    CacheHits out;
    out.first = joined([](const CacheHits& kind) { return &kind.first; });
    out.later = joined([](const CacheHits& kind) { return &kind.later; });
    const auto alike = [](const CacheHits& kind) { return kind.filling.size() == 1; };
    if (!std::ranges::all_of(kinds_, alike)) out.filling = filling();
    return out;
  }

 private:
  template <class CurveOf>
  HitCurve joined(CurveOf curve_of) const {
    HitCurve out;
    for (std::size_t k = 0; k < kinds_.size(); ++k) out.add(*curve_of(kinds_[k]), parts_[k]);
    for (const CacheHits& kind : kinds_) out.unlike.push_back(*curve_of(kind));
    return out;
  }

  /// A new stretch begins where one of a kind does.
  std::vector<HitStretch> filling() const {
    std::vector<HitStretch> out;
    auto left = kinds_;
    while (std::ranges::none_of(left, [](const auto& kind) { return kind.filling.empty(); })) {
      const auto epochs = [](const CacheHits& kind) { return kind.filling.front().epochs; };
      const double shortest = std::ranges::min(left, {}, epochs).filling.front().epochs;
      HitStretch next{{}, shortest};
      for (std::size_t k = 0; k < left.size(); ++k) {
        HitStretch& one = left[k].filling.front();
        next.hits.add(one.hits, parts_[k]);
      }
      for (CacheHits& kind : left) {
        HitStretch& one = kind.filling.front();
        next.hits.unlike.push_back(one.hits);
        constexpr double kNone = 1e-9;  // of an epoch
        if ((one.epochs -= shortest) < kNone) kind.filling.erase(kind.filling.begin());
      }
      out.push_back(std::move(next));
    }
    return out;
  }

  std::vector<CacheHits> kinds_;  ///< each with stretches
  std::vector<double> parts_;
};

}  // namespace

CacheHits hits_of_nodes(const Scenario& scenario, double epochs,
                        const std::function<CacheHits(const NodeShare&)>& hits_of) {
  if (!is_uneven(scenario)) return hits_of({1, scenario.nodes, gpus_per_node(scenario)});
  const std::int64_t all = gpus_in_use(scenario);
  std::vector<CacheHits> kinds;
  std::vector<double> parts;
  for (const std::int64_t gpus : node_sizes(scenario)) {
    kinds.push_back(hits_of({gpus, all, gpus}));
    double part = 0;
    for (std::int64_t node = 0; node < scenario.nodes; ++node)
      if (gpus_of_node(scenario, node) == gpus) part += static_cast<double>(gpus);
    parts.push_back(part / static_cast<double>(all));
  }
  return Joined(std::move(kinds), std::move(parts), epochs - 1).hits();
}

}  // namespace gpufeed
