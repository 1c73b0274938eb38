// SPDX-License-Identifier: Apache-2.0
#include "calib/discover/nccl_xml.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "calib/discover/pci_function.h"

namespace gpufeed {
namespace {

// What an NVLink or xGMI link ends at, by the class of the PCI function there.
// Source: NCCL, src/graph/topo.cc, kvDictPciClass.
constexpr std::string_view kToNvswitch = "0x068000";
constexpr std::string_view kToProcessor = "0x068001";

std::string without_0x(const std::string& text) {
  return text.starts_with("0x") ? text.substr(2) : text;
}

std::string ids_of(const XmlElement& pci, std::string_view vendor, std::string_view device) {
  const std::string& of = pci[vendor];
  if (of.empty() || pci[device].empty() || of == "0xffff") return "";
  return without_0x(of) + ":" + without_0x(pci[device]);
}

bool has_child(const XmlElement& element, std::string_view name) {
  return std::ranges::any_of(element.children,
                             [&](const auto& child) { return child->name == name; });
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

class NcclReader {
 public:
  explicit NcclReader(const XmlElement& root) : root_(root) {}

  FoundMachine read() {
    for (const auto& cpu : root_.children)
      if (cpu->name == "cpu") add_node(*cpu);
    if (machine_.sockets.empty())
      throw InputError({{root_.where, "no <cpu> is in this file: it describes no machine"}});
    machine_.sockets_are_nodes = true;
    ask_of_processors();
    join_gpus();
    if (hosts_.size() > 1)
      machine_.questions.push_back(fmt::format(
          "the file tells of {} hosts as one system: is that meant? NCCL fuses nodes that share "
          "NVLink",
          hosts_.size()));
    return std::move(machine_);
  }

 private:
  struct GpuAt {
    std::size_t device = 0;
    const XmlElement* element = nullptr;
  };

  void add_node(const XmlElement& cpu) {
    constexpr std::size_t kMostSockets = 1024;
    if (machine_.sockets.size() == kMostSockets)
      throw InputError({{cpu.where, fmt::format("more than {} processors: this is no one machine",
                                                kMostSockets)}});
    FoundSocket node;
    node.cpus = CpuSet::of_mask(cpu["affinity"]);
    node.threads = node.cpus.count();
    node.numa_nodes = 1;
    constexpr double kMostNodes = 4096;
    if (const double id = cpu["numaid"].starts_with('-') ? -1 : number_or_0(cpu, "numaid");
        cpu.attributes.contains("numaid") && id >= 0 && id < kMostNodes)
      node.node = static_cast<std::int64_t>(id);
    if (!cpu["host_hash"].empty()) hosts_.insert(cpu["host_hash"]);
    machine_.sockets.push_back(node);
    const std::size_t number = machine_.sockets.size() - 1;
    if (!cpu["familyid"].empty())
      processors_.insert(
          fmt::format("{}, family {}, model {}", cpu["vendor"], cpu["familyid"], cpu["modelid"]));
    for (const auto& child : cpu.children) walk(*child, {number, {}});
  }

  void ask_of_processors() {
    for (const std::string& one : processors_)
      machine_.questions.push_back(fmt::format("which processor is it? {}", one));
  }

  static PcieLink link_of(const XmlElement& pci) {
    PcieLink link;
    link.generation = generation_of(pci["link_speed"]);
    constexpr double kMostLanes = 32;
    link.lanes = static_cast<std::int64_t>(std::min(number_or_0(pci, "link_width"), kMostLanes));
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

  /// Where <gpu> or <nic> says what it is, that counts: RCCL leaves ids and some classes out.
  static std::optional<FoundKind> kind_in(const XmlElement& pci, const PciFunction& function) {
    if (has_child(pci, "gpu")) return FoundKind::gpu;
    if (has_child(pci, "nic")) return FoundKind::nic;
    return kind_of(function);
  }

  void walk(const XmlElement& pci, const FoundPlace& place) {
    if (pci.name == "nic") return add_loose_nic(pci, place);
    if (pci.name != "pci") return;
    const PciFunction function = function_of(pci);
    const auto kind = kind_in(pci, function);
    if (!kind && (function.is_bridge() || has_child(pci, "pci")))
      return add_switch(pci, function, place);
    if (!kind && function.pci_class == 0)
      machine_.questions.push_back(fmt::format(
          "what is at PCI bus {}? The file does not say, and it is left out", function.bus));
    else if (!kind)
      machine_.left_out.push_back(fmt::format("PCI bus {}: class {}, which moves no data of a job",
                                              function.bus, pci["class"]));
    if (!kind) return;
    FoundDevice device;
    device.kind = *kind;
    device.at = place;
    device.ids = function.ids;
    device.bus = function.bus;
    device.link = link_of(pci);
    for (const auto& child : pci.children) describe(*child, device);
    add(pci, device);
  }

  void add(const XmlElement& pci, const FoundDevice& device) {
    std::vector<const XmlElement*> gpus;
    for (const auto& child : pci.children)
      if (child->name == "gpu") gpus.push_back(child.get());
    const auto whole = device.kind == FoundKind::gpu ? whole_gpu(device.bus) : std::nullopt;
    const std::size_t number = whole ? *whole : add_device(machine_, device);
    if (whole || gpus.size() > 1)
      partitions_[number] += static_cast<std::int64_t>(gpus.size()) - (whole ? 0 : 1);
    for (const XmlElement* gpu : gpus) {
      gpus_.emplace(lower(device.bus), GpuAt{number, gpu});
      if (gpus.size() > 1 || whole) break;  // links are those of the whole
    }
    if (gpus.empty() && device.kind == FoundKind::gpu)
      gpus_.emplace(lower(device.bus), GpuAt{number, nullptr});
  }

  /// The GPU of which a further function is a partition: AMD numbers them 0000:0c:00.1 and on.
  std::optional<std::size_t> whole_gpu(const std::string& bus) const {
    const std::size_t dot = bus.rfind('.');
    if (dot == std::string::npos || bus.substr(dot) == ".0") return {};
    const auto whole = gpus_.find(lower(bus.substr(0, dot)) + ".0");
    if (whole == gpus_.end()) return {};
    return whole->second.device;
  }

  void add_switch(const XmlElement& pci, const PciFunction& function, const FoundPlace& place) {
    constexpr std::size_t kMostSwitches = 4096;
    if (machine_.switches.size() == kMostSwitches)
      throw InputError({{pci.where, fmt::format("more than {} switches: this is no one machine",
                                                kMostSwitches)}});
    FoundPlace inner = place;
    inner.on_switch = machine_.switches.size();
    machine_.switches.push_back({place, function.ids, function.bus, link_of(pci)});
    for (const auto& child : pci.children) {
      if (child->name == "pcilink")
        machine_.left_out.push_back(
            fmt::format("a link from switch {} to switch {}: ways go through the processor",
                        function.bus, (*child)["target"]));
      walk(*child, inner);
    }
  }

  /// A card of a virtual machine may hang on no PCI function.
  void add_loose_nic(const XmlElement& nic, const FoundPlace& place) {
    FoundDevice device;
    device.kind = FoundKind::nic;
    device.at = place;
    describe(nic, device);
    add_device(machine_, device);
  }

  /// NCCL says a port's rate in Mb/s.
  static void describe(const XmlElement& child, FoundDevice& device) {
    if (child.name != "nic") return;
    constexpr double kFastest = 10e6;  // of one port, in Mb/s: more is another unit, or none
    std::set<std::string> ports;
    for (const auto& net : child.children) {
      if (net->name != "net") continue;
      if (device.name.empty()) device.name = (*net)["name"];
      const double speed = (*net)["speed"].starts_with('-') ? 0 : number_or_0(*net, "speed");
      if (speed <= kFastest) device.port_bandwidth = {speed * 1e6 / 8};
      ports.insert((*net)["name"] + ":" + (*net)["port"]);
    }
    device.ports = std::max<std::int64_t>(1, static_cast<std::int64_t>(ports.size()));
  }

  void join_gpus() {
    std::set<std::string> switches;
    for (const auto& [bus, gpu] : gpus_) {
      if (!gpu.element) continue;
      for (const auto& link : gpu.element->children) {
        if (link->name == "c2c") add_to_processor(*link, gpu.device);
        if (link->name != "nvlink" && link->name != "xgmi") continue;
        join(bus, gpu, *link, switches);
      }
    }
    machine_.nvswitches = static_cast<std::int64_t>(switches.size());
    for (const auto& [bus, count] : to_switches_)
      machine_.links_to_nvswitches = std::max(machine_.links_to_nvswitches, count);
    for (const auto& [device, more] : partitions_)
      if (more > 0)
        machine_.questions.push_back(
            fmt::format("is the GPU at PCI bus {} used as {} partitions? It is taken as a whole",
                        machine_.devices[device].bus, more + 1));
    for (const auto& [target, count] : outside_)
      machine_.questions.push_back(fmt::format(
          "what is at {}, to which {} links of GPUs lead? It is not in the file; they are left out",
          target, count));
  }

  void join(const std::string& bus, const GpuAt& gpu, const XmlElement& link,
            std::set<std::string>& switches) {
    constexpr double kMost = 64;
    const auto count = static_cast<std::int64_t>(std::min(number_of(link, "count"), kMost));
    const std::string target = lower(link["target"]);
    const auto other = gpus_.find(target);
    if (link["tclass"] == kToProcessor) {
      add_nvlinks_to_processor(gpu.device, count);
    } else if (other != gpus_.end()) {
      // told at both ends, or at one
      const bool told = std::ranges::any_of(machine_.nvlinks, [&](const FoundNvlink& one) {
        return one.from == other->second.device && one.to == gpu.device;
      });
      if (!told && other->second.device != gpu.device)
        machine_.nvlinks.push_back({gpu.device, other->second.device, count});
    } else if (link["tclass"] == kToNvswitch || link["tclass"].empty()) {
      switches.insert(target);
      to_switches_[bus] += count;
    } else {
      outside_[link["target"]] += count;
    }
  }

  void add_nvlinks_to_processor(std::size_t device, std::int64_t count) {
    // NVLink 2 of POWER9; NCCL tells no rate. NVIDIA V100 white paper: 25 GB/s each way.
    machine_.devices[device].to_processor += Bandwidth{25e9} * static_cast<double>(count);
  }

  /// "bw" in MB/s of one direction of one link. Source: NCCL, ncclTopoAddC2c().
  void add_to_processor(const XmlElement& link, std::size_t device) {
    const double count = link.attributes.contains("count") ? number_of(link, "count") : 1;
    machine_.devices[device].to_processor += Bandwidth{number_or_0(link, "bw") * 1e6 * count};
  }

  const XmlElement& root_;
  FoundMachine machine_;
  std::map<std::string, GpuAt> gpus_;                ///< by bus
  std::map<std::size_t, std::int64_t> partitions_;   ///< more than one, of a GPU
  std::map<std::string, std::int64_t> to_switches_;  ///< links, by bus
  std::map<std::string, std::int64_t> outside_;      ///< links, by what they end at
  std::set<std::string> hosts_;
  std::set<std::string> processors_;
};

}  // namespace

FoundMachine machine_of_nccl(const XmlElement& root) { return NcclReader(root).read(); }

}  // namespace gpufeed
