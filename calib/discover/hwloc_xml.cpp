// SPDX-License-Identifier: Apache-2.0
#include "calib/discover/hwloc_xml.h"

#include <algorithm>
#include <cstdlib>

#include "calib/discover/cpu_set.h"
#include "calib/discover/hwloc_nvlink.h"
#include "calib/discover/pci_function.h"

namespace gpufeed {
namespace {

constexpr double kKi = 1024;

/// The value of `<info name=NAME value=.../>`; empty where there is none.
std::string info_of(const XmlElement& object, std::string_view name) {
  for (const auto& child : object.children)
    if (child->name == "info" && (*child)["name"] == name) return (*child)["value"];
  return "";
}

/// What a bridge is to what hangs below it.
enum class Role { host, root_port, switch_itself, switch_port };

class HwlocReader {
 public:
  explicit HwlocReader(const XmlElement& root) : root_(root) {
    const std::string& version = root["version"];
    bits_for_types_ = !version.empty() && version[0] >= '3';
  }

  FoundMachine read() {
    for (const auto& child : root_.children) collect(*child, {});
    if (machine_.sockets.empty()) sockets_missing();
    spread_memory();
    for (const auto& child : root_.children) visit(*child, {});
    find_nvlinks(root_, {places_, sockets_}, machine_);
    return std::move(machine_);
  }

 private:
  struct Node {
    CpuSet cpus;
    double memory_B = 0;
  };

  [[noreturn]] void fail(const std::string& message) const {
    throw InputError({{root_.where, message}});
  }

  /// Sockets, cores and memory.
  void collect(const XmlElement& object, std::optional<std::size_t> socket) {
    const std::string& type = object["type"];
    if (type == "Machine" && machine_.title.empty()) machine_.title = title_of(object);
    if (type == "Machine" && model_.empty()) model_ = info_of(object, "CPUModel");
    if (type == "Package" || type == "Socket") {
      constexpr std::size_t kMostSockets = 1024;
      if (machine_.sockets.size() == kMostSockets)
        fail(fmt::format("more than {} packages: this is no one machine", kMostSockets));
      socket = machine_.sockets.size();
      FoundSocket package;
      package.cpu = info_of(object, "CPUModel");
      if (package.cpu.empty()) package.cpu = model_;  // hwloc 1.x may say it once
      package.cpus = CpuSet::of_mask(object["cpuset"]);
      sockets_[object["gp_index"]] = *socket;
      machine_.sockets.push_back(std::move(package));
    }
    if (type == "Core") ++(socket ? machine_.sockets[*socket].cores : loose_cores_);
    if (type == "PU") ++(socket ? machine_.sockets[*socket].threads : loose_threads_);
    if (const double memory = number_or_0(object, "local_memory");
        type == "NUMANode" || (type == "Machine" && memory > 0))
      collect_memory(object, memory);
    for (const auto& child : object.children) collect(*child, socket);
  }

  /// Memory that is not the processor's own is no part of a socket: of CXL, of a GPU, persistent.
  void collect_memory(const XmlElement& node, double memory_B) {
    const std::string& kind = node["subtype"];
    const bool dax = !info_of(node, "DAXDevice").empty();
    const bool of_gpu = kind.starts_with("GPU") || !info_of(node, "PCIBusID").empty();
    if (dax || of_gpu || kind.starts_with("CXL") || kind == "NVM" || kind == "SPM") {
      machine_.left_out.push_back(
          fmt::format("NUMA node {}: {} of {}memory, which is not the processor's own",
                      node["os_index"], text(Bytes{memory_B}, 3),
                      of_gpu         ? "GPU "
                      : kind.empty() ? "DAX "
                                     : kind + " "));
      return;
    }
    nodes_.push_back({CpuSet::of_mask(node["cpuset"]), memory_B});
  }

  static std::string title_of(const XmlElement& machine) {
    const std::string product = info_of(machine, "DMIProductName");
    const std::string vendor = info_of(machine, "DMISysVendor");
    if (product.empty()) return "";
    return vendor.empty() ? product : vendor + " " + product;
  }

  void sockets_missing() {
    if (loose_threads_ == 0) fail("no processor is in this file: it describes no machine");
    FoundSocket all;
    all.cpu = model_;
    all.cores = loose_cores_;
    all.threads = loose_threads_;
    machine_.sockets.push_back(std::move(all));
  }

  /// A NUMA node's memory is that of the sockets whose threads are near it, or of all.
  void spread_memory() {
    for (const Node& node : nodes_) {
      std::vector<FoundSocket*> near;
      for (std::size_t i = 0; i < machine_.sockets.size(); ++i)
        if (machine_.sockets[i].cpus.overlaps(node.cpus)) near.push_back(&machine_.sockets[i]);
      if (near.empty())
        for (FoundSocket& socket : machine_.sockets) near.push_back(&socket);
      for (FoundSocket* socket : near) {
        socket->memory.value += node.memory_B / static_cast<double>(near.size());
        ++socket->numa_nodes;
      }
    }
  }

  void visit(const XmlElement& object, const CpuSet& outer) {
    const std::string& type = object["type"];
    const std::string& mask = object["cpuset"];
    const CpuSet cpus = mask.empty() ? outer : CpuSet::of_mask(mask);
    if (type == "Bridge" || type == "PCIDev" || type == "OSDev") {
      const FoundPlace place{socket_near(cpus, object), {}};
      if (type == "OSDev") return add_loose_disk(object, place);
      return walk(object, place, Role::host);
    }
    for (const auto& child : object.children) visit(*child, cpus);
  }

  std::size_t socket_near(const CpuSet& cpus, const XmlElement& object) {
    std::vector<std::size_t> near;
    for (std::size_t i = 0; i < machine_.sockets.size(); ++i)
      if (machine_.sockets[i].cpus.overlaps(cpus)) near.push_back(i);
    if (near.size() == 1) return near.front();
    if (machine_.sockets.size() > 1 && object["type"] != "OSDev")
      unsure_.push_back(object["pci_busid"].empty() ? object["bridge_pci"] : object["pci_busid"]);
    return near.empty() ? 0 : near.front();
  }

  void walk(const XmlElement& object, const FoundPlace& place, Role above) {
    if (object["type"] == "PCIDev") return add_function(object, place);
    if (object["type"] != "Bridge") return;
    const std::size_t questions = unsure_.size();
    const std::size_t devices = machine_.devices.size();
    const bool host = object["bridge_type"].starts_with("0-");
    const Role role = host                           ? Role::host
                      : above == Role::host          ? Role::root_port
                      : above == Role::switch_itself ? Role::switch_port
                      : has_bridges(object)          ? Role::switch_itself
                                                     : Role::root_port;
    FoundPlace inner = place;
    if (role == Role::switch_itself) {
      inner.on_switch = machine_.switches.size();
      machine_.switches.push_back({place, function_of(object).ids, object["pci_busid"],
                                   link_of_rate(number_or_0(object, "pci_link_speed"))});
    }
    const std::size_t switches = machine_.switches.size();
    for (const auto& child : object.children) walk(*child, inner, role);
    const bool bare = machine_.devices.size() == devices;
    if (bare && role == Role::switch_itself) {
      machine_.left_out.push_back(fmt::format("switch {}: nothing that a job uses hangs below it",
                                              machine_.switches.back().bus));
      machine_.switches.resize(switches - 1);
    }
    if (!bare && unsure_.size() > questions) unsure_.resize(questions);
    if (above == Role::host && host) tell_unsure(!bare);
  }

  static bool has_bridges(const XmlElement& object) {
    return std::ranges::any_of(object.children,
                               [](const auto& child) { return (*child)["type"] == "Bridge"; });
  }

  /// Which socket a root hangs on matters only where something of interest is below it.
  void tell_unsure(bool matters) {
    if (matters)
      for (const std::string& bus : unsure_)
        machine_.questions.push_back(fmt::format(
            "which socket does PCI bus {} hang on? It is taken to be the first near it", bus));
    unsure_.clear();
  }

  /// "0302 [10de:1db8] [10de:131d] a1 00".
  static PciFunction function_of(const XmlElement& object) {
    const std::string& type = object["pci_type"];
    PciFunction function;
    function.bus = object["pci_busid"];
    function.pci_class = static_cast<int>(std::strtol(type.substr(0, 4).c_str(), nullptr, 16));
    constexpr std::size_t kIds = 9;
    if (type.size() >= 15) function.ids.device = type.substr(6, kIds);
    if (type.size() >= 27) function.ids.subsystem = type.substr(18, kIds);
    return function;
  }

  void add_function(const XmlElement& object, const FoundPlace& place) {
    const PciFunction function = function_of(object);
    if (function.is_nvswitch()) ++machine_.nvswitches;
    const auto kind = kind_of(function);
    if (!kind && function.is_display())
      machine_.left_out.push_back(fmt::format("PCI bus {}: {}, which drives a screen, not a job",
                                              function.bus, shown_product(object, function)));
    if (!kind) return;
    FoundDevice device;
    device.kind = *kind;
    device.at = place;
    device.ids = function.ids;
    device.bus = function.bus;
    device.link = link_of_rate(number_or_0(object, "pci_link_speed"));
    device.product = info_of(object, "PCIDevice");
    if (device.product.empty()) device.product = object["name"];
    if (*kind == FoundKind::gpu || *kind == FoundKind::nic) {
      for (const auto& child : object.children) describe(*child, device);
      places_[object["gp_index"]] = add_device(machine_, device);
      for (const auto& child : object.children)
        if ((*child)["type"] == "OSDev")
          places_[(*child)["gp_index"]] = places_[object["gp_index"]];
      return;
    }
    add_disks(object, device);
  }

  static std::string shown_product(const XmlElement& object, const PciFunction& function) {
    const std::string product = info_of(object, "PCIDevice");
    return product.empty() ? "PCI id " + function.ids.device : product;
  }

  /// What an operating system's device says of the function below it.
  static void describe(const XmlElement& os, FoundDevice& device) {
    if (os["type"] != "OSDev") return;
    if (device.name.empty()) device.name = os["name"];
    if (const std::string model = info_of(os, "GPUModel"); !model.empty()) device.product = model;
    for (const char* key : {"CUDAGlobalMemorySize", "OpenCLGlobalMemorySize"})
      if (const std::string size = info_of(os, key); !size.empty())
        device.size = {std::strtod(size.c_str(), nullptr) * kKi};
  }

  bool is_disk(const XmlElement& os) const {
    if (os["type"] != "OSDev") return false;
    const double type = number_or_0(os, "osdev_type");
    const bool block = bits_for_types_ ? static_cast<int>(type) & 1 : type == 0;
    const std::string& subtype = os["subtype"];
    const bool optical = os["name"].starts_with("sr");
    return block && !optical && (subtype.empty() || subtype == "Disk");
  }

  /// The drives of a controller; an NVMe drive is one itself, known to the system or not.
  void add_disks(const XmlElement& object, const FoundDevice& controller) {
    bool any = false;
    for (const auto& child : object.children) {
      if (!is_disk(*child)) continue;
      any = true;
      FoundDevice disk = controller;
      add_disk(*child, disk);
    }
    if (!any && controller.kind == FoundKind::nvme) add_device(machine_, controller);
  }

  void add_disk(const XmlElement& os, FoundDevice& disk) {
    disk.name = os["name"];
    if (disk.kind != FoundKind::nvme) disk.product.clear();  // that of the controller
    if (disk.kind == FoundKind::disk_controller) {
      disk.kind = FoundKind::sata;
      disk.ids = {};
    }
    if (const std::string model = info_of(os, "Model"); !model.empty()) disk.product = model;
    if (const std::string size = info_of(os, "Size"); !size.empty())
      disk.size = {std::strtod(size.c_str(), nullptr) * kKi};
    constexpr double kSmallest = 1e9;
    if (disk.size.value == 0 || disk.size.value >= kSmallest)
      add_device(machine_, disk);
    else
      machine_.left_out.push_back(
          fmt::format("disk {}: {}, too small for data", disk.name, text(disk.size, 3)));
  }

  /// A disk that hangs on no PCI function.
  void add_loose_disk(const XmlElement& object, const FoundPlace& place) {
    if (!is_disk(object)) return;
    FoundDevice disk;
    disk.kind = FoundKind::virtual_disk;
    disk.at = place;
    add_disk(object, disk);
  }

  const XmlElement& root_;
  bool bits_for_types_ = false;  ///< version 3: osdev_type is a set of bits
  FoundMachine machine_;
  std::string model_;  ///< of all processors
  PlacesByIndex sockets_;
  std::vector<Node> nodes_;
  std::int64_t loose_cores_ = 0;
  std::int64_t loose_threads_ = 0;
  std::vector<std::string> unsure_;
  PlacesByIndex places_;
};

}  // namespace

FoundMachine machine_of_hwloc(const XmlElement& root) { return HwlocReader(root).read(); }

}  // namespace gpufeed
