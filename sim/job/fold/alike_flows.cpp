// SPDX-License-Identifier: Apache-2.0
#include "sim/job/fold/alike_flows.h"

#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <unordered_map>
#include <utility>

#include "sim/job/exchange_job.h"

namespace gpufeed {
namespace {

/// Spreads a number over all its bits. \source  the finalizer of SplitMix64
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

std::uint64_t mixed(double x) { return mixed(std::bit_cast<std::uint64_t>(x)); }

/// How often each kind occurs. Kinds are hashes already: a table of twice as many places, of which
/// each takes the first free one from its own on.
class Tally {
 public:
  explicit Tally(const std::vector<std::uint64_t>& kinds)
      : places_(std::bit_ceil(2 * kinds.size() + 1)) {
    for (const std::uint64_t kind : kinds) {
      int& count = of(kind);
      kinds_ += count == 0;
      ++count;
    }
  }
  std::size_t kinds() const { return kinds_; }
  int& of(std::uint64_t kind) {
    std::size_t at = kind & (places_.size() - 1);
    while (places_[at].second != 0 && places_[at].first != kind)
      at = (at + 1) & (places_.size() - 1);
    places_[at].first = kind;
    return places_[at].second;
  }

 private:
  std::vector<std::pair<std::uint64_t, int>> places_;  ///< free where the count is 0
  std::size_t kinds_ = 0;
};

/// Sorts flows, and what they take, into kinds: at first by what each is, then again and again by
/// the kinds that meet there, until no kind falls into two. A kind is a sum of 64-bit hashes, for
/// the order does not count in which they meet.
class Kinds {
 public:
  Kinds(const Plan& plan, const std::vector<Flow>& flows)
      : plan_(plan), flows_(flows), places_(plan.graph.resources.size(), kNone) {
    for (const Flow& flow : flows) {
      const Route& route = plan.route(flow.route);
      const std::uint64_t cap = mixed(route.cap.value_or(kUncapped).value);
      of_flow_.push_back(mixed(flow.size.value) + 3 * cap +
                         5 * mixed(static_cast<std::uint64_t>(flow.weight.eighths)));
      for (const ResourceIndex r : route.resources) place(r);
    }
    std::size_t before = 0;
    for (std::size_t kinds = count(); kinds > before; kinds = count()) {
      before = kinds;
      refine();
    }
  }

  const std::vector<std::uint64_t>& of_flow() const { return of_flow_; }
  std::uint64_t of(ResourceIndex resource) const { return of_resource_[places_[resource]]; }
  /// Resources of each kind.
  Tally resources() const { return Tally(of_resource_); }

 private:
  void place(ResourceIndex resource) {
    std::size_t& at = places_[resource];
    if (at == kNone) {
      at = of_resource_.size();
      of_resource_.push_back(mixed(plan_.resource(resource).capacity.value));
    }
    crossed_.push_back(at);
  }

  void refine() {
    std::vector<std::uint64_t> meet(of_resource_.size(), 0);
    std::size_t first = 0;
    for (std::size_t f = 0; f < flows_.size(); ++f) {
      const std::size_t taken = plan_.route(flows_[f].route).resources.size();
      std::uint64_t kind = 0;
      const auto crossed = std::span(crossed_).subspan(first, taken);
      for (const std::size_t at : crossed) kind += mixed(of_resource_[at]);
      of_flow_[f] = mixed(of_flow_[f] + kind);
      for (const std::size_t at : crossed) meet[at] += mixed(of_flow_[f]);
      first += taken;
    }
    for (std::size_t r = 0; r < meet.size(); ++r)
      of_resource_[r] = mixed(of_resource_[r] + meet[r]);
  }

  std::size_t count() const { return Tally(of_flow_).kinds() + Tally(of_resource_).kinds(); }

  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  const Plan& plan_;
  const std::vector<Flow>& flows_;
  ByResource<std::size_t> places_;    ///< in `of_resource_`; `kNone` of what no flow crosses
  std::vector<std::size_t> crossed_;  ///< places, flow after flow
  std::vector<std::uint64_t> of_flow_;
  std::vector<std::uint64_t> of_resource_;
};

}  // namespace

bool AlikeFlows::are_as_before(const std::vector<Flow>& flows) const {
  if (flows.size() != kind_.size()) return false;
  for (std::size_t f = 0; f < flows.size(); ++f) {
    const Flow& was = before_[f];
    if (flows[f].route != was.route || flows[f].weight != was.weight ||
        flows[f].size != flows[first_[kind_[f]]].size)
      return false;
  }
  return true;
}

void AlikeFlows::sort(const std::vector<Flow>& flows) {
  const Kinds kinds(plan_, flows);
  Tally resources = kinds.resources();
  before_ = flows;
  kind_.clear();
  first_.clear();
  count_.clear();
  few_ = {};
  std::unordered_map<std::uint64_t, ResourceIndex> places;
  const auto place = [&](ResourceIndex resource) {
    const std::uint64_t kind = kinds.of(resource);
    const auto known = places.find(kind);
    if (known != places.end()) return known->second;
    Resource all = plan_.resource(resource);
    all.capacity = all.capacity * resources.of(kind);
    return places.emplace(kind, few_.plan.graph.resources.add(std::move(all))).first->second;
  };
  Tally counts(kinds.of_flow());
  std::unordered_map<std::uint64_t, std::size_t> numbers;
  // In the order in which kinds come, so that the same flows give the same bytes.
  for (std::size_t f = 0; f < flows.size(); ++f) {
    const auto [number, is_new] = numbers.try_emplace(kinds.of_flow()[f], first_.size());
    kind_.push_back(number->second);
    if (!is_new) continue;
    const int count = counts.of(kinds.of_flow()[f]);
    const Flow& one = flows[f];
    first_.push_back(f);
    count_.push_back(count);
    Route route = plan_.route(one.route);
    for (ResourceIndex& resource : route.resources) resource = place(resource);
    if (route.cap) route.cap = *route.cap * count;
    few_.flows.push_back(
        {few_.plan.routes.add(std::move(route)), {}, Weight{one.weight.eighths * count}});
  }
}

const FewFlows& AlikeFlows::of(const std::vector<Flow>& flows) {
  if (!are_as_before(flows)) sort(flows);
  for (std::size_t kind = 0; kind < first_.size(); ++kind)
    few_.flows[kind].size = flows[first_[kind]].size * count_[kind];
  return few_;
}

Seconds AlikeFlows::time_of(const std::vector<Flow>& flows) {
  const FewFlows& few = of(flows);
  return time_together(few.plan, few.flows);
}

}  // namespace gpufeed
