// SPDX-License-Identifier: Apache-2.0
#include "sim/load/chassis/place.h"

#include <algorithm>
#include <array>

#include "sim/load/chassis/advice.h"
#include "sim/load/chassis/fits.h"
#include "sim/load/chassis/room.h"
#include "sim/load/chassis/slots.h"

namespace gpufeed {
namespace {

/// The modules of one board are of one product.
void check_alike(const Request& request, const std::vector<Chosen<Gpu>>& gpus) {
  for (const auto& gpu : gpus) {
    const auto& first = gpus.front().model;
    if (gpu.model.name == first.name || gpu.model->form != GpuForm::module) continue;
    add_products(
        request.refuse("gpu", gpu.model.where, ": the modules of a board are alike; take {} or {}",
                       first.name, gpu.model.name),
        request, "gpu", gpu.model.name, gpu.count, {first.name});
  }
}

/// A board of modules comes full.
void check_full(const Request& request, const Slots& slots, const Chosen<Gpu>& gpu,
                const std::vector<Position*>& positions) {
  if (positions.empty() || !positions.front()->group->together) return;
  const Slot& group = *positions.front()->group;
  const auto used = static_cast<std::int64_t>(positions.size());
  if (slots.free([&](const Slot& slot) { return &slot == &group; }) == 0) return;
  if (used == group.count) return;
  const std::int64_t all = group.count * gpu.model->dies_per_board;
  const Names others = chassis_for(request, gpu);
  Problem& open = request.refuse(
      "gpu", gpu.model.where,
      ": the GPU board of {} comes with all {} modules, and {} are asked for; take {}{}",
      request.chassis.name, all, gpu.count, all, or_another_chassis(others));
  add_count(open, request, "gpu", gpu.model.name, all);
  add_chassis(open, request, others);
}

std::string next_id(const std::vector<Placed>& list, std::string_view name) {
  const auto same =
      std::ranges::count_if(list, [&](const Placed& part) { return part.id.starts_with(name); });
  return fmt::format("{}{}", name, same);
}

template <class Product>
Placed placed(std::string id, const Ref<Product>& model, const Position& position) {
  const Slot& slot = *position.group;
  Placed part{std::move(id), model.name, model.where, position.at, &slot, {}, {}, {}};
  if (!model->link) return part;
  const bool alike = !slot.link || of_one_family(*slot.link, model->link);
  if (slot.link && *slot.link && alike && (*slot.link)->raw_bandwidth < model->link->raw_bandwidth)
    part.link = slot.link->name;
  if (slot.lanes && alike && *slot.lanes < model->lanes) part.lanes = slot.lanes;
  return part;
}

/// Fills the slots of one chassis, kind by kind: each sees what the ones before it left.
class Placer {
 public:
  Placer(const Request& request, std::int64_t sockets)
      : request_(request), slots_(request.chassis, sockets) {}

  Placement place(const Parts& parts) {
    for (const auto& gpu : parts.gpus) place_gpus(gpu);
    check_alike(request_, parts.gpus);
    for (const auto& nic : parts.nics) place_nics(nic);
    for (const auto& drive : parts.drives) place_drives(drive);
    return std::move(done_);
  }

 private:
  template <class Product>
  std::vector<Position*> take(const Ref<Product>& model, std::int64_t count,
                              const Slots::Rank& rank) {
    auto taken = slots_.take(
        count, [&](const Slot& slot) { return fits(slot, *model); }, rank);
    if (taken.empty()) return taken;
    if (const std::string open = unsaid(*taken.front()->group, *model); !open.empty())
      done_.doubts.push_back(fmt::format("{} does not say {}: whether it fits {} is not certain",
                                         model.name, open, request_.chassis.name));
    return taken;
  }

  void place_gpus(const Chosen<Gpu>& gpu) {
    const std::int64_t dies = gpu.model->dies_per_board;
    if (gpu.count % dies != 0) {
      const std::int64_t whole = (gpu.count / dies + 1) * dies;
      add_count(request_.refuse("gpu", gpu.model.where,
                                ": {} of {} are on one board, and {} are asked for; take {}", dies,
                                gpu.model.name, gpu.count, whole),
                request_, "gpu", gpu.model.name, whole);
      return;
    }
    if (!has_room(request_, slots_, gpu)) return;
    // The widest slots are those for GPUs.
    const auto positions = take(gpu.model, gpu.count / dies, [](const Position& one) {
      return static_cast<int>(-one.group->width);
    });
    for (auto* position : positions) {
      position->holds_gpu = true;
      for (std::int64_t die = 0; die < dies; ++die) {
        Placed part = placed(fmt::format("gpu{}", done_.gpus.size()), gpu.model, *position);
        if (dies > 1) part.board = fmt::format("board{}", boards_);
        done_.gpus.push_back(std::move(part));
      }
      ++boards_;
    }
    check_full(request_, slots_, gpu, positions);
  }

  /// Into the narrowest slots: beside GPUs, else at their sockets.
  void place_nics(const Chosen<Nic>& nic) {
    if (!has_room(request_, slots_, nic)) return;
    const auto positions = take(nic.model, nic.count, [&](const Position& one) {
      const int beside = slots_.has_gpu_at(one.at) ? 0 : slots_.has_gpu_below(one.root) ? 1 : 2;
      return static_cast<int>(one.group->width) * 10 + beside;
    });
    for (const auto* position : positions)
      done_.nics.push_back(placed(next_id(done_.nics, "nic"), nic.model, *position));
  }

  void place_drives(const Chosen<Drive>& drive) {
    if (!has_room(request_, slots_, drive)) return;
    const std::string_view name = drive.model->medium == Medium::disk ? "hdd" : "ssd";
    PlacedVolume volume{{}, drive.model.where};
    for (const auto* position : take(drive.model, drive.count, [](const Position&) { return 0; })) {
      done_.drives.push_back(placed(next_id(done_.drives, name), drive.model, *position));
      volume.drives.push_back(done_.drives.back().id);
    }
    done_.volumes.push_back(std::move(volume));
  }

  const Request& request_;
  Slots slots_;
  Placement done_;
  std::size_t boards_ = 0;
};

std::array<std::vector<Placed>*, 3> devices(Placement& placement) {
  return {&placement.gpus, &placement.nics, &placement.drives};
}

/// Slots that share lanes: a power of two for each that is in use.
void share_lanes(const Chassis& chassis, Placement& placement) {
  for (const auto& slot : chassis.slots) {
    if (!slot.shared_lanes) continue;
    std::vector<Placed*> users;
    for (auto* list : devices(placement))
      for (auto& part : *list)
        if (part.slot == &slot) users.push_back(&part);
    if (users.empty()) continue;
    std::int64_t lanes = 1;
    while (lanes * 2 * static_cast<std::int64_t>(users.size()) <= *slot.shared_lanes) lanes *= 2;
    for (auto* user : users) user->lanes = std::min(lanes, user->lanes.value_or(lanes));
  }
}

/// `place = { gpu0 = "cpu1" }`
void move_parts(const Request& request, Placement& placement) {
  const Reader& reader = request.reader;
  const KeyPath place = request.place / "place";
  const auto refuse = [&](const toml::node& node, const KeyPath& key, const char* expected) {
    Problem problem{reader.at(node)};
    problem.code = ProblemCode::wrong_type;
    problem.subject = key;
    problem.expected = expected;
    problem.found = shown(node);
    request.out.add(std::move(problem));
  };
  const toml::node* node = request.system.get("place");
  if (!node) return;
  const auto* table = node->as_table();
  if (!table) return refuse(*node, place, "a table such as { gpu0 = \"cpu1\" }");
  Names ids;
  std::vector<Placed*> parts;
  for (auto* list : devices(placement))
    for (auto& part : *list) {
      ids.push_back(part.id);
      parts.push_back(&part);
    }
  for (const auto& [id, at] : *table) {
    const auto part = std::ranges::find(parts, id.str(), &Placed::id);
    if (!at.is_string()) {
      refuse(at, place / id.str(), "the id of a socket or switch");
    } else if (part == parts.end()) {
      Problem problem = unknown_key(reader.at(at), place, std::string(id.str()), ids);
      problem.message = fmt::format("{}: no part is called \"{}\"; {}", text(place), id.str(),
                                    suggestion(id.str(), ids));
      request.out.add(std::move(problem));
    } else {
      (*part)->at = at.as_string()->get();
      (*part)->where = reader.at(at);
    }
  }
}

}  // namespace

Placement place_parts(const Request& request, const Parts& parts) {
  const std::int64_t all = request.chassis.sockets;
  Placement placement =
      Placer(request, parts.sockets > 0 ? std::min(parts.sockets, all) : all).place(parts);
  share_lanes(request.chassis, placement);
  move_parts(request, placement);
  return placement;
}

}  // namespace gpufeed
