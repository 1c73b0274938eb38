// SPDX-License-Identifier: Apache-2.0
#include "calib/discover/pci_function.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "sim/base/diagnostics.h"

namespace gpufeed {
namespace {

// PCI Code and ID Assignment Specification: base class and subclass.
constexpr int kNvme = 0x0108;
constexpr int kEthernet = 0x0200;
constexpr int kFabric = 0x0207;
constexpr int kInfiniBand = 0x0c06;
constexpr int kVga = 0x0300;
constexpr int k3d = 0x0302;
constexpr int kDisplay = 0x0380;
constexpr int kAccelerator = 0x1200;

/// ATI's chips on boards of servers, which only drive a screen: ES1000, RAGE XL.
constexpr std::array<std::string_view, 2> kScreensOnly{"1002:515e", "1002:4752"};

bool computes(const PciFunction& function) {
  const int of = function.pci_class;
  const bool maker = function.vendor() == "10de" || function.vendor() == "1002";
  if (of == k3d || of == kAccelerator) return maker || function.vendor().empty();
  return (of == kVga || of == kDisplay) && maker &&
         std::ranges::count(kScreensOnly, function.ids.device) == 0;
}

/// Domain, bus and device: "0000:3b:00".
std::string_view slot_of(const std::string& bus) {
  return std::string_view(bus).substr(0, bus.rfind('.'));
}

}  // namespace

std::optional<FoundKind> kind_of(const PciFunction& function) {
  constexpr int kStorage = 0x01;
  const int of = function.pci_class;
  if (computes(function)) return FoundKind::gpu;
  if (of == kEthernet || of == kFabric || of == kInfiniBand) return FoundKind::nic;
  if (of == kNvme) return FoundKind::nvme;
  if (of >> 8 == kStorage)
    return function.vendor() == "1af4" ? FoundKind::virtual_disk : FoundKind::disk_controller;
  return {};
}

std::size_t add_device(FoundMachine& machine, FoundDevice device) {
  auto& all = machine.devices;
  constexpr std::size_t kMost = 4096;
  if (all.size() == kMost)
    throw InputError({{{}, fmt::format("more than {} devices: this is no one machine", kMost)}});
  if (device.kind == FoundKind::nic) {
    const auto other = std::ranges::find_if(all, [&](const FoundDevice& one) {
      return one.kind == FoundKind::nic && slot_of(one.bus) == slot_of(device.bus) &&
             one.ids.device == device.ids.device && !slot_of(one.bus).empty();
    });
    if (other != all.end()) {
      ++other->ports;
      return static_cast<std::size_t>(other - all.begin());
    }
  }
  all.push_back(std::move(device));
  return all.size() - 1;
}

}  // namespace gpufeed
