// SPDX-License-Identifier: Apache-2.0
#include "calib/discover/live.h"

#include <fmt/format.h>
#include <hwloc.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>

#include "calib/discover/hwloc_xml.h"
#include "sim/base/files/paste.h"

namespace gpufeed {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& what) {
  throw InputError({{{}, fmt::format("this machine cannot be looked at: {}", what)}});
}

struct TopologyEnd {
  void operator()(hwloc_topology* topology) const { hwloc_topology_destroy(topology); }
};

using Topology = std::unique_ptr<hwloc_topology, TopologyEnd>;

/// Lets hwloc look at the files below a folder as if they were those of its machine.
class OtherRoot {
 public:
  explicit OtherRoot(const fs::path& root) : other_(root != "/") {
    if (other_) {
      setenv("HWLOC_FSROOT", root.c_str(), 1);
      setenv("HWLOC_COMPONENTS", "linux,stop", 1);
    }
  }
  ~OtherRoot() {
    if (other_) {
      unsetenv("HWLOC_FSROOT");
      unsetenv("HWLOC_COMPONENTS");
    }
  }
  OtherRoot(const OtherRoot&) = delete;
  OtherRoot& operator=(const OtherRoot&) = delete;

 private:
  bool other_;
};

Topology topology_with(hwloc_type_filter_e parts_that_move_data) {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) fail("hwloc does not start");
  Topology topology(raw);
  hwloc_topology_set_io_types_filter(raw, parts_that_move_data);
  if (hwloc_topology_load(raw) != 0) fail("hwloc finds nothing");
  return topology;
}

std::string xml_of_machine(const fs::path& root) {
  const OtherRoot other(root);
  const Topology topology = topology_with(HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
  char* text = nullptr;
  int size = 0;
  if (hwloc_topology_export_xmlbuffer(topology.get(), &text, &size, 0) != 0)
    fail("hwloc writes no XML");
  std::string xml(text);
  hwloc_free_xmlbuffer(topology.get(), text);
  return xml;
}

/// The first line of a file; empty where it cannot be read.
std::string line_of(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

double number_in(const fs::path& file) { return std::strtod(line_of(file).c_str(), nullptr); }

/// The lesser of what the function and the port above it can do.
PcieLink best_link(const fs::path& function) {
  PcieLink link;
  for (const fs::path& end : {function, function.parent_path()}) {
    const int generation = generation_of(line_of(end / "max_link_speed"));
    const auto lanes = static_cast<std::int64_t>(number_in(end / "max_link_width"));
    if (generation == 0 || lanes == 0 || lanes > 64) continue;
    link.generation = link.known() ? std::min(link.generation, generation) : generation;
    link.lanes = link.lanes > 0 ? std::min(link.lanes, lanes) : lanes;
  }
  link.of_capabilities = link.known();
  return link;
}

void complete_links(FoundMachine& machine, const fs::path& root) {
  const fs::path all(root / "sys/bus/pci/devices");
  const auto complete = [&](const std::string& bus, PcieLink& link) {
    std::error_code none;
    const fs::path function = bus.empty() ? fs::path() : fs::canonical(all / bus, none);
    if (const PcieLink best = best_link(function); !none && best.known()) link = best;
  };
  for (auto& device : machine.devices) complete(device.bus, device.link);
  for (auto& one : machine.switches) complete(one.bus, one.uplink);
}

/// /sys says Mb/s, and -1 of a port without a link.
void complete_ports(FoundMachine& machine, const fs::path& root) {
  constexpr double kMbps = 1e6 / 8;
  for (auto& device : machine.devices)
    if (device.kind == FoundKind::nic && !device.name.empty())
      device.port_bandwidth = {
          std::max(0.0, number_in(root / "sys/class/net" / device.name / "speed")) * kMbps};
}

bool is_real_disk(const fs::path& block) {
  const std::string name = block.filename();
  for (const char* made : {"loop", "ram", "zram", "dm-", "md", "sr", "fd", "nbd"})
    if (name.starts_with(made)) return false;
  std::error_code none;
  return fs::exists(block / "device", none) && number_in(block / "removable") == 0;
}

void complete_disks(FoundMachine& machine, const fs::path& root) {
  constexpr double kSector = 512;
  std::error_code none;
  std::vector<fs::path> blocks;
  for (const auto& block : fs::directory_iterator(root / "sys/block", none))
    blocks.push_back(block);
  std::ranges::sort(blocks);
  for (const fs::path& block : blocks) {
    if (!is_real_disk(block)) continue;
    const std::string name = block.filename();
    auto disk = std::ranges::find(machine.devices, name, &FoundDevice::name);
    if (disk == machine.devices.end()) {
      FoundDevice loose;
      loose.kind = name.starts_with("sd") ? FoundKind::sata : FoundKind::virtual_disk;
      loose.name = name;
      machine.devices.push_back(loose);
      disk = machine.devices.end() - 1;
    }
    disk->size = {number_in(block / "size") * kSector};
    disk->rotates = disk->kind == FoundKind::sata && number_in(block / "queue/rotational") == 1;
    if (const std::string model = line_of(block / "device/model"); !model.empty())
      disk->product = model.substr(0, model.find_last_not_of(' ') + 1);
  }
  std::erase_if(machine.devices, [](const FoundDevice& one) {
    return one.kind == FoundKind::virtual_disk && one.size.value < 1e9;
  });
}

void read_memory_use(FoundMachine& machine, const fs::path& root) {
  constexpr double kKi = 1024;
  double total = 0;
  double available = 0;
  std::ifstream in(root / "proc/meminfo");
  for (std::string key; in >> key;) {
    double value = 0;
    in >> value;
    if (key == "MemTotal:") total = value * kKi;
    if (key == "MemAvailable:") available = value * kKi;
    in.ignore(100, '\n');
  }
  share_memory(machine, {total});
  if (total > 0 && available > 0) machine.reserved_memory = {std::floor(total - available)};
  const std::string mglru = line_of(root / "sys/kernel/mm/lru_gen/enabled");
  machine.mglru = !mglru.empty() && mglru != "0x0000";
}

/// The name that Linux has for it, as every program prints it: hwloc asks the processor itself,
/// which may answer otherwise below a hypervisor.
void take_processor_name(FoundMachine& machine, const fs::path& root) {
  constexpr std::string_view kName = "model name";
  std::ifstream in(root / "proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(kName)) continue;
    const std::string name(trimmed(std::string_view(line).substr(line.find(':') + 1)));
    for (FoundSocket& socket : machine.sockets)
      if (!name.empty()) socket.cpu = name;
    return;
  }
}

void read_mounts(FoundMachine& machine, const fs::path& root) {
  std::ifstream in(root / "proc/mounts");
  for (std::string line; std::getline(in, line);)
    if (const auto words = split_words(line); words.size() >= 4)
      machine.mounts.push_back({words[0], words[1], words[2], words[3]});
}

}  // namespace

void share_memory(FoundMachine& machine, Bytes total) {
  constexpr double kNear = 0.05;
  Bytes nodes{};
  for (const FoundSocket& socket : machine.sockets) nodes += socket.memory;
  if (total.value <= 0 || std::abs(nodes / total - 1) <= kNear) return;
  if (machine.sockets.empty()) return;
  const auto sockets = static_cast<double>(machine.sockets.size());
  for (FoundSocket& socket : machine.sockets)
    socket.memory = nodes.value > 0 ? total * (socket.memory / nodes) : total / sockets;
  if (machine.sockets.size() == 1) return;
  machine.questions.push_back(fmt::format(
      "how is the memory shared among sockets? Linux has {} in all, its NUMA nodes say {}: each "
      "got its part of all",
      text(total, 3), text(nodes, 3)));
}

FoundMachine machine_at(const fs::path& root) {
  const auto tree = parse_xml(xml_of_machine(root), "hwloc");
  FoundMachine machine = machine_of_hwloc(*tree);
  complete_links(machine, root);
  complete_disks(machine, root);
  complete_ports(machine, root);
  read_memory_use(machine, root);
  take_processor_name(machine, root);
  read_mounts(machine, root);
  return machine;
}

FoundMachine this_machine() {
  FoundMachine machine = machine_at("/");
  machine.source = "this machine";
  if (machine.title.empty()) machine.title = "This machine";
  return machine;
}

int threads_of_core() {
  const Topology topology = topology_with(HWLOC_TYPE_FILTER_KEEP_NONE);
  const hwloc_obj_t core = hwloc_get_obj_by_type(topology.get(), HWLOC_OBJ_CORE, 0);
  return core ? std::max(1, hwloc_bitmap_weight(core->cpuset)) : 1;
}

}  // namespace gpufeed
