// SPDX-License-Identifier: Apache-2.0
#include "sim/load/chassis/room.h"

#include <algorithm>
#include <cmath>

#include "sim/load/chassis/advice.h"
#include "sim/load/chassis/asked.h"
#include "sim/load/chassis/fits.h"

namespace gpufeed {
namespace {

/// The key that asks for a part.
std::string_view key_of(const Gpu&) { return "gpu"; }
std::string_view key_of(const Nic&) { return "nics"; }
std::string_view key_of(const Drive&) { return "drives"; }

/// How many of a part are in one slot.
std::int64_t each_slot(const Gpu& gpu) { return gpu.dies_per_board; }
std::int64_t each_slot(const Nic&) { return 1; }
std::int64_t each_slot(const Drive&) { return 1; }

/// What is alike decides which part is near.
double size_of(const Gpu& gpu) { return gpu.memory.value; }
double size_of(const Nic& nic) { return nic.port_bandwidth.value * static_cast<double>(nic.ports); }
double size_of(const Drive& drive) { return drive.capacity.value; }

/// Where there is a GPU board, cards are no substitute for its modules.
bool is_main(const Chassis& chassis, const Slot& slot, const Gpu&) {
  return slot.takes == SlotKind::module ||
         std::ranges::count(chassis.slots, SlotKind::module, &Slot::takes) == 0;
}
bool is_main(const Chassis&, const Slot&, const Nic&) { return true; }
bool is_main(const Chassis&, const Slot&, const Drive&) { return true; }

Names other_chassis(const Request& request, const Chosen<Gpu>& gpus) {
  return chassis_for(request, gpus);
}
Names other_chassis(const Request&, const Chosen<Nic>&) { return {}; }
Names other_chassis(const Request&, const Chosen<Drive>&) { return {}; }

template <class Product>
Names parts_that_fit(const Request& request, const Slots& slots, const Product& asked) {
  return nearest_entries<Product>(request.reader.catalog(),
                                  [&](const Product& other) -> std::optional<double> {
                                    const bool known = slots.has([&](const Slot& slot) {
                                      return fits(slot, other) && unsaid(slot, other).empty() &&
                                             is_main(request.chassis, slot, other);
                                    });
                                    if (!known) return {};
                                    return std::abs(std::log(size_of(other) / size_of(asked)));
                                  });
}

template <class Product>
bool check_room(const Request& request, const Slots& slots, const Chosen<Product>& asked) {
  const Chassis& chassis = request.chassis;
  const Ref<Product>& model = asked.model;
  const std::string_view key = key_of(*model);
  const auto fit = [&](const Slot& slot) { return fits(slot, *model); };
  if (!slots.has(fit)) {
    const Names others = parts_that_fit(request, slots, *model);
    Problem& problem = request.refuse(
        key, model.where, ": {}{}", misfit(chassis, *model),
        others.empty() ? "; leave it out" : "; take one that fits" + such_as(others));
    add_products(problem, request, key, model.name, asked.count, others);
    if (others.empty()) add_count(problem, request, key, model.name, 0);
    return false;
  }
  const std::int64_t each = each_slot(*model);
  const std::int64_t needed = asked.count / each;
  const std::int64_t free = slots.free(fit);
  if (free >= needed) return true;
  const std::int64_t others = slots.count(fit) - free;
  const std::int64_t below = slots.below_empty_sockets(fit);
  const bool more_cpus = below > 0 && free + below >= needed;
  const auto cpus = asked_for(request, "cpu");
  const Names other_homes = other_chassis(request, asked);
  std::string why;
  if (others > 0) why += fmt::format(", as other parts hold {}", others);
  if (below > 0) why += fmt::format(", as {} more hang on sockets without a CPU", below);
  std::string repair = free > 0 ? fmt::format("take {}", free * each) : "leave them out";
  if (more_cpus) repair += fmt::format(", or {} CPUs", chassis.sockets);
  repair += or_another_chassis(other_homes);
  Problem& problem =
      request.refuse(key, model.where, ": {} has room for {} of {}{}, and {} are asked for; {}",
                     chassis.name, free * each, model.name, why, asked.count, repair);
  add_count(problem, request, key, model.name, free * each);
  if (more_cpus && cpus.size() == 1)
    add_count(problem, request, "cpu", cpus.front().what, chassis.sockets);
  add_chassis(problem, request, other_homes);
  return false;
}

}  // namespace

bool has_room(const Request& request, const Slots& slots, const Chosen<Gpu>& gpus) {
  return check_room(request, slots, gpus);
}

bool has_room(const Request& request, const Slots& slots, const Chosen<Nic>& nics) {
  return check_room(request, slots, nics);
}

bool has_room(const Request& request, const Slots& slots, const Chosen<Drive>& drives) {
  return check_room(request, slots, drives);
}

Names chassis_for(const Request& request, const Chosen<Gpu>& gpus) {
  const std::int64_t boards = gpus.count / gpus.model->dies_per_board;
  return nearest_entries<Chassis>(request.reader.catalog(),
                                  [&](const Chassis& other) -> std::optional<double> {
                                    std::int64_t room = 0;
                                    bool together = false;
                                    for (const auto& slot : other.slots)
                                      if (fits(slot, *gpus.model))
                                        room += slot.count, together = together || slot.together;
                                    if (room < boards || (together && room != boards)) return {};
                                    // Of as much room, the newest.
                                    return static_cast<double>(room - boards) -
                                           static_cast<double>(other.released.value_or(0)) / 1e4;
                                  });
}

std::string or_another_chassis(const Names& chassis) {
  return chassis.empty() ? "" : ", or another chassis" + such_as(chassis);
}

}  // namespace gpufeed
