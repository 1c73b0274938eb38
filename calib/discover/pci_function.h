// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "calib/discover/found.h"

namespace gpufeed {

/// One function on a PCI bus, as any source tells it.
struct PciFunction {
  int pci_class = 0;  ///< 0x0302; 0: not known
  PciIds ids;
  std::string bus;  ///< "0000:3b:00.0"

  std::string vendor() const { return ids.device.substr(0, 4); }
  bool is_bridge() const { return pci_class == 0x0604; }
  bool is_display() const { return pci_class >> 8 == 0x03; }
  /// NVIDIA's chip that joins GPUs.
  bool is_nvswitch() const { return pci_class == 0x0680 && vendor() == "10de"; }
};

/// What it is to a machine that trains; nothing where it does not count there, as what only drives
/// a screen.
std::optional<FoundKind> kind_of(const PciFunction& function);

/// Adds a device to the machine, and returns its place; a further function of a network card that
/// is there already is another port of it.
std::size_t add_device(FoundMachine& machine, FoundDevice device);

}  // namespace gpufeed
