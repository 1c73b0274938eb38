// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>

#include "sim/base/labels/label_text.h"
#include "sim/load/check/checks.h"
#include "sim/model/catalog/system.h"

namespace gpufeed {
namespace {

/// Widths of a PCIe link (PCI Express Base Specification 3.0).
constexpr std::array<std::int64_t, 7> kWidths{1, 2, 4, 8, 12, 16, 32};

/// Each message names the cause and a repair. Parts whose product was not found are passed over:
/// that has been reported.
class BuildChecker {
 public:
  BuildChecker(const std::string& system_name, const System& system, Diagnostics& out)
      : system_name_(system_name), system_(system), out_(out) {}

  void check() {
    for (const auto& volume : system_.volumes) check_raid(volume);
    check_widths("switch", system_.switches);
    check_widths("gpu", system_.gpus);
    check_widths("nic", system_.nics);
    check_widths("drive", system_.drives);
    for (const auto& socket : system_.sockets) check_lanes(socket);
    check_memory();
    check_power();
    for (const auto& board : system_.nvswitches) check_modules(board);
    for (const auto& gpu : system_.gpus) check_nvlinks(gpu);
  }

 private:
  void check_raid(const Volume& volume) {
    static const std::map<Layout, std::size_t> least{{Layout::raid0, 1},  {Layout::raid1, 2},
                                                     {Layout::raid5, 3},  {Layout::raid6, 4},
                                                     {Layout::raid10, 4}, {Layout::files, 1}};
    const std::size_t drives = volume.drives.size();
    if (drives == 0) return;  // reported with its patterns
    if (drives < least.at(volume.layout))
      out_.error(ProblemCode::out_of_range, volume.where,
                 "volume \"{}\": {} needs {} drives at least, and it has {}; add "
                 "drives, or use another layout",
                 text_of(volume.id), name_of(volume.layout), least.at(volume.layout), drives);
    else if (volume.layout == Layout::raid10 && drives % 2 != 0)
      out_.error(ProblemCode::conflict, volume.where,
                 "volume \"{}\": raid10 needs pairs of drives, and it has {}; add "
                 "one, or use another layout",
                 text_of(volume.id), drives);
  }

  static bool is_pcie(const Ref<Link>& link) { return link && link->kind() == LinkFamily::pcie; }

  template <class Product>
  std::int64_t lanes_at(const std::vector<Device<Product>>& devices, const Label& socket) {
    std::int64_t lanes = 0;
    for (const auto& device : devices)
      if (device.at.id == socket && device.model && is_pcie(device.model->link))
        lanes += device.lanes.value_or(device.model->lanes);
    return lanes;
  }

  /// That the links to other sockets take of a socket's own.
  std::int64_t lanes_of_socket_links(const Label& socket) {
    std::int64_t lanes = 0;
    for (const auto& link : system_.socket_links)
      if (link.link && std::ranges::count(link.between, socket, &PartRef::id) > 0)
        lanes += link.count * link.link->cpu_lanes;
    return lanes;
  }

  void check_lanes(const Socket& socket) {
    if (!socket.model || !socket.model->pcie_lanes) return;
    const std::int64_t used =
        lanes_at(system_.switches, socket.id) + lanes_at(system_.gpus, socket.id) +
        lanes_at(system_.nics, socket.id) + lanes_at(system_.drives, socket.id);
    const std::int64_t joining = lanes_of_socket_links(socket.id);
    if (used + joining > *socket.model->pcie_lanes)
      out_.error(ProblemCode::too_large, socket.where,
                 "socket \"{}\": the parts on it take {} PCIe lanes, and {} has {}{}; hang some on "
                 "another socket or behind a switch, or give them fewer lanes",
                 text_of(socket.id), used, socket.model.name, *socket.model->pcie_lanes,
                 joining > 0 ? fmt::format(", of which {} join it to other sockets", joining) : "");
  }

  template <class Parts>
  void add_power(const Parts& parts, Power& sum) {
    for (const auto& part : parts)
      if (part.model && part.model->power) sum += *part.model->power;
  }

  void check_power() {
    if (!system_.power_supply) return;
    Power sum{};
    add_power(system_.sockets, sum);
    add_power(system_.switches, sum);
    add_power(system_.gpus, sum);
    add_power(system_.nics, sum);
    add_power(system_.drives, sum);
    if (sum > *system_.power_supply)
      out_.error(ProblemCode::too_large, system_.where,
                 "{}: its parts draw {} at full load, and its power supplies deliver {}; take "
                 "fewer or thriftier parts, or a larger power_supply",
                 system_name_, text(sum, 4), text(*system_.power_supply, 4));
  }

  template <class Product>
  void check_widths(std::string_view kind, const std::vector<Device<Product>>& devices) {
    for (const auto& device : devices) {
      if (!device.model || !is_pcie(device.model->link)) continue;
      const std::int64_t lanes = device.lanes.value_or(device.model->lanes);
      if (!std::ranges::count(kWidths, lanes))
        out_.error(ProblemCode::out_of_range, device.where,
                   "{} \"{}\": no PCIe link has {} lanes; expected one of {}", kind,
                   text_of(device.id), lanes, fmt::join(kWidths, ", "));
    }
  }

  void check_memory() {
    Bytes memory{};
    for (const auto& socket : system_.sockets) memory += socket.memory;
    if (memory.value == 0) return;  // no socket: reported
    if (memory <= system_.reserved_memory)
      out_.error(ProblemCode::too_large, system_.sockets.front().where,
                 "{} has {} of memory, and the system and other programs hold {} of it; add "
                 "memory, or lower reserved_memory",
                 system_name_, text(memory, 3), text(system_.reserved_memory, 3));
  }

  void check_modules(const NvSwitch& board) {
    for (const auto& ref : board.gpus) {
      const auto gpu = std::ranges::find(system_.gpus, ref.id, &Device<Gpu>::id);
      if (gpu == system_.gpus.end() || !gpu->model || gpu->model->form != GpuForm::card) continue;
      out_.error(ProblemCode::unfit_part, gpu->where,
                 "gpu \"{}\": {} is a card for a PCIe slot, and NVSwitches (\"{}\") join modules "
                 "on a board of their own; take a module (form = \"module\"), or a machine whose "
                 "GPUs are cards",
                 text_of(gpu->id), gpu->model.name, text_of(board.id));
      return;  // the others are alike
    }
  }

  void check_nvlinks(const Device<Gpu>& gpu) {
    if (!gpu.model || !gpu.model->nvlinks) return;
    std::int64_t used = 0;
    for (const auto& link : system_.nvlinks)
      if (std::ranges::count(link.between, gpu.id, &PartRef::id) > 0) used += link.count;
    for (const auto& board : system_.nvswitches)
      if (gpu.model->form != GpuForm::card &&
          std::ranges::count(board.gpus, gpu.id, &PartRef::id) > 0)
        used += board.count;
    if (used > *gpu.model->nvlinks)
      out_.error(ProblemCode::too_large, gpu.where,
                 "gpu \"{}\": {} links join it to other GPUs, and {} has {}; leave some out, or "
                 "take another GPU",
                 text_of(gpu.id), used, gpu.model.name, *gpu.model->nvlinks);
  }

  const std::string& system_name_;
  const System& system_;
  Diagnostics& out_;
};

}  // namespace

void check_buildable(const std::string& name, const System& system, Diagnostics& out) {
  BuildChecker(name, system, out).check();
}

}  // namespace gpufeed
