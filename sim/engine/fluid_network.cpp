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
  Route route;
  route.cap = cap;
  route.weight = weight;
  route.own_group = add_group(kNone);
  for (const LinkId id : over) {
    const auto it = std::ranges::find(route.takes, id.value, &Take::link);
    if (it == route.takes.end())
      route.takes.push_back({id.value, 1});
    else
      it->times += 1;
  }
  routes.push_back(std::move(route));
  route_places_.push_back(kNone);
  return static_cast<int>(routes.size()) - 1;
}

bool FluidNetwork::is_due(double date) const { return date <= now * (1 + kSameDate); }

void FluidNetwork::join_links(int id) {
  Route& joining = route(id);
  joining.clock = 0;
  for (std::size_t i = 0; i < joining.takes.size(); ++i) {
    auto& uses = link(joining.takes[i].link).uses;
    joining.takes[i].use = uses.size();
    uses.push_back({id, i});
  }
}

void FluidNetwork::leave_links(int id) {
  for (const Take& take : route(id).takes) {
    auto& uses = link(take.link).uses;
    uses[take.use] = uses.back();
    const Use& moved = uses[take.use];
    route(moved.route).takes[moved.take].use = take.use;
    uses.pop_back();
  }
}

double FluidNetwork::received(const Route& of) const {
  if (of.group == kNone) return 0;
  return of.weight * (clock_now(group(of.group)) - of.since);
}

void FluidNetwork::advance(Route& of) {
  const double bytes = received(of);
  of.clock += bytes;
  of.moved += bytes * of.count();
  if (of.group != kNone) of.since = clock_now(group(of.group));
}

void FluidNetwork::advance(Group& of) {
  of.clock = clock_now(of);
  of.since = now;
}

void FluidNetwork::enter(int id, int into) {
  Route& entering = route(id);
  entering.group = into;
  entering.since = clock_now(group(into));
  place(id);
}

void FluidNetwork::leave(int id) {
  Route& leaving = route(id);
  Group& left = group(leaving.group);
  left.routes.remove(id, route_places_);
  if (left.routes.empty()) {
    left.clock = left.share = 0;
    left.alone = false;
  }
  reorder(std::exchange(leaving.group, kNone));
}

void FluidNetwork::place(int id) {
  const Route& placed = route(id);
  const Flow& first = placed.flows.top();
  const double left = std::max(0.0, first.end - placed.clock);
  group(placed.group)
      .routes.set(id, {placed.since + left / placed.weight, first.number}, route_places_);
}

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
