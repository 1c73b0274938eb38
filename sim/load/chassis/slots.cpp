// SPDX-License-Identifier: Apache-2.0
#include "sim/load/chassis/slots.h"

#include "sim/base/labels/label_text.h"

#include <algorithm>
#include <map>

namespace gpufeed {

Slots::Slots(const Chassis& chassis, std::int64_t sockets) {
  std::map<std::string, std::size_t> order;
  std::map<std::string, std::string> root;
  for (std::int64_t i = 0; i < chassis.sockets; ++i) {
    const std::string id = "cpu" + std::to_string(i);
    order.emplace(id, order.size());
    if (i < sockets) root[id] = id;
  }
  for (const auto& part : chassis.switches) {
    order.emplace(text_of(part.id), order.size());
    if (const auto above = root.find(text_of(part.at.id)); above != root.end())
      root[text_of(part.id)] = above->second;
  }
  for (const auto& group : chassis.slots) {
    groups_.push_back(&group);
    for (std::int64_t i = 0; i < group.count && !group.at.empty(); ++i) {
      const std::string& at = text_of(group.at[static_cast<std::size_t>(i) % group.at.size()].id);
      if (const auto below = root.find(at); below != root.end())
        positions_.push_back(
            {&group, at, order[at], static_cast<std::size_t>(i), below->second, false, false});
      else
        empty_.push_back(&group);
    }
  }
}

bool Slots::has(const Fits& fits) const {
  return std::ranges::any_of(groups_, [&](const Slot* group) { return fits(*group); });
}

std::int64_t Slots::count(const Fits& fits) const {
  return std::ranges::count_if(positions_, [&](const Position& one) { return fits(*one.group); });
}

std::int64_t Slots::free(const Fits& fits) const {
  return std::ranges::count_if(positions_,
                               [&](const Position& one) { return !one.taken && fits(*one.group); });
}

std::int64_t Slots::below_empty_sockets(const Fits& fits) const {
  return std::ranges::count_if(empty_, [&](const Slot* group) { return fits(*group); });
}

std::vector<Position*> Slots::take(std::int64_t count, const Fits& fits, const Rank& rank) {
  std::vector<Position*> chosen;
  for (auto& one : positions_)
    if (!one.taken && fits(*one.group)) chosen.push_back(&one);
  // Pointers into one vector: their order is that of groups and turns.
  std::ranges::sort(chosen, [&](const Position* a, const Position* b) {
    const int first = rank(*a), second = rank(*b);
    return first != second ? first < second : a < b;
  });
  if (static_cast<std::int64_t>(chosen.size()) > count)
    chosen.resize(static_cast<std::size_t>(count));
  std::ranges::sort(chosen, [&](const Position* a, const Position* b) {
    if (a->group != b->group) return a->group < b->group;
    return a->order != b->order ? a->order < b->order : a->turn < b->turn;
  });
  for (auto* one : chosen) one->taken = true;
  return chosen;
}

bool Slots::has_gpu_at(const std::string& place) const {
  return std::ranges::any_of(positions_,
                             [&](const Position& one) { return one.holds_gpu && one.at == place; });
}

bool Slots::has_gpu_below(const std::string& root) const {
  return std::ranges::any_of(
      positions_, [&](const Position& one) { return one.holds_gpu && one.root == root; });
}

}  // namespace gpufeed
