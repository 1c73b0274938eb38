// SPDX-License-Identifier: Apache-2.0
#include "calib/discover/system_toml.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <set>

#include "calib/discover/gpu_links.h"
#include "calib/discover/questions.h"
#include "calib/discover/slot.h"
#include "calib/discover/unknown.h"
#include "sim/base/printable.h"
#include "sim/load/entry_toml.h"
#include "sim/load/read/toml_text.h"

namespace gpufeed {
namespace {

constexpr const char* kNoMemory = "64 GiB";

PcieLink plug_of(const EntryText& product) {
  PcieLink link;
  const EntryLine* const name = known_line(product, "link");
  if (name && name->value.starts_with("pcie-") && name->value.size() > 5)
    link.generation = name->value[5] - '0';
  link.lanes = static_cast<std::int64_t>(value_of(product, "lanes"));
  return link;
}

bool is_drive(FoundKind kind) { return kind != FoundKind::gpu && kind != FoundKind::nic; }

class SystemWriter {
 public:
  SystemWriter(const FoundMachine& machine, const Recognizer& recognizer)
      : machine_(machine), recognizer_(recognizer) {
    out_.questions = machine.questions;
    out_.left_out = machine.left_out;
  }

  SystemText write() {
    for (std::size_t i = 0; i < machine_.sockets.size(); ++i) write_socket(i);
    write_socket_links();
    for (std::size_t i = 0; i < machine_.switches.size(); ++i) write_switch(i);
    for (const FoundKind kind : {FoundKind::gpu, FoundKind::nic})
      for (std::size_t i = 0; i < machine_.devices.size(); ++i)
        if (machine_.devices[i].kind == kind) write_device(i);
    for (std::size_t i = 0; i < machine_.devices.size(); ++i)
      if (is_drive(machine_.devices[i].kind)) write_device(i);
    write_nvlinks();
    for (const FoundMount& mount : machine_.mounts) ask_for_store(mount);
    std::ranges::copy(questions_.all(), std::back_inserter(out_.questions));
    out_.toml = head() + body_;
    return std::move(out_);
  }

 private:
  /// A store is no part of a system: the scenario has it.
  void ask_for_store(const FoundMount& mount) {
    const EntryText* const client = recognizer_.client(mount);
    const bool of_another =
        mount.device.starts_with("//") || mount.device.find(":/") != std::string::npos;
    if (!client && !of_another) return;
    const std::string read = client ? read_by(*client, mount) : "no client of the catalog reads so";
    ask(fmt::format(
        "which store is mounted at {} ({})? A system holds none: name it in the scenario ({})",
        printable(mount.place), printable(mount.type), read));
  }

  /// As keys of the store in the scenario.
  static std::string read_by(const EntryText& client, const FoundMount& mount) {
    std::string keys = "protocol = " + toml_string(client.name);
    constexpr std::string_view kConnections = "nconnect=";
    const auto at = mount.options.find(kConnections);
    std::int64_t count = 0;
    if (at != std::string::npos)
      std::from_chars(mount.options.data() + at + kConnections.size(),
                      mount.options.data() + mount.options.size(), count);
    if (count > 0) keys += fmt::format(", connections = {}", count);
    return keys;
  }

  void ask(const std::string& question, const std::string& id = {}) {
    questions_.ask(question, id);
  }
  void tell(const std::string& id, const std::string& what,
            PartState state = PartState::in_system) {
    out_.parts.push_back({id, what, state});
  }

  std::string head() const {
    std::string title = machine_.title.empty() ? "Discovered machine" : machine_.title;
    std::string out = fmt::format("title = {}\nsource = {}\nbasis = \"{}\"\n", toml_string(title),
                                  toml_string("gpufeed discover of " + machine_.source),
                                  whole() ? "measured" : "estimate");
    double memory = 0;
    for (const auto& socket : machine_.sockets) memory += socket.memory.value;
    constexpr double kSmall = 64e9;
    if (machine_.reserved_memory.value > 0)
      out += fmt::format("reserved_memory = {}  # in use now, page cache left out\n",
                         toml_value(machine_.reserved_memory));
    else if (memory > 0 && memory < kSmall)
      out += fmt::format("reserved_memory = \"{:.1f} GB\"  # assumed: an eighth\n", memory / 8e9);
    if (machine_.mglru) out += "page_reclaim = \"mglru\"\n";
    if (!out_.left_out.empty()) out += "\n# Read, and no part of a system:\n";
    for (const std::string& one : out_.left_out) out += fmt::format("# - {}\n", printable(one));
    if (out_.questions.empty()) return out;
    out += "\n# What could not be told; write the answers below, or leave what is assumed:\n";
    for (std::size_t i = 0; i < out_.questions.size(); ++i)
      out += fmt::format("# {}. {}\n", i + 1, out_.questions[i]);
    return out;
  }

  /// Whether nothing that decides was assumed: no part left out, and all memory known.
  bool whole() const {
    return std::ranges::all_of(
               out_.parts,
               [](const PartText& part) { return part.state == PartState::in_system; }) &&
           std::ranges::all_of(machine_.sockets, [](const FoundSocket& socket) {
             return socket.memory.value > 0 && (socket.cores > 0 || socket.threads > 0);
           });
  }

  void write_socket(std::size_t number) {
    const FoundSocket& socket = machine_.sockets[number];
    const std::string id = fmt::format("cpu{}", number);
    const Recognized known = recognizer_.cpu(socket);
    const bool untold = socket.cores == 0 || !socket.named.empty();
    const bool whole = known.entry && (untold || value_of(*known.entry, "cores") ==
                                                     static_cast<double>(socket.cores));
    body_ += fmt::format("\n[[socket]]\nid = \"{}\"\n", id);
    if (whole) body_ += fmt::format("model = \"{}\"\n", known.entry->name);
    body_ += memory_line(socket, id);
    if (!whole) body_ += unknown_cpu(socket, known.entry);
    if (!known.entry) ask_of_cpu(socket, id);
    cpus_.push_back(known.entry);
    const std::int64_t cores = whole ? static_cast<std::int64_t>(value_of(*known.entry, "cores"))
                               : socket.cores ? socket.cores
                                              : socket.threads;
    tell(id, fmt::format("{}, {}{}, {}",
                         known.entry          ? known.entry->name
                         : socket.cpu.empty() ? "unknown processor"
                                              : socket.cpu + " (not in the catalog)",
                         known.entry && !whole ? fmt::format("{:.0f} cores, of them here ",
                                                             value_of(*known.entry, "cores"))
                                               : "",
                         cores > 0 ? fmt::format("{} cores", cores) : "cores unknown",
                         socket.memory.value > 0 ? text(socket.memory, 3) : "memory unknown"));
  }

  void ask_of_cpu(const FoundSocket& socket, const std::string& id) {
    if (socket.cores == 0 && socket.threads == 0)
      ask("how many cores has {}? One is assumed", id);
    else if (socket.cores == 0)
      ask(fmt::format("how many cores has {{}}? There are {} threads; each is taken as a core",
                      socket.threads),
          id);
    ask("what are the memory and copy rates of {}? Usual ones are assumed", id);
  }

  std::string memory_line(const FoundSocket& socket, const std::string& id) {
    constexpr double kLeast = 1024.0 * 1024 * 1024;
    constexpr double kMost = 1e15;  // no machine has as much: the source is damaged
    if (socket.memory.value >= kLeast && socket.memory.value <= kMost)
      return fmt::format("memory = {}\n", toml_value(Bytes{std::floor(socket.memory.value)}));
    ask(fmt::format("how much memory has {{}}? {} are assumed", kNoMemory), id);
    return fmt::format("memory = \"{}\"  # assumed\n", kNoMemory);
  }

  /// Up to four sockets, each to each; more, around.
  void write_socket_links() {
    const std::size_t count = machine_.sockets.size();
    constexpr std::size_t kMesh = 4;
    for (std::size_t a = 0; a < count; ++a)
      for (std::size_t b = a + 1; b < count; ++b)
        if (count <= kMesh || b == a + 1 || (a == 0 && b == count - 1)) write_socket_link(a, b);
    if (count > kMesh) ask(fmt::format("how are the {} sockets joined? A ring is assumed", count));
  }

  void write_socket_link(std::size_t a, std::size_t b) {
    const EntryText* const cpu = cpus_[a];
    const EntryLine* const link = cpu ? known_line(*cpu, "socket_link") : nullptr;
    const auto links = cpu ? static_cast<std::int64_t>(value_of(*cpu, "socket_links")) : 0;
    const std::int64_t others = static_cast<std::int64_t>(machine_.sockets.size()) - 1;
    body_ += fmt::format("\n[[socket_link]]\nbetween = [\"cpu{}\", \"cpu{}\"]\nlink = {}\n", a, b,
                         link ? toml_string(link->value) : unknown_socket_link());
    if (link && links > others) body_ += fmt::format("count = {}\n", links / others);
    if (!link)
      ask("by which links are {} joined? 40 GB/s are assumed",
          fmt::format("cpu{} and cpu{}", a, b));
    else if (a == 0 && b == 1)
      ask(
          fmt::format("are there {} links ({}) between cpu0 and cpu1? As many as the processor has "
                      "are assumed",
                      std::max<std::int64_t>(1, links / others), link->value));
  }

  static std::string at(const FoundPlace& place) {
    return place.on_switch ? fmt::format("sw{}", *place.on_switch)
                           : fmt::format("cpu{}", place.socket);
  }

  void write_switch(std::size_t number) {
    const FoundSwitch& found = machine_.switches[number];
    const std::string id = fmt::format("sw{}", number);
    const Recognized known = recognizer_.switch_chip(found);
    body_ += fmt::format("\n[[switch]]\nid = \"{}\"\n", id);
    if (known.entry) body_ += fmt::format("model = \"{}\"\n", known.entry->name);
    body_ += fmt::format("at = \"{}\"\n", at(found.at));
    if (known.entry)
      body_ += slot_lines(slot_of(found.uplink, plug_of(*known.entry), false));
    else
      body_ += unknown_switch(found);
    if (!found.uplink.known())
      ask(fmt::format("how wide and fast is the uplink of {{}}?{}",
                      known.entry ? " Its data sheet's is assumed" : " PCIe 4.0 x16 is assumed"),
          fmt::format("{} ({})", id, found.bus));
    const std::string chip = found.ids.device.empty() ? "" : " " + found.ids.device;
    tell(id, fmt::format("{} at {}, {}", known.entry ? known.entry->name : "switch" + chip,
                         at(found.at), link_in_words(found.uplink)));
  }

  static std::string slot_lines(const SlotFound& slot) {
    std::string out;
    if (slot.generation > 0) out += fmt::format("link = \"{}\"\n", catalog_name(slot.generation));
    if (slot.lanes > 0) out += fmt::format("lanes = {}\n", slot.lanes);
    return out;
  }

  static const char* table_of(FoundKind kind) {
    return kind == FoundKind::gpu ? "gpu" : kind == FoundKind::nic ? "nic" : "drive";
  }

  /// The system's own name where that may be an id; else the kind and a number.
  std::string id_of(const FoundDevice& device) {
    const bool plain =
        !device.name.empty() && std::ranges::all_of(device.name, [](unsigned char c) {
          return std::isalnum(c) != 0 || c == '_' || c == '-';
        });
    const char* const kind = table_of(device.kind);
    std::string id = plain && device.kind != FoundKind::gpu ? device.name : "";
    if (id.empty() || !ids_.insert(id).second) do
        id = fmt::format("{}{}", kind, numbers_[kind]++);
      while (!ids_.insert(id).second);
    return id;
  }

  static std::optional<std::string> unknown_model(const FoundDevice& device) {
    if (device.kind == FoundKind::gpu) return unknown_gpu(device);
    if (device.kind == FoundKind::nic) return unknown_nic(device);
    return unknown_drive(device);
  }

  void write_device(std::size_t number) {
    const FoundDevice& device = machine_.devices[number];
    if (device.kind == FoundKind::disk_controller) return;
    const Recognized known = recognizer_.device(device);
    const std::string id = id_of(device);
    const char* const kind = table_of(device.kind);
    const std::string what = in_words(device);
    std::string entry = fmt::format("[[{}]]\nid = \"{}\"\n", kind, id);
    const auto model = known.entry ? std::nullopt : unknown_model(device);
    if (!model) entry += fmt::format("model = \"{}\"\n", known.entry ? known.entry->name : "...");
    entry += fmt::format("at = \"{}\"\n", at(device.at));
    if (known.entry) entry += slot_text(device, *known.entry, id);
    if (model) entry += *model;
    const bool complete = known.entry || model;
    body_ += "\n" + (complete ? entry : commented(entry));
    if (device.kind == FoundKind::gpu) written_[number] = {id, known.entry, complete};
    if (!known.entry)
      ask(fmt::format("which product is {{}}: {}?{}", what,
                      !complete                       ? " It is left out until its model is named"
                      : device.kind == FoundKind::gpu ? " Its computing rates are not known"
                      : device.kind == FoundKind::nic ? ""
                                                      : " Usual rates of its kind are assumed"),
          id);
    else if (!known.alike.empty())
      ask(fmt::format("is {{}} the product {}? It could be {}", known.entry->name,
                      fmt::join(known.alike, ", ")),
          id);
    const std::string bus = device.bus.empty() ? "" : fmt::format(", PCI bus {}", device.bus);
    tell(id,
         fmt::format("{} at {}{}{}", known.entry ? known.entry->name : what, at(device.at), bus,
                     complete ? "" : " (left out)"),
         complete ? PartState::in_system : PartState::asked);
  }

  std::string slot_text(const FoundDevice& device, const EntryText& product,
                        const std::string& id) {
    const SlotFound slot = slot_of(device.link, plug_of(product), device.kind == FoundKind::gpu);
    if (!slot.looks_idle) return slot_lines(slot);
    ask(fmt::format(
            "is the slot of {{}} slower than {}? It ran as {}, as idle GPUs do; the product's "
            "own is assumed",
            link_in_words(plug_of(product)), link_in_words(device.link)),
        id);
    return fmt::format("# ran as {} when idle; the maximum is taken\n", link_in_words(device.link));
  }

  /// Without its place: alike parts are one question.
  static std::string in_words(const FoundDevice& device) {
    std::string out = device.product.empty() ? table_of(device.kind) : device.product;
    if (!device.ids.device.empty()) out += ", PCI id " + device.ids.device;
    if (device.size.value > 0) out += ", " + text(device.size, 3);
    if (device.link.known()) out += ", " + link_in_words(device.link);
    return out;
  }

  void write_nvlinks() {
    GpuLinks links = gpu_links(machine_, written_);
    body_ += links.toml;
    for (PartText& part : links.parts) out_.parts.push_back(std::move(part));
    for (const auto& question : links.questions) ask(question.text, question.id);
  }

  const FoundMachine& machine_;
  const Recognizer& recognizer_;
  SystemText out_;
  Questions questions_;
  std::string body_;
  std::vector<const EntryText*> cpus_;  ///< by socket; null where not known
  std::set<std::string> ids_;
  std::map<std::string, int> numbers_;
  std::map<std::size_t, WrittenGpu> written_;  ///< by place in the machine's devices
};

}  // namespace

SystemText system_of(const FoundMachine& machine, const Recognizer& recognizer) {
  return SystemWriter(machine, recognizer).write();
}

}  // namespace gpufeed
