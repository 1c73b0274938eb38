// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "calib/discover/cpu_set.h"
#include "calib/discover/pcie.h"
#include "sim/base/units.h"

namespace gpufeed {

/// Where a part hangs: on a switch, or else on a socket, by their places in `FoundMachine`.
struct FoundPlace {
  std::size_t socket = 0;
  std::optional<std::size_t> on_switch;
};

struct FoundSocket {
  std::string cpu;  ///< as the processor calls itself; empty where that is not known
  std::int64_t cores = 0;
  std::int64_t threads = 0;
  Bytes memory;  ///< 0: not known
  std::int64_t numa_nodes = 0;
  std::optional<std::int64_t> node = {};  ///< its number, where a source tells NUMA nodes alone
  std::string named = {};                 ///< the product, where the user names it
  CpuSet cpus = {};                       ///< its hardware threads; empty where they are not known
};

/// How the maker of a PCI function calls it, in hexadecimal.
struct PciIds {
  std::string device;     ///< "10de:2330"; empty where it is not known
  std::string subsystem;  ///< "10de:16c1"; empty where it is not known
};

struct FoundSwitch {
  FoundPlace at;
  PciIds ids;
  std::string bus;  ///< "0000:2c:00.0", or what the source calls it
  PcieLink uplink;
};

enum class FoundKind { gpu, nic, nvme, sata, disk_controller, virtual_disk };

struct FoundDevice {
  FoundKind kind = FoundKind::gpu;
  FoundPlace at;
  PciIds ids;
  std::string bus;
  std::string name;     ///< of the operating system: "nvme0n1", "mlx5_0"; may be empty
  std::string named;    ///< the product, where the user names it
  std::string product;  ///< as it calls itself, or as the list of PCI devices does; may be empty
  PcieLink link;
  Bytes size;  ///< of a drive, or a GPU's memory; 0: not known
  bool rotates = false;
  std::int64_t ports = 1;    ///< of a network card
  Bandwidth port_bandwidth;  ///< of each; 0: not known
  Bandwidth to_processor;    ///< of a GPU's NVLinks to its socket; 0: none
};

/// NVLinks between two GPUs, by their places in `FoundMachine::devices`.
struct FoundNvlink {
  std::size_t from = 0;
  std::size_t to = 0;
  std::int64_t count = 0;
};

/// A file system as Linux lists it: "10.0.0.5:/data on /data type nfs4 (rw,vers=4.2)".
struct FoundMount {
  std::string device;
  std::string place;
  std::string type;
  std::string options;
};

/// What a machine told of itself: nothing is matched with the catalog, nothing guessed.
struct FoundMachine {
  std::string title;
  std::string source;  ///< what was read: a file, or this machine
  std::vector<FoundSocket> sockets;
  std::vector<FoundSwitch> switches;
  std::vector<FoundDevice> devices;
  std::vector<FoundNvlink> nvlinks;
  std::vector<FoundMount> mounts;        ///< local ones among them
  std::int64_t nvswitches = 0;           ///< chips that join GPUs
  std::int64_t links_to_nvswitches = 0;  ///< of one GPU; 0: not known, or none
  Bytes reserved_memory;                 ///< that programs hold now; 0: not known
  bool mglru = false;                    ///< how its Linux frees memory
  bool sockets_are_nodes = false;        ///< each of `sockets` is a NUMA node: not joined yet
  std::vector<std::string> questions;    ///< what could not be told
  std::vector<std::string> left_out;     ///< what was read and is no part of a system, by name
};

}  // namespace gpufeed
