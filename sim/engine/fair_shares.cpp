// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/fair_shares.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/base/assert.h"

namespace gpufeed {
namespace {

using Use = FluidNetwork::Use;

/// Shares closer than this, relatively, are one.
constexpr double kSameShare = 1e-12;

}  // namespace

void FairShares::find(const std::vector<int>& changed) {
  crowds_.grow();
  near_bundles_.clear();
  near_links_.clear();
  gathered_bundles_ = gathered_links_ = 0;
  for (const int id : changed) {
    const Bundle& bundle = network_.bundle(id);
    if (is_alone(bundle)) {
      share_alone(id);
      continue;
    }
    if (bundle.routes.empty())
      crowds_.take_out(id);
    else
      see_bundle(id);
    for (const Take& take : bundle.takes) see_link(take.link);
  }
  if (near_links_.empty()) return;
  gather();
  fill_near();
  apply();
}

bool FairShares::is_alone(const Bundle& bundle) const {
  const std::size_t own = bundle.routes.empty() ? 0 : 1;
  return std::ranges::all_of(
      bundle.takes, [&](const Take& take) { return network_.link(take.link).uses.size() == own; });
}

/// The rate of a bundle that shares no link. It stays out of the crowds until another comes.
void FairShares::share_alone(int id) {
  Bundle& bundle = network_.bundle(id);
  crowds_.take_out(id);
  if (bundle.routes.empty()) return end_alone(id);
  double share = bundle.cap;
  for (const Take& take : bundle.takes)
    share = std::min(share, network_.link(take.link).capacity / bundle.weight_on(take));
  if (!bundle.alone) {
    bundle.alone = true;
    for (const Take& take : bundle.takes) network_.link(take.link).alone = id;
  }
  if (bundle.group != bundle.own_group) network_.move(id, bundle.own_group);
  network_.set_share(bundle.own_group, share);
}

void FairShares::end_alone(int id) {
  Bundle& bundle = network_.bundle(id);
  if (!std::exchange(bundle.alone, false)) return;
  for (const Take& take : bundle.takes) network_.link(take.link).alone = kNone;
}

void FairShares::see_bundle(int id) {
  if (std::exchange(network_.bundle(id).seen, true)) return;
  near_bundles_.push_back(id);
  end_alone(id);
  crowds_.take_out(id);
}

void FairShares::see_link(int id) {
  Link& link = network_.link(id);
  if (std::exchange(link.seen, true)) return;
  near_links_.push_back(id);
  if (link.alone == kNone) return;
  const int alone = link.alone;
  end_alone(alone);
  if (!network_.bundle(alone).routes.empty() && !network_.bundle(alone).seen) crowds_.put_in(alone);
}

/// The bundles that changes concern, and their links; under a link that holds any back, all. Others
/// keep their rates, or that of their crowd.
void FairShares::gather() {
  while (gathered_bundles_ < near_bundles_.size() || gathered_links_ < near_links_.size()) {
    for (; gathered_bundles_ < near_bundles_.size(); ++gathered_bundles_) {
      const int id = near_bundles_[gathered_bundles_];
      const auto& takes = network_.bundle(id).takes;
      for (std::size_t i = 0; i < takes.size(); ++i) {
        see_link(takes[i].link);
        network_.link(takes[i].link).near.push_back({id, i});
      }
    }
    for (; gathered_links_ < near_links_.size(); ++gathered_links_)
      gather_under(near_links_[gathered_links_]);
  }
}

void FairShares::gather_under(int id) {
  const Link& link = network_.link(id);
  if (crowds_.is_wide(id)) {
    // Links that hold others back beside the crowd give these what it leaves.
    auto& limits = crowds_.crowd_at(id).limits;
    while (!limits.empty() && limits.first_key().date <= 0) {
      const int crossing = limits.first();
      crowds_.forget_limit(crossing);
      see_link(crowds_.crossing(crossing).link);
    }
    return;
  }
  const bool widens = crowds_.should_widen(id);
  if (widens || !network_.group(link.group).routes.empty())
    for (const Use& use : link.uses) see_bundle(use.bundle);
  if (widens) crowds_.widen(id);
}

/// Whom the shares found disturb, and who limits those of crowds, is near, too.
void FairShares::fill_near() {
  while (!fill() || disturbs_others()) gather();
}

/// What a link can give near bundles and crowds.
void FairShares::open(int id) {
  Link& link = network_.link(id);
  link.binds = false;
  link.left = link.capacity - crowds_.given(id);
  link.wanted = 0;
  for (const int c : crowds_.crossings(id)) {
    const Crowds::Crossing& crossing = crowds_.crossing(c);
    Crowds::Crowd& crowd = crowds_.crowd(crossing.crowd);
    if (is_near(crowd)) {
      link.wanted += crossing.weight;
      crowd.near.push_back(c);
    } else {
      link.left -= crossing.weight * crowds_.share(crowd);
    }
  }
  for (const Use& use : link.near) {
    const Bundle& bundle = network_.bundle(use.bundle);
    link.wanted += bundle.weight_on(bundle.takes[use.take]);
  }
  if (link.wanted > 0) constraints_.push_back({std::max(0.0, link.left) / link.wanted, id, kNone});
}

/// Max-min fairness by filling: the limit that gives least for a unit of weight binds all that are
/// under it. A share never sinks while others are fixed, so limits come from a heap.
/// \return false: more bundles have become near
bool FairShares::fill() {
  near_crowds_.clear();
  for (const int id : near_links_) {
    if (!crowds_.is_wide(id)) continue;
    Crowds::Crowd& crowd = crowds_.crowd_at(id);
    crowd.near.clear();
    crowd.found = crowd.bundles == 0;
    if (!crowd.found) near_crowds_.push_back(id);
  }
  constraints_.clear();
  for (const int id : near_links_) open(id);
  for (const int id : near_bundles_) {
    Bundle& bundle = network_.bundle(id);
    bundle.new_group = kNone;
    if (std::isfinite(bundle.cap)) constraints_.push_back({bundle.cap, kNone, id});
  }
  std::make_heap(constraints_.begin(), constraints_.end());
  const std::size_t all = near_bundles_.size() + near_crowds_.size();
  for (std::size_t found = 0; found < all;)
    if (!apply_least(found)) return false;
  return true;
}

/// \param found  how many bundles and crowds have a share: those that it binds are added
/// \return false: more bundles have become near
bool FairShares::apply_least(std::size_t& found) {
  GPUFEED_ASSERT(!constraints_.empty(), "every bundle is under a link");
  std::pop_heap(constraints_.begin(), constraints_.end());
  const Constraint least = constraints_.back();
  constraints_.pop_back();
  if (least.link == kNone) {
    Bundle& bundle = network_.bundle(least.bundle);
    if (bundle.new_group != kNone) return true;
    bind(bundle, least.share, bundle.own_group);
    ++found;
    return true;
  }
  Link& link = network_.link(least.link);
  if (link.wanted <= 0) return true;
  const double share = std::max(0.0, link.left) / link.wanted;
  if (share > least.share * (1 + kSameShare)) {
    constraints_.push_back({share, least.link, kNone});
    std::push_heap(constraints_.begin(), constraints_.end());
    return true;
  }
  return apply_link(least.link, least.share, found);
}

bool FairShares::apply_link(int id, double share, std::size_t& found) {
  Link& link = network_.link(id);
  bool pulled = false;
  for (const int c : crowds_.crossings(id)) {
    const Crowds::Crossing& crossing = crowds_.crossing(c);
    const Crowds::Crowd& crowd = crowds_.crowd(crossing.crowd);
    if (crowd.link == id || crossing.bundles == 0 || !is_near(crowd) || crowd.found) continue;
    pull(id, crossing.crowd);
    pulled = true;
  }
  if (pulled) return false;
  if (crowds_.is_wide(id) && !crowds_.crowd_at(id).found) {
    bind_crowd(crowds_.crowd_at(id), share);
    ++found;
  }
  for (const Use& use : link.near) {
    Bundle& bundle = network_.bundle(use.bundle);
    if (bundle.new_group != kNone) continue;
    bind(bundle, share, link.group);
    ++found;
  }
  link.binds = true;
  return true;
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

void FairShares::bind_crowd(Crowds::Crowd& crowd, double share) {
  crowd.found = true;
  network_.group(network_.link(crowd.link).group).new_share = share;
  for (const int c : crowd.near) {
    const Crowds::Crossing& crossing = crowds_.crossing(c);
    Link& link = network_.link(crossing.link);
    link.left -= crossing.weight * share;
    link.wanted -= crossing.weight;
  }
}

/// Those of a crowd that cross a link are near by themselves.
void FairShares::pull(int link, int crowd) {
  for (const Use& use : network_.link(link).uses)
    if (crowds_.is_in_crowd(use.bundle, crowd)) see_bundle(use.bundle);
}

bool FairShares::disturbs_others() {
  bool any = false;
  for (const int id : near_crowds_) any = leave_crowd(id) || any;
  const std::size_t links = near_links_.size();
  for (std::size_t i = 0; i < links; ++i) any = takes_from_others(near_links_[i]) || any;
  return any;
}

/// Whether other limits than its link are in the way of a crowd's share: these are then near.
bool FairShares::leave_crowd(int id) {
  Crowds::Crowd& crowd = crowds_.crowd_at(id);
  const double share = network_.group(network_.link(id).group).new_share;
  bool any = false;
  while (!crowd.caps.empty() && crowd.caps.first_key().date < share * (1 - kSameShare)) {
    see_bundle(crowd.caps.first());
    any = true;
  }
  while (!crowd.limits.empty() && crowd.limits.first_key().date < share) {
    const int crossing = crowd.limits.first();
    crowds_.forget_limit(crossing);
    const int limiting = crowds_.crossing(crossing).link;
    any = any || !network_.link(limiting).seen;
    see_link(limiting);
  }
  return any;
}

/// Whether a link holds back near bundles now and gives others more; these are then near, too.
bool FairShares::takes_from_others(int id) {
  const Link& link = network_.link(id);
  if (!link.binds) return false;
  const double share = network_.group(link.group).new_share * (1 + kSameShare);
  bool any = false;
  for (const int c : crowds_.crossings(id)) {
    const Crowds::Crossing& crossing = crowds_.crossing(c);
    const Crowds::Crowd& crowd = crowds_.crowd(crossing.crowd);
    if (crossing.bundles == 0 || is_near(crowd) || crowds_.share(crowd) <= share) continue;
    pull(id, crossing.crowd);
    any = true;
  }
  return takes_from_guests(id, share) || any;
}

bool FairShares::takes_from_guests(int id, double share) {
  bool any = false;
  if (crowds_.is_wide(id)) {
    auto& guests = crowds_.crowd_at(id).guests;
    while (!guests.empty() && -guests.first_key().date > share) {
      see_bundle(crowds_.bundle_of(guests.first()));
      any = true;
    }
    return any;
  }
  for (const Use& use : network_.link(id).uses) {
    const Bundle& bundle = network_.bundle(use.bundle);
    if (!crowds_.is_in_crowd(use.bundle, kNone) || network_.group(bundle.group).share <= share)
      continue;
    see_bundle(use.bundle);
    any = true;
  }
  return any;
}

void FairShares::touch(int id) {
  if (!std::exchange(network_.group(id).touched, true)) touched_.push_back(id);
}

/// Gives all their new shares.
void FairShares::apply() {
  for (const int id : near_bundles_) {
    const Bundle& bundle = network_.bundle(id);
    touch(bundle.new_group);
    if (bundle.group != bundle.new_group) network_.move(id, bundle.new_group);
  }
  for (const int id : near_crowds_) touch(network_.link(id).group);
  near_crowds_.clear();
  for (const int id : touched_) {
    network_.set_share(id, network_.group(id).new_share);
    network_.group(id).touched = false;
  }
  touched_.clear();
  for (const int id : near_bundles_) {
    crowds_.put_in(id);
    network_.bundle(id).seen = false;
  }
  for (const int id : near_links_) {
    crowds_.renew_limits(id);
    network_.link(id).seen = false;
    network_.link(id).near.clear();
  }
}

}  // namespace gpufeed
