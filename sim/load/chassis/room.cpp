// SPDX-License-Identifier: Apache-2.0
#include "sim/load/chassis/room.h"

#include <algorithm>
#include <cmath>

#include "sim/load/chassis/advice.h"
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

std::string other_chassis(const Request& request, const Chosen<Gpu>& gpus) {
  return chassis_for(request, gpus);
}
std::string other_chassis(const Request&, const Chosen<Nic>&) { return ""; }
std::string other_chassis(const Request&, const Chosen<Drive>&) { return ""; }

template <class Product>
std::string parts_that_fit(const Request& request, const Slots& slots, const Product& asked) {
  return such_as<Product>(request.reader.catalog(),
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
  const auto& [system, place, chassis, reader, out] = request;
  const Ref<Product>& model = asked.model;
  const auto fit = [&](const Slot& slot) { return fits(slot, *model); };
  if (!slots.has(fit)) {
    const std::string others = parts_that_fit(request, slots, *model);
    out.error(model.where, "{}.{}: {}{}", place, key_of(*model), misfit(chassis, *model),
              others.empty() ? "; leave it out" : "; take one that fits" + others);
    return false;
  }
  const std::int64_t each = each_slot(*model);
  const std::int64_t needed = asked.count / each;
  const std::int64_t free = slots.free(fit);
  if (free >= needed) return true;
  const std::int64_t others = slots.count(fit) - free;
  const std::int64_t below = slots.below_empty_sockets(fit);
  std::string why;
  if (others > 0) why += fmt::format(", as other parts hold {}", others);
  if (below > 0) why += fmt::format(", as {} more hang on sockets without a CPU", below);
  std::string repair = free > 0 ? fmt::format("take {}", free * each) : "leave them out";
  if (below > 0 && free + below >= needed) repair += fmt::format(", or {} CPUs", chassis.sockets);
  repair += other_chassis(request, asked);
  out.error(model.where, "{}.{}: {} has room for {} of {}{}, and {} are asked for; {}", place,
            key_of(*model), chassis.name, free * each, model.name, why, asked.count, repair);
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

std::string chassis_for(const Request& request, const Chosen<Gpu>& gpus) {
  const std::int64_t boards = gpus.count / gpus.model->dies_per_board;
  const std::string text = such_as<Chassis>(
      request.reader.catalog(), [&](const Chassis& other) -> std::optional<double> {
        std::int64_t room = 0;
        bool together = false;
        for (const auto& slot : other.slots)
          if (fits(slot, *gpus.model)) room += slot.count, together = together || slot.together;
        if (room < boards || (together && room != boards)) return {};
        // Of as much room, the newest.
        return static_cast<double>(room - boards) -
               static_cast<double>(other.released.value_or(0)) / 1e4;
      });
  return text.empty() ? "" : ", or another chassis" + text;
}

}  // namespace gpufeed
