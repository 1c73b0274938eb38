// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/fluid_network.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace gpufeed {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kSameDate = 1e-12;

}  // namespace

int FluidNetwork::add_group(int link) {
  groups.push_back({.link = link});
  group_places_.push_back(kNone);
  return static_cast<int>(groups.size()) - 1;
}

int FluidNetwork::add_link(double capacity) {
  const auto id = static_cast<int>(links.size());
  links.push_back({.capacity = capacity, .group = add_group(id)});
  return id;
}

int FluidNetwork::add_route(std::span<const LinkId> over, double cap, double weight) {
  std::vector<Take> takes;
  for (const LinkId id : over) {
    const auto it = std::ranges::find(takes, id.value, &Take::link);
    if (it == takes.end())
      takes.push_back({id.value, 1});
    else
      it->times += 1;
  }
  Route route;
  route.bundle = bundle_of(std::move(takes), cap / weight);
  route.weight = weight;
  routes.push_back(std::move(route));
  route_places_.push_back(kNone);
  return static_cast<int>(routes.size()) - 1;
}

int FluidNetwork::bundle_of(std::vector<Take> takes, double cap) {
  Way way{.over = {}, .cap = cap};
  way.over.reserve(takes.size());
  for (const Take& take : takes) way.over.emplace_back(take.link, take.times);
  const auto [known, is_new] =
      bundles_known_.try_emplace(std::move(way), static_cast<int>(bundles.size()));
  if (is_new)
    bundles.push_back({.takes = std::move(takes), .cap = cap, .own_group = add_group(kNone)});
  return known->second;
}

bool FluidNetwork::is_due(double date) const { return date <= now * (1 + kSameDate); }

void FluidNetwork::join(int id) {
  Route& joining = route(id);
  joining.clock = 0;
  if (joining.in_group) return begin_again(joining);
  Bundle& into = bundle(joining.bundle);
  joining.place = into.routes.size();
  into.routes.push_back(id);
  if (into.routes.size() > 1) return;
  for (std::size_t i = 0; i < into.takes.size(); ++i) {
    auto& uses = link(into.takes[i].link).uses;
    into.takes[i].use = uses.size();
    uses.push_back({joining.bundle, i});
  }
}

/// Clocks are small where they can be: so is what rounding takes.
void FluidNetwork::begin_again(Route& again) {
  Group& of = group(bundle(again.bundle).group);
  if (of.routes.is_single()) of.clock = of.share = 0;
  again.since = clock_now(of);
}

void FluidNetwork::leave(int id) {
  if (route(id).in_group) quit_group(id);
  Bundle& left = bundle(route(id).bundle);
  const int last = left.routes.back();
  left.routes[route(id).place] = last;
  route(last).place = route(id).place;
  left.routes.pop_back();
  if (!left.routes.empty()) return;
  left.group = kNone;
  for (const Take& take : left.takes) {
    auto& uses = link(take.link).uses;
    uses[take.use] = uses.back();
    const Use& moved = uses[take.use];
    bundle(moved.bundle).takes[moved.take].use = take.use;
    uses.pop_back();
  }
}

double FluidNetwork::received(const Route& of) const {
  if (!of.in_group) return 0;
  return of.weight * (clock_now(group(bundle(of.bundle).group)) - of.since);
}

void FluidNetwork::advance(Route& of) {
  if (!of.in_group) return;
  const double clock = clock_now(group(bundle(of.bundle).group));
  const double bytes = of.weight * (clock - of.since);
  of.clock += bytes;
  of.moved += bytes * of.count();
  of.since = clock;
}

void FluidNetwork::set_share(int id, double share) {
  Group& of = group(id);
  of.clock = clock_now(of);
  of.since = now;
  of.share = share;
  reorder(id);
}

void FluidNetwork::enter(int id, int into) {
  route(id).in_group = true;
  route(id).since = clock_now(group(into));
  bundle(route(id).bundle).group = into;
}

void FluidNetwork::quit_group(int id) {
  const int from = bundle(route(id).bundle).group;
  Group& left = group(from);
  left.routes.remove(id, route_places_);
  route(id).in_group = false;
  if (left.routes.empty()) left.clock = left.share = 0;
  reorder(from);
}

void FluidNetwork::place(int id) {
  Bundle& of = bundle(route(id).bundle);
  if (!route(id).in_group) {
    // Until its rate is found, nothing moves there.
    enter(id, of.group == kNone ? of.own_group : of.group);
  }
  put(id);
  reorder(of.group);
}

Ordered::Key FluidNetwork::key_of(const Route& placed) {
  const auto& [end, number] = placed.flows.first();
  const double left = std::max(0.0, end - placed.clock);
  return {placed.since + left / placed.weight, number};
}

void FluidNetwork::put(int id) {
  const Route& placed = route(id);
  group(bundle(placed.bundle).group).routes.set(id, key_of(placed), route_places_);
}

void FluidNetwork::move(int id, int into) {
  Bundle& moving = bundle(id);
  const int from = moving.group;
  Group& left = group(from);
  for (const int member : moving.routes) {
    advance(route(member));
    route(member).in_group = false;
  }
  left.routes.remove_all(moving.routes, route_places_);
  if (left.routes.empty()) left.clock = left.share = 0;
  reorder(from);
  for (const int member : moving.routes) enter(member, into);
  group(into).routes.add_all(
      moving.routes, [&](int member) { return key_of(route(member)); }, route_places_);
}

/// Its share or first end has changed.
void FluidNetwork::reorder(int id) {
  const Group& moved = group(id);
  if (moved.routes.empty()) return order_.remove(id, group_places_);
  const auto& [end, number] = moved.routes.first_key();
  const double left = end - moved.clock;
  double date = now;
  if (left > 0) date = moved.share > 0 ? moved.since + left / moved.share : kNever;
  order_.set(id, {is_due(date) ? now : date, number}, group_places_);
}

}  // namespace gpufeed
