// SPDX-License-Identifier: Apache-2.0
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "calib/discover/pci_function.h"
#include "calib/discover/report/matrix_devices.h"
#include "calib/discover/report/parts_of_report.h"
#include "sim/base/printable.h"

namespace gpufeed {
namespace {

/// Places of the devices of a kind, as nvidia-smi numbers them: by their buses where all have one.
std::vector<std::size_t> in_order(const FoundMachine& machine, FoundKind kind) {
  std::vector<std::size_t> all;
  bool buses = true;
  for (std::size_t i = 0; i < machine.devices.size(); ++i)
    if (machine.devices[i].kind == kind) {
      all.push_back(i);
      buses = buses && !machine.devices[i].bus.empty();
    }
  if (buses)
    std::ranges::stable_sort(all, {},
                             [&](std::size_t i) { return plain_bus(machine.devices[i].bus); });
  return all;
}

FoundKind kind_of_drive(const std::string& name) {
  if (name.starts_with("nvme")) return FoundKind::nvme;
  return name.starts_with("sd") ? FoundKind::sata : FoundKind::virtual_disk;
}

class Combiner {
 public:
  Combiner(MachineFrames frames, ReportFacts facts)
      : frames_(std::move(frames)), facts_(std::move(facts)) {}

  FoundMachine combine() {
    take_frame();
    join_matrix();
    join_functions();
    join_gpus();
    join_links();
    join_cards();
    join_drives();
    place_by_nodes();
    join_nodes(machine_, facts_.processor);
    share();
    machine_.mounts = std::move(facts_.mounts);
    std::ranges::move(facts_.questions, std::back_inserter(machine_.questions));
    std::ranges::move(facts_.left_out, std::back_inserter(machine_.left_out));
    return std::move(machine_);
  }

 private:
  void take_frame() {
    for (auto* frame : {&frames_.files, &frames_.hwloc, &frames_.nccl, &frames_.matrix})
      if (*frame && machine_.sockets.empty()) {
        machine_ = std::move((*frame)->machine);
        frame->reset();
      }
    if (!machine_.sockets.empty()) return;
    machine_.sockets_are_nodes = true;
    const auto& nodes = facts_.processor.nodes;
    machine_.sockets.resize(std::max<std::size_t>(1, nodes.size()));
    for (std::size_t i = 0; i < machine_.sockets.size(); ++i) {
      machine_.sockets[i].node = static_cast<std::int64_t>(i);
      if (i < nodes.size()) machine_.sockets[i].cpus = nodes[i];
    }
    no_tree_ = true;
  }

  /// The number of `machine_.sockets` for a NUMA node, as long as they are nodes.
  std::size_t socket_of_node(std::int64_t node) const {
    for (std::size_t i = 0; i < machine_.sockets.size(); ++i)
      if (machine_.sockets[i].node == node) return i;
    const auto nodes = static_cast<std::int64_t>(facts_.processor.nodes.size());
    const auto sockets = static_cast<std::int64_t>(machine_.sockets.size());
    if (machine_.sockets_are_nodes || nodes < sockets) return 0;
    return static_cast<std::size_t>(
        std::clamp<std::int64_t>(node * sockets / nodes, 0, sockets - 1));
  }

  static PciFunction function_of(const PciFacts& facts) {
    PciFunction function;
    function.pci_class = facts.pci_class;
    function.ids = facts.ids;
    function.bus = facts.bus;
    if (function.ids.device.empty()) {  // lspci without -n: by its words
      if (facts.product.find("NVIDIA") != std::string::npos) function.ids.device = "10de:";
      if (facts.product.find("AMD") != std::string::npos) function.ids.device = "1002:";
    }
    return function;
  }

  /// Functions that lspci tells and the frame has not; those that it has get their ids.
  void join_functions() {
    std::map<FoundKind, std::vector<FoundDevice>> found;
    for (const PciFacts& facts : facts_.pci) {
      const PciFunction function = function_of(facts);
      if (function.is_nvswitch()) ++switch_chips_;
      const auto kind = kind_of(function);
      if (!kind && function.is_display())
        facts_.left_out.push_back(fmt::format("PCI bus {}: {}, which drives a screen, not a job",
                                              facts.bus, printable(facts.product)));
      if (!kind || *kind == FoundKind::disk_controller) continue;
      FoundDevice device;
      device.kind = *kind;
      device.bus = facts.bus;
      device.ids = facts.ids;
      device.product = facts.product;
      device.link = facts.link;
      if (facts.node) node_of_[facts.bus] = *facts.node;
      found[*kind].push_back(std::move(device));
    }
    for (auto& [kind, devices] : found) join_kind(kind, devices);
    if (switch_chips_ > 0 && machine_.nvswitches == 0) machine_.nvswitches = switch_chips_;
  }

  void join_kind(FoundKind kind, std::vector<FoundDevice>& devices) {
    const auto have = in_order(machine_, kind);
    const bool buses =
        std::ranges::any_of(have, [&](std::size_t i) { return !machine_.devices[i].bus.empty(); });
    if (!have.empty() && !buses) return pair_up(kind, have, devices);
    for (FoundDevice& device : devices) {
      const auto same = std::ranges::find_if(
          have, [&](std::size_t i) { return plain_bus(machine_.devices[i].bus) == device.bus; });
      if (same == have.end())
        add(std::move(device));
      else
        complete(machine_.devices[*same], device);
    }
  }

  /// A matrix numbers its devices in the order of their buses, ports of a card each.
  void pair_up(FoundKind kind, const std::vector<std::size_t>& have,
               std::vector<FoundDevice>& devices) {
    std::ranges::stable_sort(devices, {}, &FoundDevice::bus);
    if (kind == FoundKind::nic)  // cards for management are no NICs of NCCL
      std::erase_if(devices, [&](const FoundDevice& one) {
        return devices.size() > have.size() && !one.ids.device.starts_with("15b3");
      });
    if (devices.size() == have.size()) {
      for (std::size_t i = 0; i < have.size(); ++i) complete(machine_.devices[have[i]], devices[i]);
      return;
    }
    facts_.questions.push_back(fmt::format(
        "which {} of lspci are those of the matrix? There are {} and {}; theirs of lspci are not "
        "taken",
        kind == FoundKind::gpu ? "GPUs" : "cards", devices.size(), have.size()));
  }

  static void complete(FoundDevice& device, const FoundDevice& more) {
    if (device.bus.empty()) device.bus = more.bus;
    if (device.ids.device.empty()) device.ids = more.ids;
    if (device.product.empty()) device.product = more.product;
    if (!device.link.of_capabilities && more.link.known()) device.link = more.link;
    if (device.size.value == 0) device.size = more.size;
  }

  void add(FoundDevice device) {
    const auto node = node_of_.find(device.bus);
    if (node != node_of_.end())
      device.at.socket = socket_of_node(node->second);
    else if (machine_.sockets.size() > 1)
      unplaced_.push_back(device.name.empty() ? device.bus : device.name);
    add_device(machine_, std::move(device));
  }

  void join_gpus() {
    const auto have = in_order(machine_, FoundKind::gpu);
    std::size_t beside = 0;
    for (const auto& each : facts_.gpus) {
      const auto number = each.first;
      const GpuFacts& facts = each.second;
      FoundDevice device;
      device.kind = FoundKind::gpu;
      device.product = facts.product;
      device.bus = facts.bus;
      device.link = facts.link;
      device.size = facts.memory;
      if (facts.instances > 0)
        facts_.questions.push_back(fmt::format(
            "is GPU {} used as {} MIG instances? It is taken as a whole", number, facts.instances));
      if (const auto node = facts_.gpu_node.find(number); node != facts_.gpu_node.end())
        node_of_[device.bus] = node->second;
      const auto same = std::ranges::find_if(have, [&](std::size_t i) {
        return !facts.bus.empty() && plain_bus(machine_.devices[i].bus) == facts.bus;
      });
      const auto place = static_cast<std::size_t>(number);
      if (same != have.end())
        complete_gpu(machine_.devices[*same], device);
      else if (place < have.size() &&
               (facts.bus.empty() || machine_.devices[have[place]].bus.empty()))
        complete_gpu(machine_.devices[have[place]], device);
      else if (have.empty())
        add(std::move(device));
      else
        ++beside;
    }
    if (beside > 0)
      facts_.questions.push_back(fmt::format(
          "how many GPUs has it? {} more were listed than the {} of the tree; they are left out",
          beside, have.size()));
    else if (!facts_.gpus.empty() && have.size() > facts_.gpus.size())
      facts_.questions.push_back(
          fmt::format("how many GPUs has it? {} were listed, the tree has {}, which are taken",
                      facts_.gpus.size(), have.size()));
  }

  /// A driver's name tells the product better than lspci's.
  static void complete_gpu(FoundDevice& device, const FoundDevice& more) {
    if (!more.product.empty()) device.product = more.product;
    complete(device, more);
  }

  /// Devices of the matrix of kinds that the frame has none of; of the others, both counts.
  void join_matrix() {
    if (!frames_.matrix) return;
    const FoundMachine& matrix = frames_.matrix->machine;
    std::set<FoundKind> missing;
    for (const FoundKind kind : {FoundKind::gpu, FoundKind::nic})
      if (in_order(machine_, kind).empty()) missing.insert(kind);
    const std::size_t theirs = in_order(matrix, FoundKind::nic).size();
    if (!missing.contains(FoundKind::nic) && theirs > 0 && theirs != ports_in(machine_))
      facts_.questions.push_back(
          fmt::format("how many network cards has it? The matrix of nvidia-smi has {} ports, the "
                      "tree {}, which are taken",
                      theirs, ports_in(machine_)));
    take_devices(matrix, missing, machine_);
  }

  static std::size_t ports_in(const FoundMachine& machine) {
    std::int64_t ports = 0;
    for (const FoundDevice& device : machine.devices)
      if (device.kind == FoundKind::nic) ports += device.ports;
    return static_cast<std::size_t>(ports);
  }

  /// NVLinks of a matrix beside a frame that tells none, GPU by GPU.
  void join_links() {
    const auto have = in_order(machine_, FoundKind::gpu);
    std::vector<GpuPair> pairs = std::move(facts_.pairs);
    if (frames_.matrix) {
      const FoundMachine& matrix = frames_.matrix->machine;
      const auto theirs = in_order(matrix, FoundKind::gpu);
      if (theirs.size() != have.size())
        return facts_.questions.push_back(
            fmt::format("how many GPUs has it? The matrix of nvidia-smi has {}, the tree {}; the "
                        "matrix is not taken",
                        theirs.size(), have.size()));
      const auto number = [&](std::size_t device) {
        return static_cast<std::size_t>(std::ranges::find(theirs, device) - theirs.begin());
      };
      for (const FoundNvlink& link : matrix.nvlinks)
        pairs.push_back({number(link.from), number(link.to), link.count});
    }
    if (!machine_.nvlinks.empty() || machine_.links_to_nvswitches > 0) return;
    for (const GpuPair& pair : pairs)
      if (pair.from < have.size() && pair.to < have.size() && pair.from != pair.to)
        machine_.nvlinks.push_back({have[pair.from], have[pair.to], pair.links});
  }

  void join_cards() {
    const auto have = in_order(machine_, FoundKind::nic);
    for (const auto& each : facts_.net) {
      const std::string& name = each.first;
      const NetFacts& net = each.second;
      const auto same = std::ranges::find_if(have, [&](std::size_t i) {
        const FoundDevice& device = machine_.devices[i];
        return device.name == name || (!net.bus.empty() && plain_bus(device.bus) == net.bus);
      });
      if (same != have.end()) {
        FoundDevice& device = machine_.devices[*same];
        if (device.port_bandwidth.value == 0) device.port_bandwidth = net.rate;
        if (device.name.empty()) device.name = name;
      } else if (have.empty() && net.rate.value > 0) {
        FoundDevice device;
        device.kind = FoundKind::nic;
        device.name = name;
        device.port_bandwidth = net.rate;
        add(std::move(device));
      } else if (name != "lo" && !name.starts_with("docker") && !name.starts_with("veth")) {
        facts_.left_out.push_back(
            fmt::format("interface {}: its card was not told", printable(name)));
      }
    }
  }

  void join_drives() {
    // controllers of NVMe drives, which lspci tells without their names
    std::vector<std::size_t> nameless;
    for (const std::size_t i : in_order(machine_, FoundKind::nvme))
      if (machine_.devices[i].name.empty()) nameless.push_back(i);
    const auto count = static_cast<std::size_t>(std::ranges::count_if(
        facts_.drives, [](const auto& one) { return one.first.starts_with("nvme"); }));
    const bool alike = nameless.size() == count;
    std::size_t next = 0;
    for (const auto& each : facts_.drives) {
      const std::string& name = each.first;
      const DriveFacts& facts = each.second;
      FoundDevice drive;
      drive.kind = kind_of_drive(name);
      drive.name = name;
      drive.product = facts.product;
      drive.size = facts.size;
      drive.rotates = facts.rotates && drive.kind == FoundKind::sata;
      const auto same = std::ranges::find(machine_.devices, name, &FoundDevice::name);
      FoundDevice* known = same != machine_.devices.end() ? &*same : nullptr;
      if (!known && alike && drive.kind == FoundKind::nvme && next < nameless.size())
        known = &machine_.devices[nameless[next++]];
      if (!known) {
        constexpr double kSmallest = 1e9;
        if (drive.kind != FoundKind::virtual_disk || drive.size.value >= kSmallest)
          add(std::move(drive));
        continue;
      }
      known->name = name;
      if (!facts.product.empty()) known->product = facts.product;
      if (known->size.value == 0) known->size = facts.size;
      known->rotates = known->rotates || drive.rotates;
    }
  }

  void place_by_nodes() {
    if (!unplaced_.empty())
      facts_.questions.push_back(
          fmt::format("which socket {} {} hang on? It was not told; cpu0 is assumed",
                      unplaced_.size() == 1 ? "does" : "do", fmt::join(unplaced_, ", ")));
    const bool gpus = !in_order(machine_, FoundKind::gpu).empty();
    if (no_tree_ && gpus)
      facts_.questions.emplace_back(
          "which switches are between GPUs, cards and sockets? No tree was told (lstopo --of xml "
          "tells it, nvidia-smi topo -m roughly); each part hangs on its socket");
  }

  /// Memory by nodes where those are told, else all of it in equal parts.
  void share() {
    const auto nodes = static_cast<std::int64_t>(facts_.processor.nodes.size());
    const auto sockets = static_cast<std::int64_t>(machine_.sockets.size());
    if (nodes >= sockets && !facts_.node_memory.empty()) {
      std::vector<Bytes> memory(machine_.sockets.size());
      for (const auto& [node, size] : facts_.node_memory) {
        const bool has_threads =
            node < nodes && !facts_.processor.nodes[static_cast<std::size_t>(node)].empty();
        if (has_threads)
          memory[static_cast<std::size_t>(node * sockets / nodes)] += size;
        else
          machine_.left_out.push_back(fmt::format(
              "NUMA node {}: {} without processors, of CXL or a GPU", node, text(size, 3)));
      }
      for (std::size_t i = 0; i < memory.size(); ++i)
        if (machine_.sockets[i].memory.value == 0) machine_.sockets[i].memory = memory[i];
      return;
    }
    const bool known = std::ranges::any_of(
        machine_.sockets, [](const FoundSocket& one) { return one.memory.value > 0; });
    if (known || facts_.memory.value <= 0) return;
    for (FoundSocket& socket : machine_.sockets)
      socket.memory = facts_.memory / static_cast<double>(machine_.sockets.size());
    if (machine_.sockets.size() > 1)
      machine_.questions.push_back(
          fmt::format("how is the memory shared among sockets? {} in all; equal parts are assumed",
                      text(facts_.memory, 3)));
  }

  MachineFrames frames_;
  ReportFacts facts_;
  FoundMachine machine_;
  bool no_tree_ = false;
  std::int64_t switch_chips_ = 0;
  std::map<std::string, std::int64_t> node_of_;  ///< by bus
  std::vector<std::string> unplaced_;
};

}  // namespace

FoundMachine combined(MachineFrames frames, ReportFacts facts) {
  return Combiner(std::move(frames), std::move(facts)).combine();
}

}  // namespace gpufeed
