// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/crowds.h"

#include <algorithm>
#include <cmath>

namespace gpufeed {
namespace {

/// Bundles on a link, from which on they are counted together.
constexpr std::size_t kMany = 16;

}  // namespace

/// Knuth's TwoSum.
void Crowds::Sum::add(double number) {
  const double sum = value + number;
  const double added = sum - value;
  rest += (value - (sum - added)) + (number - added);
  value = sum;
}

void Crowds::grow() {
  if (links_.size() == network_.links.size() && placed_.size() == network_.bundles.size()) return;
  links_.resize(network_.links.size());
  for (auto b = placed_.size(); b < network_.bundles.size(); ++b) {
    placed_.push_back({.first_take = static_cast<int>(bundle_of_take_.size())});
    bundle_of_take_.insert(bundle_of_take_.end(), network_.bundles[b].takes.size(),
                           static_cast<int>(b));
  }
  cap_places_.resize(placed_.size(), kNone);
  guest_places_.resize(bundle_of_take_.size(), kNone);
}

bool Crowds::should_widen(int link) const {
  return !is_wide(link) && network_.link(link).uses.size() >= kMany;
}

void Crowds::widen(int link) {
  of(link).crowd = static_cast<int>(crowds_.size());
  crowds_.push_back({.link = link});
}

int Crowds::new_crossing(int link, int crowd) {
  int id = static_cast<int>(crossings_.size());
  if (unused_.empty()) {
    crossings_.emplace_back();
    limit_places_.push_back(kNone);
  } else {
    id = unused_.back();
    unused_.pop_back();
  }
  crossings_[static_cast<std::size_t>(id)] = {.link = link, .crowd = crowd};
  of(link).crossings.push_back(id);
  return id;
}

Crowds::Crossing& Crowds::crossing_of(int link, int crowd) {
  for (const int id : of(link).crossings)
    if (crossing(id).crowd == crowd) return crossings_[static_cast<std::size_t>(id)];
  return crossings_[static_cast<std::size_t>(new_crossing(link, crowd))];
}

void Crowds::take_out(int id) {
  Placed& placed = placed_[static_cast<std::size_t>(id)];
  if (!placed.in) return;
  placed.in = false;
  int take_id = placed.first_take;
  for (const auto& take : network_.bundle(id).takes) {
    const double weight = placed.weight * take.times;
    if (placed.crowd != kNone) {
      Crossing& crossing = crossing_of(take.link, placed.crowd);
      crossing.weight -= weight;
      --crossing.bundles;
    } else {
      OfLink& link = of(take.link);
      link.given.add(-weight * placed.share);
      if (link.crowd != kNone) crowd(link.crowd).guests.remove(take_id, guest_places_);
    }
    ++take_id;
  }
  if (placed.crowd == kNone) return;
  Crowd& left = crowd(placed.crowd);
  left.caps.remove(id, cap_places_);
  --left.bundles;
}

void Crowds::put_in(int id) {
  const auto& bundle = network_.bundle(id);
  const auto& group = network_.group(bundle.group);
  Placed& placed = placed_[static_cast<std::size_t>(id)];
  placed.in = true;
  placed.crowd = group.link == kNone ? kNone : of(group.link).crowd;
  placed.share = group.share;
  placed.weight = bundle.weight;
  int take_id = placed.first_take;
  for (const auto& take : bundle.takes) {
    const double weight = bundle.weight_on(take);
    if (placed.crowd != kNone) {
      Crossing& crossing = crossing_of(take.link, placed.crowd);
      crossing.weight += weight;
      ++crossing.bundles;
    } else {
      OfLink& link = of(take.link);
      link.given.add(weight * placed.share);
      if (link.crowd != kNone)
        crowd(link.crowd)
            .guests.set(take_id, {-placed.share, static_cast<std::uint64_t>(take_id)},
                        guest_places_);
    }
    ++take_id;
  }
  if (placed.crowd == kNone) return;
  Crowd& joined = crowd(placed.crowd);
  ++joined.bundles;
  if (std::isfinite(bundle.cap))
    joined.caps.set(id, {bundle.cap, static_cast<std::uint64_t>(id)}, cap_places_);
}

void Crowds::forget_limit(int id) { crowd(crossing(id).crowd).limits.remove(id, limit_places_); }

void Crowds::drop_empty(int link) {
  std::erase_if(of(link).crossings, [&](int id) {
    if (crossing(id).bundles > 0) return false;
    forget_limit(id);
    unused_.push_back(id);
    return true;
  });
}

/// What is left is divided among crowds in proportion to what they take: while each stays within
/// its part, so do all.
void Crowds::renew_limits(int id) {
  drop_empty(id);
  if (of(id).crossings.empty()) return;
  const auto& link = network_.link(id);
  const bool holds = !network_.group(link.group).routes.empty();
  double taken = 0;
  for (const int c : of(id).crossings)
    taken += crossing(c).weight * share(crowd(crossing(c).crowd));
  const double more = holds ? -1 : (link.capacity - given(id) - taken) / taken;
  for (const int c : of(id).crossings) {
    Crowd& crossed_by = crowd(crossing(c).crowd);
    if (crossed_by.link == id) continue;
    const double limit = std::max(0.0, share(crossed_by) * (1 + more));
    crossed_by.limits.set(c, {limit, static_cast<std::uint64_t>(c)}, limit_places_);
  }
}

}  // namespace gpufeed
