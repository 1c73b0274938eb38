// SPDX-License-Identifier: Apache-2.0
#include "calib/discover/nccl_xml.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "calib/discover/cpu_set.h"
#include "calib/discover/pci_function.h"

namespace gpufeed {
namespace {

std::string without_0x(const std::string& text) {
  return text.starts_with("0x") ? text.substr(2) : text;
}

std::string ids_of(const XmlElement& pci, std::string_view vendor, std::string_view device) {
  const std::string& of = pci[vendor];
  if (of.empty() || pci[device].empty() || of == "0xffff") return "";
  return without_0x(of) + ":" + without_0x(pci[device]);
}

class NcclReader {
 public:
  explicit NcclReader(const XmlElement& root) : root_(root) {}

  FoundMachine read() {
    for (const auto& cpu : root_.children)
      if (cpu->name == "cpu") add_socket(*cpu);
    if (machine_.sockets.empty())
      throw InputError({{root_.where, "no <cpu> is in this file: it describes no machine"}});
    join_gpus();
    return std::move(machine_);
  }

 private:
  void add_socket(const XmlElement& cpu) {
    FoundSocket socket;
    socket.threads = CpuSet::of_mask(cpu["affinity"]).count();
    socket.numa_nodes = 1;
    machine_.sockets.push_back(socket);
    const std::size_t number = machine_.sockets.size() - 1;
    if (!cpu["familyid"].empty())
      machine_.questions.push_back(fmt::format("which processor is cpu{}? {}, family {}, model {}",
                                               number, cpu["vendor"], cpu["familyid"],
                                               cpu["modelid"]));
    for (const auto& pci : cpu.children) walk(*pci, {number, {}});
  }

  static PcieLink link_of(const XmlElement& pci) {
    PcieLink link;
    link.generation = generation_of(pci["link_speed"]);
    link.lanes = static_cast<std::int64_t>(number_or_0(pci, "link_width"));
    return link;
  }

  static PciFunction function_of(const XmlElement& pci) {
    PciFunction function;
    constexpr int kBitsOfInterface = 8;
    function.pci_class =
        static_cast<int>(std::strtol(pci["class"].c_str(), nullptr, 16)) >> kBitsOfInterface;
    function.ids = {ids_of(pci, "vendor", "device"),
                    ids_of(pci, "subsystem_vendor", "subsystem_device")};
    function.bus = pci["busid"];
    return function;
  }

  void walk(const XmlElement& pci, const FoundPlace& place) {
    if (pci.name != "pci") return;
    const PciFunction function = function_of(pci);
    if (function.is_bridge()) return add_switch(pci, function, place);
    if (function.pci_class == 0)
      machine_.questions.push_back(
          fmt::format("what is at PCI bus {} of cpu{}? The file does not say, and it is left out",
                      function.bus, place.socket));
    const auto kind = kind_of(function);
    if (!kind) return;
    FoundDevice device;
    device.kind = *kind;
    device.at = place;
    device.ids = function.ids;
    device.bus = function.bus;
    device.link = link_of(pci);
    for (const auto& child : pci.children) describe(*child, device);
    const std::size_t number = add_device(machine_, device);
    for (const auto& child : pci.children)
      if (child->name == "gpu") gpus_[function.bus] = {number, child.get()};
  }

  void add_switch(const XmlElement& pci, const PciFunction& function, const FoundPlace& place) {
    FoundPlace inner = place;
    inner.on_switch = machine_.switches.size();
    machine_.switches.push_back({place, function.ids, function.bus, link_of(pci)});
    for (const auto& child : pci.children) walk(*child, inner);
  }

  /// NCCL says a port's rate in Mb/s.
  static void describe(const XmlElement& child, FoundDevice& device) {
    if (child.name != "nic") return;
    std::set<std::string> ports;
    for (const auto& net : child.children) {
      if (net->name != "net") continue;
      if (device.name.empty()) device.name = (*net)["name"];
      device.port_bandwidth = {number_or_0(*net, "speed") * 1e6 / 8};
      ports.insert((*net)["name"] + ":" + (*net)["port"]);
    }
    device.ports = std::max<std::int64_t>(1, static_cast<std::int64_t>(ports.size()));
  }

  void join_gpus() {
    std::set<std::string> switches;
    for (const auto& [bus, gpu] : gpus_)
      for (const auto& link : gpu.second->children) {
        if (link->name != "nvlink") continue;
        const auto count = static_cast<std::int64_t>(number_of(*link, "count"));
        const auto other = gpus_.find((*link)["target"]);
        if (other == gpus_.end()) {
          switches.insert((*link)["target"]);
          to_switches_[bus] += count;
        } else if (gpu.first < other->second.first) {
          machine_.nvlinks.push_back({gpu.first, other->second.first, count});
        }
      }
    machine_.nvswitches = static_cast<std::int64_t>(switches.size());
    for (const auto& [bus, count] : to_switches_)
      machine_.links_to_nvswitches = std::max(machine_.links_to_nvswitches, count);
  }

  const XmlElement& root_;
  FoundMachine machine_;
  std::map<std::string, std::pair<std::size_t, const XmlElement*>> gpus_;  ///< by bus
  std::map<std::string, std::int64_t> to_switches_;                        ///< links, by bus
};

}  // namespace

FoundMachine machine_of_nccl(const XmlElement& root) { return NcclReader(root).read(); }

}  // namespace gpufeed
