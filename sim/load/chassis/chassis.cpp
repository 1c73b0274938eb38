// SPDX-License-Identifier: Apache-2.0
#include "sim/load/chassis/chassis.h"

#include <algorithm>
#include <cmath>

#include "sim/base/assert.h"
#include "sim/load/chassis/advice.h"
#include "sim/load/chassis/asked.h"
#include "sim/load/chassis/fits.h"
#include "sim/load/chassis/memory.h"
#include "sim/load/read/toml_text.h"

namespace gpufeed {
namespace {

constexpr std::array<std::string_view, 6> kPartKeys{"cpu",    "memory", "gpu",
                                                    "drives", "nics",   "place"};

bool is_text(const toml::node* node) {
  if (!node) return false;
  if (const auto* list = node->as_array()) return !list->is_array_of_tables();
  return true;
}

/// Parts that were asked for and known to the catalog.
template <class Product>
struct Chosen {
  std::int64_t count;
  Ref<Product> model;
};

/// A part where it goes.
struct Placed {
  std::string id;
  std::string model;
  Location where;
  const Position* position = nullptr;
  std::string link;  ///< the slot's, where it is slower than the part's
  std::optional<std::int64_t> lanes;
  std::string board;
};

/// Makes one machine. What was made is put into its table when all is known to be right.
class Maker {
 public:
  Maker(toml::table& system, std::string place, const Chassis& chassis, Reader& reader,
        Diagnostics& out)
      : system_(system), place_(std::move(place)), chassis_(chassis), reader_(reader), out_(out) {}

  bool make() {
    const std::size_t before = out_.count();
    refuse_unknown_keys();
    choose_cpus();
    if (cpu_) choose_memory_of_sockets();
    gpus_ = chosen<Gpu>("gpu", "gpu", chassis_.gpu);
    nics_ = chosen<Nic>("nics", "nic", chassis_.nics);
    drives_ = chosen<Drive>("drives", "drive", chassis_.drives);
    place_parts();
    move_parts();
    if (out_.count() > before) return false;
    write();
    return true;
  }

 private:
  // --- what was asked for ---

  /// Of the keys that go: those that stay are read as those of any other system.
  void refuse_unknown_keys() {
    Names known{"source", "basis"};
    for_each_field<System>([&](const auto& field) { known.emplace_back(field.name); });
    known.insert(known.end(), kPartKeys.begin(), kPartKeys.end());
    for (const auto& [key, node] : system_)
      if (!std::ranges::count(known, key.str()))
        out_.error(reader_.at(node), "{}: unknown key \"{}\"; {}", place_, key.str(),
                   suggestion(key.str(), known));
  }

  template <class Product>
  std::vector<Chosen<Product>> chosen(std::string_view key, std::string_view table,
                                      const std::vector<PartRef>& standard) {
    std::vector<Chosen<Product>> found;
    const bool own = system_.contains(table) && !is_text(system_.get(table));
    if (own && (key == table || !system_.contains(key))) return found;
    for (const auto& asked : asked_for(system_, key, place_, standard, reader_, out_)) {
      if (asked.what.find(' ') != std::string::npos) {
        out_.error(asked.where,
                   "{}.{} must be how many, an x and what, such as \"8 x NAME\"; found "
                   "\"{}\"",
                   place_, key, asked.what);
        continue;
      }
      Ref<Product> model{asked.what, asked.where, nullptr};
      reader_.resolve(model, fmt::format("{}.{}", place_, key));
      if (model) found.push_back({asked.count, std::move(model)});
    }
    return found;
  }

  void choose_cpus() {
    const std::size_t before = out_.count();
    const auto cpus = chosen<Cpu>("cpu", "cpu", chassis_.cpu);
    if (cpus.empty() && out_.count() == before)
      out_.error(reader_.at(system_),
                 "{}: \"cpu\" is missing; it must be how many and which, for socket {}{}", place_,
                 chassis_.socket, cpus_for_socket({}));
    if (cpus.empty()) return;
    const Location& where = cpus.front().model.where;
    for (const auto& one : cpus) {
      sockets_ += one.count;
      if (one.model.name != cpus.front().model.name)
        return out_.error(one.model.where, "{}.cpu: the CPUs of a machine are alike; take {} or {}",
                          place_, cpus.front().model.name, one.model.name);
    }
    const Ref<Cpu>& cpu = cpus.front().model;
    if (sockets_ > chassis_.sockets)
      return out_.error(where, "{}.cpu: {} has {} socket{}, and {} CPUs are asked for; take {}",
                        place_, chassis_.name, chassis_.sockets, chassis_.sockets > 1 ? "s" : "",
                        sockets_, chassis_.sockets);
    if (!cpu->socket)
      doubts_.push_back(fmt::format("{} does not say which socket it fits; {} has {}", cpu.name,
                                    chassis_.name, chassis_.socket));
    else if (*cpu->socket != chassis_.socket)
      return out_.error(where, "{}.cpu: {} fits socket {}, and {} has {}; take one that fits{}",
                        place_, cpu.name, *cpu->socket, chassis_.name, chassis_.socket,
                        cpus_for_socket(cpu->cores));
    if (sockets_ > 1 && cpu->socket_links == 0)
      return out_.error(where, "{}.cpu: {} cannot be joined to another; take one, or another CPU{}",
                        place_, cpu.name, cpus_for_socket(cpu->cores, true));
    cpu_ = cpu;
  }

  std::string cpus_for_socket(std::optional<std::int64_t> cores, bool joined = false) const {
    return such_as<Cpu>(reader_.catalog(), [&](const Cpu& one) -> std::optional<double> {
      if (one.socket != chassis_.socket || (joined && one.socket_links == 0)) return {};
      return cores ? std::abs(static_cast<double>(one.cores - *cores)) : 0;
    });
  }

  void choose_memory_of_sockets() {
    const auto asked = asked_for(system_, "memory", place_, chassis_.memory, reader_, out_);
    if (asked.size() > 1)
      out_.error(asked.back().where, "{}.memory: one text says it all; found {}", place_,
                 asked.size());
    else if (asked.size() == 1)
      memory_ =
          choose_memory(asked.front(), chassis_, cpu_, sockets_, place_, reader_, doubts_, out_);
    else
      out_.error(reader_.at(system_.contains("memory") ? *system_.get("memory") : system_),
                 "{}: \"memory\" is missing; it must be one size, such as \"512 GB\" or \"16 x 32 "
                 "GB\"",
                 place_);
  }

  // --- where it goes ---

  void place_parts() {
    Slots& slots = slots_.emplace(
        chassis_, sockets_ > 0 ? std::min(sockets_, chassis_.sockets) : chassis_.sockets);
    for (const auto& gpu : gpus_) place_gpus(slots, gpu);
    check_alike();
    for (const auto& nic : nics_)
      place_devices(slots, "nics", nic, placed_nics_, "nic", [&](const Position& one) {
        const int beside = slots.has_gpu_at(one.at) ? 0 : slots.has_gpu_below(one.root) ? 1 : 2;
        return static_cast<int>(one.group->width) * 10 + beside;
      });
    for (const auto& drive : drives_)
      place_devices(slots, "drives", drive, placed_drives_,
                    drive.model->medium == Medium::disk ? "hdd" : "ssd",
                    [&](const Position&) { return 0; });
    share_lanes();
  }

  void place_gpus(Slots& slots, const Chosen<Gpu>& gpu) {
    const std::int64_t dies = gpu.model->dies_per_board;
    if (gpu.count % dies != 0)
      return out_.error(gpu.model.where,
                        "{}.gpu: {} of {} are on one board, and {} are asked for; take {}", place_,
                        dies, gpu.model.name, gpu.count, (gpu.count / dies + 1) * dies);
    const auto fit = [&](const Slot& slot) { return fits(slot, *gpu.model); };
    if (!has_room(slots, "gpu", gpu, gpu.count / dies, fit)) return;
    // The widest slots are those for GPUs.
    const auto positions = slots.take(gpu.count / dies, fit, [](const Position& one) {
      return static_cast<int>(-one.group->width);
    });
    for (auto* position : positions) {
      position->holds_gpu = true;
      for (std::int64_t die = 0; die < dies; ++die) {
        Placed part = placed(fmt::format("gpu{}", placed_gpus_.size()), gpu.model, *position);
        if (dies > 1) part.board = fmt::format("board{}", boards_);
        placed_gpus_.push_back(std::move(part));
      }
      ++boards_;
    }
    check_together(slots, gpu, positions);
    note_doubts(gpu.model, positions);
  }

  /// A board of modules comes full.
  void check_together(Slots& slots, const Chosen<Gpu>& gpu,
                      const std::vector<Position*>& positions) {
    if (positions.empty() || !positions.front()->group->together) return;
    const Slot& group = *positions.front()->group;
    const auto used = static_cast<std::int64_t>(positions.size());
    if (slots.free([&](const Slot& slot) { return &slot == &group; }) == 0) return;
    if (used == group.count) return;
    const std::int64_t dies = gpu.model->dies_per_board;
    out_.error(gpu.model.where,
               "{}.gpu: the GPU board of {} comes with all {} modules, and {} are asked for; take "
               "{}{}",
               place_, chassis_.name, group.count * dies, gpu.count, group.count * dies,
               chassis_for_gpus(gpu));
  }

  void check_alike() {
    for (const auto& gpu : gpus_)
      if (gpu.model.name != gpus_.front().model.name && gpu.model->form == GpuForm::module)
        out_.error(gpu.model.where, "{}.gpu: the modules of a board are alike; take {} or {}",
                   place_, gpus_.front().model.name, gpu.model.name);
  }

  std::string chassis_for_gpus(const Chosen<Gpu>& gpu) const {
    const std::int64_t boards = gpu.count / gpu.model->dies_per_board;
    std::string text =
        such_as<Chassis>(reader_.catalog(), [&](const Chassis& other) -> std::optional<double> {
          std::int64_t room = 0;
          bool together = false;
          for (const auto& slot : other.slots)
            if (fits(slot, *gpu.model)) room += slot.count, together = together || slot.together;
          if (room < boards || (together && room != boards)) return {};
          // Of as much room, the newest.
          return static_cast<double>(room - boards) -
                 static_cast<double>(other.released.value_or(0)) / 1e4;
        });
    return text.empty() ? "" : ", or another chassis" + text;
  }

  template <class Product, class Rank>
  void place_devices(Slots& slots, std::string_view key, const Chosen<Product>& asked,
                     std::vector<Placed>& list, std::string_view name, const Rank& rank) {
    const auto fit = [&](const Slot& slot) { return fits(slot, *asked.model); };
    if (!has_room(slots, key, asked, asked.count, fit)) return;
    std::vector<Position*> positions;
    if constexpr (std::same_as<Product, Nic>) {
      positions = slots.take(asked.count, fit, rank);
    } else {
      positions = slots.take(asked.count, fit, rank);
      volumes_.emplace_back();
    }
    for (const auto* position : positions) {
      Placed part = placed(next_id(list, name), asked.model, *position);
      if constexpr (std::same_as<Product, Drive>) volumes_.back().push_back(part.id);
      list.push_back(std::move(part));
    }
    note_doubts(asked.model, positions);
  }

  static std::string next_id(const std::vector<Placed>& list, std::string_view name) {
    const auto same =
        std::ranges::count_if(list, [&](const Placed& part) { return part.id.starts_with(name); });
    return fmt::format("{}{}", name, same);
  }

  /// What is alike decides which part is near.
  static double size_of(const Gpu& gpu) { return gpu.memory.value; }
  static double size_of(const Nic& nic) {
    return nic.port_bandwidth.value * static_cast<double>(nic.ports);
  }
  static double size_of(const Drive& drive) { return drive.capacity.value; }

  /// Where there is a GPU board, cards are no substitute for its modules.
  bool is_main(const Slot& slot, const Gpu&) const {
    return slot.takes == SlotKind::module ||
           std::ranges::count(chassis_.slots, SlotKind::module, &Slot::takes) == 0;
  }
  template <class Product>
  static bool is_main(const Slot&, const Product&) {
    return true;
  }

  template <class Product>
  std::string parts_that_fit(const Slots& slots, const Product& asked) const {
    return such_as<Product>(reader_.catalog(), [&](const Product& other) -> std::optional<double> {
      const bool known = slots.has([&](const Slot& slot) {
        return fits(slot, other) && unsaid(slot, other).empty() && is_main(slot, other);
      });
      if (!known) return {};
      return std::abs(std::log(size_of(other) / size_of(asked)));
    });
  }

  /// Whether there are so many free slots; else says why not, and what there is.
  template <class Product>
  bool has_room(const Slots& slots, std::string_view key, const Chosen<Product>& asked,
                std::int64_t needed, const Slots::Fits& fit) {
    const auto& model = asked.model;
    if (!slots.has(fit)) {
      const std::string others = parts_that_fit(slots, *model);
      out_.error(model.where, "{}.{}: {}{}", place_, key, misfit(chassis_, *model),
                 others.empty() ? "; leave it out" : "; take one that fits" + others);
      return false;
    }
    const std::int64_t free = slots.free(fit);
    if (free >= needed) return true;
    std::int64_t each = 1;
    if constexpr (std::same_as<Product, Gpu>) each = model->dies_per_board;
    const std::int64_t others = slots.count(fit) - free;
    const std::int64_t below = slots.below_empty_sockets(fit);
    std::string why;
    if (others > 0) why += fmt::format(", as other parts hold {}", others);
    if (below > 0) why += fmt::format(", as {} more hang on sockets without a CPU", below);
    std::string repair = free > 0 ? fmt::format("take {}", free * each) : "leave them out";
    if (below > 0 && free + below >= needed)
      repair += fmt::format(", or {} CPUs", chassis_.sockets);
    if constexpr (std::same_as<Product, Gpu>) repair += chassis_for_gpus(asked);
    out_.error(model.where, "{}.{}: {} has room for {} of {}{}, and {} are asked for; {}", place_,
               key, chassis_.name, free * each, model.name, why, asked.count, repair);
    return false;
  }

  template <class Product>
  Placed placed(std::string id, const Ref<Product>& model, const Position& position) const {
    Placed part{std::move(id), model.name, model.where, &position, {}, {}, {}};
    const Slot& slot = *position.group;
    if (!model->link) return part;
    const bool alike = !slot.link || of_one_family(slot.link->name, model->link.name);
    if (slot.link && *slot.link && alike &&
        (*slot.link)->raw_bandwidth < model->link->raw_bandwidth)
      part.link = slot.link->name;
    if (slot.lanes && alike && *slot.lanes < model->lanes) part.lanes = slot.lanes;
    return part;
  }

  template <class Product>
  void note_doubts(const Ref<Product>& model, const std::vector<Position*>& positions) {
    if (positions.empty()) return;
    const std::string open = unsaid(*positions.front()->group, *model);
    if (!open.empty())
      doubts_.push_back(fmt::format("{} does not say {}: whether it fits {} is not certain",
                                    model.name, open, chassis_.name));
  }

  /// Slots that share lanes: a power of two for each that is in use.
  void share_lanes() {
    for (const auto& group : chassis_.slots) {
      if (!group.shared_lanes) continue;
      std::vector<Placed*> users;
      for (auto* list : {&placed_gpus_, &placed_nics_, &placed_drives_})
        for (auto& part : *list)
          if (part.position->group == &group) users.push_back(&part);
      if (users.empty()) continue;
      std::int64_t lanes = 1;
      while (lanes * 2 * static_cast<std::int64_t>(users.size()) <= *group.shared_lanes) lanes *= 2;
      for (auto* user : users) user->lanes = std::min(lanes, user->lanes.value_or(lanes));
    }
  }

  /// `place = { gpu0 = "cpu1" }`
  void move_parts() {
    const toml::node* node = system_.get("place");
    if (!node) return;
    const auto* table = node->as_table();
    if (!table)
      return out_.error(reader_.at(*node),
                        "{}.place must be a table such as {{ gpu0 = \"cpu1\" }}; found {}", place_,
                        shown(*node));
    Names ids;
    for (const auto* list : {&placed_gpus_, &placed_nics_, &placed_drives_})
      for (const auto& part : *list) ids.push_back(part.id);
    for (const auto& [id, at] : *table) {
      if (!at.is_string())
        out_.error(reader_.at(at), "{}.place.{} must be the id of a socket or switch; found {}",
                   place_, id.str(), shown(at));
      else if (!std::ranges::count(ids, id.str()))
        out_.error(reader_.at(at), "{}.place: no part is called \"{}\"; {}", place_, id.str(),
                   suggestion(id.str(), ids));
      else
        moved_[std::string(id.str())] = {at.as_string()->get(), reader_.at(at)};
    }
  }

  // --- what is written ---

  /// Adds `[[key]]` tables that point to `where`.
  void add(std::string_view key, const Location& where, const std::string& text) {
    Diagnostics none;
    auto table = parse_toml(text, made_for(where), none);
    GPUFEED_ASSERT(table, "what was made is TOML");
    if (!system_.contains(key)) system_.insert_or_assign(key, toml::array{});
    system_.get(key)->as_array()->push_back(std::move(*table));
  }

  void set(std::string_view key, const std::string& value) {
    if (system_.contains(key)) return;
    Diagnostics none;
    auto table = parse_toml("value = " + value, made_for(reader_.at(system_)), none);
    GPUFEED_ASSERT(table, "what was made is TOML");
    table->get("value")->visit([&](auto& node) { system_.insert_or_assign(key, std::move(node)); });
  }

  void write() {
    const Location chassis_at = reader_.at(*system_.get("chassis"));
    const bool own_nvlinks = system_.contains("nvlink") || system_.contains("nvswitch");
    const bool own_volumes = system_.contains("volume");
    for (const auto key : kPartKeys)
      if (key != "gpu" || is_text(system_.get(key))) system_.erase(key);
    write_sockets();
    for (const auto& part : chassis_.switches)
      if (is_below_cpu(part.at.id))
        add("switch", chassis_at,
            fmt::format("id = {}\nmodel = {}\nat = {}\n{}", toml_string(part.id),
                        toml_string(part.model.name), toml_string(part.at.id),
                        slot_lines(part.link ? part.link->name : "", part.lanes)));
    write_devices("gpu", placed_gpus_);
    write_devices("nic", placed_nics_);
    write_devices("drive", placed_drives_);
    if (!own_nvlinks) write_gpu_links(chassis_at);
    if (!own_volumes) write_volumes();
    if (chassis_.power_supply) set("power_supply", toml_value(*chassis_.power_supply));
    if (!chassis_.peer_to_peer) set("peer_to_peer", "false");
    set("title", toml_string(title()));
    set("source", toml_string(chassis_.provenance.source));
    set("basis", toml_value(chassis_.provenance.basis));
    for (const auto& doubt : doubts_) add_doubt(doubt);
  }

  void add_doubt(const std::string& doubt) {
    if (!system_.contains("doubts")) system_.insert_or_assign("doubts", toml::array{});
    system_.get("doubts")->as_array()->push_back(doubt);
  }

  bool is_below_cpu(std::string at) const {
    for (std::size_t hops = 0; hops <= chassis_.switches.size(); ++hops) {
      const auto above = std::ranges::find(chassis_.switches, at, &Device<Switch>::id);
      if (above == chassis_.switches.end()) break;
      at = above->at.id;
    }
    for (std::int64_t i = 0; i < sockets_; ++i)
      if (at == fmt::format("cpu{}", i)) return true;
    return false;
  }

  static std::string slot_lines(const std::string& link, std::optional<std::int64_t> lanes) {
    return (link.empty() ? "" : fmt::format("link = {}\n", toml_string(link))) +
           (lanes ? fmt::format("lanes = {}\n", *lanes) : "");
  }

  void write_sockets() {
    for (std::int64_t i = 0; i < sockets_; ++i) {
      constexpr double kGiB = 1073741824;
      std::string text = fmt::format("id = \"cpu{}\"\nmodel = {}\nmemory = \"{} GiB\"\n", i,
                                     toml_string(cpu_.name), memory_->size.value / kGiB);
      if (memory_->bandwidth)
        text += fmt::format("memory_bandwidth = {}\n", toml_value(*memory_->bandwidth));
      if (memory_->kind) text += fmt::format("memory_kind = {}\n", toml_value(*memory_->kind));
      if (memory_->modules) text += fmt::format("modules = {}\n", *memory_->modules);
      add("socket", cpu_.where, text);
    }
    const auto& link = cpu_->socket_link ? cpu_->socket_link : chassis_.socket_link;
    if (sockets_ > 1 && !cpu_->socket_links)
      doubts_.push_back(
          fmt::format("{} does not say how many links it has to other CPUs; {} joins two by {}",
                      cpu_.name, chassis_.name, chassis_.socket_links));
    for (std::int64_t i = 0; i < sockets_; ++i)
      for (std::int64_t j = i + 1; j < sockets_; ++j)
        if (link)
          add("socket_link", cpu_.where,
              fmt::format("between = [\"cpu{}\", \"cpu{}\"]\nlink = {}\ncount = {}\n", i, j,
                          toml_string(link->name),
                          std::min(chassis_.socket_links,
                                   cpu_->socket_links.value_or(chassis_.socket_links))));
  }

  void write_devices(std::string_view key, const std::vector<Placed>& parts) {
    for (const auto& part : parts) {
      const auto moved = moved_.find(part.id);
      std::string text =
          fmt::format("id = {}\nmodel = {}\n", toml_string(part.id), toml_string(part.model));
      text += slot_lines(part.link, part.lanes);
      if (!part.board.empty()) text += fmt::format("board = {}\n", toml_string(part.board));
      text += fmt::format("at = {}\n", toml_string(moved == moved_.end() ? part.position->at
                                                                         : moved->second.first));
      add(key, moved == moved_.end() ? part.where : moved->second.second, text);
    }
  }

  bool has_gpu(const std::string& id) const {
    return std::ranges::count(placed_gpus_, id, &Placed::id) > 0;
  }

  void write_gpu_links(const Location& where) {
    if (gpus_.empty() || gpus_.front().model->nvlinks == 0) return;
    const Gpu& gpu = *gpus_.front().model;
    const auto link = [&](const std::string& a, const std::string& b, const std::string& kind,
                          std::int64_t count) {
      add("nvlink", where,
          fmt::format("between = [{}, {}]\nlink = {}\ncount = {}\n", toml_string(a), toml_string(b),
                      toml_string(kind), count));
    };
    if (chassis_.mesh > 0 && gpu.nvlink)
      for (std::size_t i = 0; i < placed_gpus_.size(); ++i)
        for (std::size_t j = i + 1; j < placed_gpus_.size(); ++j)
          link(placed_gpus_[i].id, placed_gpus_[j].id, gpu.nvlink->name, chassis_.mesh);
    for (const auto& one : chassis_.nvlinks)
      if (one.between.size() == 2 && has_gpu(one.between[0].id) && has_gpu(one.between[1].id))
        link(one.between[0].id, one.between[1].id, gpu.nvlink ? gpu.nvlink->name : one.link.name,
             one.count);
    for (const auto& one : chassis_.nvswitches) {
      const bool says = gpu.nvlink && gpu.nvlinks;
      Names ids;
      for (const auto& part : one.gpus) ids.push_back(toml_string(part.id));
      add("nvswitch", where,
          fmt::format("id = {}\ngpus = [{}]\nlink = {}\ncount = {}\n", toml_string(one.id),
                      fmt::join(ids, ", "), toml_string(says ? gpu.nvlink->name : one.link.name),
                      says ? *gpu.nvlinks : one.count));
    }
  }

  void write_volumes() {
    for (std::size_t i = 0; i < volumes_.size(); ++i) {
      Names ids;
      for (const auto& id : volumes_[i]) ids.push_back(toml_string(id));
      add("volume", drives_[i].model.where,
          fmt::format("id = \"scratch{}\"\ndrives = [{}]\n", i == 0 ? "" : std::to_string(i),
                      fmt::join(ids, ", ")));
    }
  }

  std::string title() const {
    std::string text = chassis_.title;
    std::string_view joint = " with ";
    const auto add_all = [&](const auto& parts) {
      for (const auto& part : parts) {
        text += fmt::format("{}{} x {}", joint, part.count, part.model->title);
        joint = ", ";
      }
    };
    add_all(gpus_);
    add_all(drives_);
    return text;
  }

  toml::table& system_;
  const std::string place_;
  const Chassis& chassis_;
  Reader& reader_;
  Diagnostics& out_;

  std::int64_t sockets_ = 0;
  Ref<Cpu> cpu_;
  std::optional<MemoryOfSocket> memory_;
  std::vector<Chosen<Gpu>> gpus_;
  std::vector<Chosen<Nic>> nics_;
  std::vector<Chosen<Drive>> drives_;
  std::optional<Slots> slots_;
  std::vector<Placed> placed_gpus_;
  std::vector<Placed> placed_nics_;
  std::vector<Placed> placed_drives_;
  std::vector<Names> volumes_;  ///< ids of the drives of each key's text
  std::size_t boards_ = 0;
  std::map<std::string, std::pair<std::string, Location>> moved_;
  std::vector<std::string> doubts_;
};

}  // namespace

bool is_chassis_with_parts(const toml::table& system) {
  return system.contains("chassis") && !system.contains("socket");
}

bool make_of_chassis(toml::table& system, const std::string& place, Reader& reader,
                     Diagnostics& out) {
  const toml::node& node = *system.get("chassis");
  if (!node.is_string()) {
    out.error(reader.at(node),
              "{}.chassis must be the name of a chassis in the catalog, or a path "
              "to its file; found {}",
              place, shown(node));
    return false;
  }
  Ref<Chassis> chassis{node.as_string()->get(), reader.at(node), nullptr};
  reader.resolve(chassis, place + ".chassis");
  return chassis && Maker(system, place, *chassis, reader, out).make();
}

}  // namespace gpufeed
