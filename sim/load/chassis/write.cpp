// SPDX-License-Identifier: Apache-2.0
#include "sim/load/chassis/write.h"

#include <algorithm>

#include "sim/base/assert.h"
#include "sim/base/labels/label_text.h"
#include "sim/load/read/toml_text.h"

namespace gpufeed {
namespace {

using namespace literals;

std::string slot_lines(const std::string& link, std::optional<std::int64_t> lanes) {
  return (link.empty() ? "" : fmt::format("link = {}\n", toml_string(link))) +
         (lanes ? fmt::format("lanes = {}\n", *lanes) : "");
}

std::string quoted(const Names& ids) {
  Names texts;
  texts.reserve(ids.size());
  for (const auto& id : ids) texts.push_back(toml_string(id));
  return fmt::format("{}", fmt::join(texts, ", "));
}

/// Writes one machine, of which all is known to be right.
class Writer {
 public:
  Writer(toml::table& system, const Chassis& chassis, const Parts& parts,
         const Placement& placement, const Reader& reader)
      : system_(system), chassis_(chassis), parts_(parts), placement_(placement), reader_(reader) {}

  void write() {
    const Location chassis_at = reader_.at(*system_.get("chassis"));
    const bool own_nvlinks = system_.contains("nvlink") || system_.contains("nvswitch");
    const bool own_volumes = system_.contains("volume");
    for (const auto key : kPartKeys)
      if (key != "gpu" || is_text(system_.get(key))) system_.erase(key);
    write_sockets();
    for (const auto& part : chassis_.switches)
      if (is_below_cpu(text_of(part.at.id)))
        add("switch", chassis_at,
            fmt::format("id = {}\nmodel = {}\nat = {}\n{}", toml_string(text_of(part.id)),
                        toml_string(part.model.name), toml_string(text_of(part.at.id)),
                        slot_lines(part.link ? part.link->name : "", part.lanes)));
    write_devices("gpu", placement_.gpus);
    write_devices("nic", placement_.nics);
    write_devices("drive", placement_.drives);
    if (!own_nvlinks) write_gpu_links(chassis_at);
    if (!own_volumes) write_volumes();
    if (chassis_.power_supply) set("power_supply", toml_value(*chassis_.power_supply));
    if (!chassis_.peer_to_peer) set("peer_to_peer", "false");
    set("title", toml_string(title()));
    set("source", toml_string(chassis_.provenance.source));
    set("basis", toml_value(chassis_.provenance.basis));
    for (const auto* doubts : {&parts_.doubts, &placement_.doubts})
      for (const auto& doubt : *doubts) add_doubt(doubt);
    if (parts_.sockets > 1 && !parts_.cpu->socket_links)
      add_doubt(
          fmt::format("{} does not say how many links it has to other CPUs; {} joins two by {}",
                      parts_.cpu.name, chassis_.name, chassis_.socket_links));
  }

 private:
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

  void add_doubt(const std::string& doubt) {
    if (!system_.contains("doubts")) system_.insert_or_assign("doubts", toml::array{});
    system_.get("doubts")->as_array()->push_back(doubt);
  }

  bool is_below_cpu(std::string at) const {
    for (std::size_t hops = 0; hops <= chassis_.switches.size(); ++hops) {
      const auto above = std::ranges::find(chassis_.switches, Label(at), &Device<Switch>::id);
      if (above == chassis_.switches.end()) break;
      at = text_of(above->at.id);
    }
    for (std::int64_t i = 0; i < parts_.sockets; ++i)
      if (at == fmt::format("cpu{}", i)) return true;
    return false;
  }

  void write_sockets() {
    const MemoryOfSocket& memory = *parts_.memory;
    for (std::int64_t i = 0; i < parts_.sockets; ++i) {
      std::string text = fmt::format("id = \"cpu{}\"\nmodel = {}\nmemory = \"{} GiB\"\n", i,
                                     toml_string(parts_.cpu.name), memory.size / 1_GiB);
      if (memory.bandwidth)
        text += fmt::format("memory_bandwidth = {}\n", toml_value(*memory.bandwidth));
      if (memory.kind) text += fmt::format("memory_kind = {}\n", toml_value(*memory.kind));
      if (memory.modules) text += fmt::format("modules = {}\n", *memory.modules);
      add("socket", parts_.cpu.where, text);
    }
    write_socket_links(*parts_.cpu);
  }

  /// Between any two CPUs; of the CPU's kind, else the chassis'.
  void write_socket_links(const Cpu& cpu) {
    const auto& link = cpu.socket_link ? cpu.socket_link : chassis_.socket_link;
    if (!link) return;
    const std::int64_t count =
        std::min(chassis_.socket_links, cpu.socket_links.value_or(chassis_.socket_links));
    for (std::int64_t i = 0; i < parts_.sockets; ++i)
      for (std::int64_t j = i + 1; j < parts_.sockets; ++j)
        add("socket_link", parts_.cpu.where,
            fmt::format("between = [\"cpu{}\", \"cpu{}\"]\nlink = {}\ncount = {}\n", i, j,
                        toml_string(link->name), count));
  }

  void write_devices(std::string_view key, const std::vector<Placed>& parts) {
    for (const auto& part : parts) {
      std::string text =
          fmt::format("id = {}\nmodel = {}\n", toml_string(part.id), toml_string(part.model));
      text += slot_lines(part.link, part.lanes);
      if (!part.board.empty()) text += fmt::format("board = {}\n", toml_string(part.board));
      text += fmt::format("at = {}\n", toml_string(part.at));
      add(key, part.where, text);
    }
  }

  bool has_gpu(const std::string& id) const {
    return std::ranges::count(placement_.gpus, id, &Placed::id) > 0;
  }

  void write_gpu_links(const Location& where) {
    if (parts_.gpus.empty() || parts_.gpus.front().model->nvlinks == 0) return;
    const Gpu& gpu = *parts_.gpus.front().model;
    const auto link = [&](const std::string& a, const std::string& b, const std::string& kind,
                          std::int64_t count) {
      add("nvlink", where,
          fmt::format("between = [{}, {}]\nlink = {}\ncount = {}\n", toml_string(a), toml_string(b),
                      toml_string(kind), count));
    };
    if (chassis_.mesh > 0 && gpu.nvlink)
      for (std::size_t i = 0; i < placement_.gpus.size(); ++i)
        for (std::size_t j = i + 1; j < placement_.gpus.size(); ++j)
          link(placement_.gpus[i].id, placement_.gpus[j].id, gpu.nvlink->name, chassis_.mesh);
    for (const auto& one : chassis_.nvlinks)
      if (one.between.size() == 2 && has_gpu(text_of(one.between[0].id)) &&
          has_gpu(text_of(one.between[1].id)))
        link(text_of(one.between[0].id), text_of(one.between[1].id),
             gpu.nvlink ? gpu.nvlink->name : one.link.name, one.count);
    for (const auto& one : chassis_.nvswitches) {
      const bool says = gpu.nvlink && gpu.nvlinks;
      Names ids;
      for (const auto& part : one.gpus) ids.push_back(text_of(part.id));
      add("nvswitch", where,
          fmt::format("id = {}\ngpus = [{}]\nlink = {}\ncount = {}\n", toml_string(text_of(one.id)),
                      quoted(ids), toml_string(says ? gpu.nvlink->name : one.link.name),
                      says ? *gpu.nvlinks : one.count));
    }
  }

  void write_volumes() {
    const auto& volumes = placement_.volumes;
    for (std::size_t i = 0; i < volumes.size(); ++i)
      add("volume", volumes[i].where,
          fmt::format("id = \"scratch{}\"\ndrives = [{}]\n", i == 0 ? "" : std::to_string(i),
                      quoted(volumes[i].drives)));
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
    add_all(parts_.gpus);
    add_all(parts_.drives);
    return text;
  }

  toml::table& system_;
  const Chassis& chassis_;
  const Parts& parts_;
  const Placement& placement_;
  const Reader& reader_;
};

}  // namespace

void write_tables(toml::table& system, const Chassis& chassis, const Parts& parts,
                  const Placement& placement, const Reader& reader) {
  Writer(system, chassis, parts, placement, reader).write();
}

}  // namespace gpufeed
