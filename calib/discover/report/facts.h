// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "calib/discover/nodes.h"
#include "calib/discover/report/lines.h"

namespace gpufeed {

/// A GPU as nvidia-smi, rocm-smi or amd-smi tells of it.
struct GpuFacts {
  std::string product;
  std::string bus;             ///< "0000:3b:00.0"; empty where it is not told
  PcieLink link;               ///< at most, where that is told; else now
  Bytes memory;                ///< 0: not told
  std::int64_t instances = 0;  ///< MIG instances it is split into
};

/// A function on the PCI bus as lspci tells of it.
struct PciFacts {
  std::string bus;
  std::string class_name;  ///< "3D controller"
  int pci_class = 0;       ///< 0x0302; 0: not told (without -n)
  std::string product;
  PciIds ids;
  PcieLink link;                     ///< the lesser of what both ends can do
  std::optional<std::int64_t> node;  ///< NUMA node
  int secondary = -1;                ///< of a bridge: the bus below it
  bool upstream_port = false;        ///< of a switch
};

/// Which of Linux's network interfaces run how fast.
struct NetFacts {
  Bandwidth rate;   ///< 0: not told
  std::string bus;  ///< of its PCI function; empty where it is not told
};

struct DriveFacts {
  std::string product;
  Bytes size;
  bool rotates = false;
};

/// Links between two GPUs, by their numbers; "all" hold where a table names each pair.
struct GpuPair {
  std::size_t from = 0;
  std::size_t to = 0;
  std::int64_t links = 0;
};

/// What Slurm tells of a node; 0 or empty: it does not.
struct SlurmNode {
  std::string gres;  ///< "gpu:h100:8"
  std::int64_t sockets = 0;
  std::int64_t cores = 0;    ///< of each
  std::int64_t threads = 0;  ///< of each
  std::int64_t memory = 0;   ///< MiB

  auto operator<=>(const SlurmNode&) const = default;
};

/// What the texts of a report tell, before it is put together.
struct ReportFacts {
  ProcessorFacts processor;
  Bytes memory;                                   ///< of all; 0: not told
  std::map<std::int64_t, Bytes> node_memory;      ///< by NUMA node
  std::map<std::int64_t, GpuFacts> gpus;          ///< by number
  std::vector<GpuPair> pairs;                     ///< of rocm-smi and amd-smi
  std::map<std::int64_t, std::int64_t> gpu_node;  ///< NUMA node of a GPU, by number
  std::vector<PciFacts> pci;
  std::map<std::string, NetFacts> net;       ///< by name
  std::map<std::string, DriveFacts> drives;  ///< by name
  std::map<std::string, SlurmNode> slurm;    ///< by name, whichever text tells of it
  std::vector<FoundMount> mounts;
  std::size_t machines = 0;  ///< of a cluster of Slurm's
  std::vector<std::string> questions;
  std::vector<std::string> left_out;
};

/// lscpu, also as JSON, /proc/cpuinfo, numactl -H, free, /proc/meminfo, dmidecode.
void read_processor(ReportLines& lines, ReportFacts& facts);
/// nvidia-smi -L and -q, rocm-smi --showtopo and --showproductname, amd-smi topology.
void read_gpus(ReportLines& lines, ReportFacts& facts);
/// lspci, with -v, -vv, -n, -nn, -D or without.
void read_pci(ReportLines& lines, ReportFacts& facts);
/// ip link, ethtool.
void read_net(ReportLines& lines, ReportFacts& facts);
/// nvme list, lsblk, /proc/mdstat, mount.
void read_drives(ReportLines& lines, ReportFacts& facts);
/// sinfo, with -N, -l or -o, and scontrol show node.
void read_slurm(ReportLines& lines, ReportFacts& facts);
/// How many machines all texts of Slurm tell of, and what each has where nothing else tells it.
void count_slurm(ReportFacts& facts);
/// The JSON of lscpu, lsblk, ip and nvme. \return whether it is one of these
bool read_json(const std::string& text, ReportFacts& facts);

/// A bus as it is written everywhere here: "3b:00.0" and "00000000:3B:00.0" are "0000:3b:00.0".
std::string plain_bus(std::string_view bus);

}  // namespace gpufeed
