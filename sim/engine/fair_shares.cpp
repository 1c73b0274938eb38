// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/fair_shares.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sim/base/assert.h"

namespace gpufeed {
namespace {

using Use = FluidNetwork::Use;

/// Shares closer than this, relatively, are one.
constexpr double kSameShare = 1e-12;
constexpr double kNoLimit = std::numeric_limits<double>::infinity();

}  // namespace

void FairShares::find(const std::vector<int>& changed) {
  for (const int id : changed) count_flows(network_.bundle(id));
  const bool alone = std::ranges::all_of(changed, [&](int id) { return fits_alone(id); }) &&
                     std::ranges::all_of(touched_, [&](int id) { return still_alone(id); });
  if (alone)
    share_alone(changed);
  else
    share_all(changed);
  untouch();
}

void FairShares::count_flows(Bundle& bundle) {
  const double more = bundle.weight - bundle.counted;
  bundle.counted = bundle.weight;
  for (const Take& take : bundle.takes) network_.link(take.link).weight += more * take.times;
}

void FairShares::touch(int id) {
  if (!std::exchange(network_.group(id).touched, true)) touched_.push_back(id);
}

void FairShares::untouch() {
  for (const int id : touched_) network_.group(id).touched = false;
  touched_.clear();
}

void FairShares::take_share(Group& group) {
  network_.advance(group);
  group.share = group.new_share;
}

/// The group of that kind that a changed bundle belongs to, or none.
int FairShares::group_alone(const Bundle& bundle) const {
  for (const Take& take : bundle.takes) {
    const int group = network_.link(take.link).group;
    if (network_.group(group).alone) return group;
  }
  return kNone;
}

/// Whether a change concerns such a group and no other bundle.
bool FairShares::fits_alone(int id) {
  Bundle& bundle = network_.bundle(id);
  const int number = group_alone(bundle);
  if (number == kNone) return false;
  if (bundle.group != kNone && bundle.group != number && bundle.group != bundle.own_group)
    return false;
  touch(number);
  if (bundle.weight == 0) return true;
  bundle.new_group = number;
  Group& group = network_.group(number);
  group.most = std::min(group.most, bundle.cap);
  for (const Take& take : bundle.takes) {
    Link& link = network_.link(take.link);
    if (take.link == group.link) continue;
    if (link.uses.size() == 1) link.only = number;
    if (link.only != number) return false;
    group.most = std::min(group.most, link.capacity / link.weight);
  }
  return true;
}

/// Whether its link still is what holds back all of a group.
bool FairShares::still_alone(int id) {
  Group& group = network_.group(id);
  const Link& link = network_.link(group.link);
  if (link.uses.empty()) return false;
  group.new_share = link.capacity / link.weight;
  return group.new_share < group.most * (1 - kSameShare);
}

void FairShares::share_alone(const std::vector<int>& changed) {
  for (const int id : touched_) take_share(network_.group(id));
  for (const int id : changed) {
    const Bundle& bundle = network_.bundle(id);
    if (bundle.weight == 0 || bundle.group == bundle.new_group) continue;
    network_.move(id, bundle.new_group);
  }
  for (const int id : touched_) network_.reorder(id);
}

void FairShares::share_all(const std::vector<int>& changed) {
  untouch();
  near_bundles_.clear();
  near_links_.clear();
  for (const int id : changed) {
    if (!network_.bundle(id).routes.empty()) see_bundle(id);
    for (const Take& take : network_.bundle(id).takes) see_link(take.link);
  }
  gather();
  if (is_by_itself())
    fill_alone(network_.bundle(near_bundles_.front()));
  else
    fill();
  while (takes_from_others()) {
    gather();
    fill();
  }
  for (const int id : near_bundles_) {
    const Bundle& bundle = network_.bundle(id);
    touch(bundle.new_group);
    if (bundle.group != bundle.new_group) network_.move(id, bundle.new_group);
  }
  for (const int id : touched_) take_share(network_.group(id));
  for (const int id : touched_) network_.reorder(id);
  seek_alone();
  for (const int id : near_bundles_) network_.bundle(id).seen = false;
  for (const int id : near_links_) network_.link(id).seen = network_.link(id).short_of = false;
}

/// The bundles that changes concern, and their links: those under a link that holds any of them
/// back. Others keep their rates.
void FairShares::gather() {
  std::size_t bundles = 0, links = 0;
  while (bundles < near_bundles_.size() || links < near_links_.size()) {
    for (; bundles < near_bundles_.size(); ++bundles)
      for (const Take& take : network_.bundle(near_bundles_[bundles]).takes) see_link(take.link);
    for (; links < near_links_.size(); ++links) {
      const Link& link = network_.link(near_links_[links]);
      if (network_.group(link.group).routes.empty() && !link.short_of) continue;
      for (const Use& use : link.uses) see_bundle(use.bundle);
    }
  }
}

bool FairShares::is_by_itself() const {
  return near_bundles_.size() == 1 && std::ranges::all_of(near_links_, [&](int id) {
           return network_.link(id).uses.size() == 1;
         });
}

/// The rate of a bundle that shares no link.
void FairShares::fill_alone(Bundle& bundle) {
  double share = bundle.cap;
  for (const Take& take : bundle.takes) {
    Link& link = network_.link(take.link);
    share = std::min(share, link.capacity / link.weight);
    link.binds = false;
  }
  bundle.new_group = bundle.own_group;
  network_.group(bundle.own_group).new_share = share;
}

/// Whether a link holds back near bundles now and gives others more; these are then near, too.
bool FairShares::takes_from_others() {
  bool any = false;
  for (const int id : near_links_) {
    Link& link = network_.link(id);
    if (link.short_of || !link.binds) continue;
    const double share = network_.group(link.group).new_share;
    for (const Use& use : link.uses) {
      const Bundle& bundle = network_.bundle(use.bundle);
      if (bundle.seen || network_.group(bundle.group).share <= share * (1 + kSameShare)) continue;
      link.short_of = any = true;
      break;
    }
  }
  return any;
}

/// What a link can give the near bundles.
void FairShares::open(Link& link) {
  link.binds = false;
  link.left = link.capacity;
  link.wanted = link.weight;
  for (const Use& use : link.uses) {
    const Bundle& bundle = network_.bundle(use.bundle);
    if (bundle.seen) continue;
    const double weight = bundle.weight_on(bundle.takes[use.take]);
    link.left -= weight * network_.group(bundle.group).share;
    link.wanted -= weight;
  }
}

void FairShares::see_bundle(int id) {
  if (!std::exchange(network_.bundle(id).seen, true)) near_bundles_.push_back(id);
}

void FairShares::see_link(int id) {
  Link& link = network_.link(id);
  if (!link.uses.empty() && !std::exchange(link.seen, true)) near_links_.push_back(id);
}

/// Max-min fairness by filling: the limit that gives least for a unit of weight binds all that are
/// under it. A share never sinks while others are fixed, so limits come from a heap.
void FairShares::fill() {
  constraints_.clear();
  for (const int id : near_links_) {
    Link& link = network_.link(id);
    open(link);
    if (link.wanted > 0)
      constraints_.push_back({std::max(0.0, link.left) / link.wanted, id, kNone});
  }
  for (const int id : near_bundles_) {
    Bundle& bundle = network_.bundle(id);
    bundle.new_group = kNone;
    if (std::isfinite(bundle.cap)) constraints_.push_back({bundle.cap, kNone, id});
  }
  std::make_heap(constraints_.begin(), constraints_.end());
  for (std::size_t found = 0; found < near_bundles_.size();) found += apply_least();
}

/// \return how many bundles it bound
std::size_t FairShares::apply_least() {
  GPUFEED_ASSERT(!constraints_.empty(), "every bundle is under a link");
  std::pop_heap(constraints_.begin(), constraints_.end());
  const Constraint least = constraints_.back();
  constraints_.pop_back();
  if (least.link == kNone) {
    Bundle& bundle = network_.bundle(least.bundle);
    if (bundle.new_group != kNone) return 0;
    bind(bundle, least.share, bundle.own_group);
    return 1;
  }
  Link& link = network_.link(least.link);
  if (link.wanted <= 0) return 0;
  const double share = std::max(0.0, link.left) / link.wanted;
  if (share > least.share * (1 + kSameShare)) {
    constraints_.push_back({share, least.link, kNone});
    std::push_heap(constraints_.begin(), constraints_.end());
    return 0;
  }
  std::size_t bound = 0;
  for (const Use& use : link.uses) {
    Bundle& bundle = network_.bundle(use.bundle);
    if (!bundle.seen || bundle.new_group != kNone) continue;
    bind(bundle, least.share, link.group);
    ++bound;
  }
  link.binds = true;
  return bound;
}

void FairShares::bind(Bundle& bundle, double share, int group) {
  bundle.new_group = group;
  network_.group(group).new_share = share;
  for (const Take& take : bundle.takes) {
    const double weight = bundle.weight_on(take);
    network_.link(take.link).left -= weight * share;
    network_.link(take.link).wanted -= weight;
  }
}

/// Which links alone hold their bundles back, so that the next change there is a small one.
void FairShares::seek_alone() {
  constexpr std::size_t kMany = 8;  // fewer are shared anew as fast
  const bool many = near_bundles_.size() >= kMany;
  for (const int id : near_links_) {
    Link& link = network_.link(id);
    const int before = link.only;
    link.only = many ? network_.bundle(link.uses.front().bundle).group : kNone;
    for (const Use& use : link.uses)
      if (network_.bundle(use.bundle).group != link.only) link.only = kNone;
    if (before != kNone && before != link.only) network_.group(before).alone = false;
    Group& group = network_.group(link.group);
    group.alone = link.only == link.group;
    group.most = kNoLimit;
  }
  if (!many) return;
  for (const int id : near_bundles_) bound_alone(network_.bundle(id));
}

void FairShares::bound_alone(const Bundle& bundle) {
  Group& group = network_.group(bundle.group);
  if (!group.alone) return;
  group.most = std::min(group.most, bundle.cap);
  for (const Take& take : bundle.takes) {
    const Link& link = network_.link(take.link);
    if (take.link == group.link) continue;
    group.alone = group.alone && link.only == bundle.group;
    group.most = std::min(group.most, link.capacity / link.weight);
  }
}

}  // namespace gpufeed
