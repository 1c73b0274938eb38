// SPDX-License-Identifier: Apache-2.0
#include "calib/discover/unknown.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/load/entry_toml.h"
#include "sim/load/read/toml_text.h"

namespace gpufeed {
namespace {

constexpr const char* kFound = "found by gpufeed discover";

std::string head(const char* table, const std::string& title) {
  return fmt::format("[{}.model]\ntitle = {}\nsource = \"{}\"\nbasis = \"measured\"\n", table,
                     toml_string(title), kFound);
}

std::string guess(std::string_view key, std::string_view value, std::string_view why) {
  return fmt::format("{} = {{ value = \"{}\", source = {}, basis = \"estimate\" }}\n", key, value,
                     toml_string(why));
}

/// Of a link that was not found, the usual of its kind.
std::string plug(const PcieLink& link, int usual_generation, int usual_lanes) {
  if (link.known())
    return fmt::format("link = \"{}\"\nlanes = {}\n", catalog_name(link.generation), link.lanes);
  return fmt::format("link = \"{}\"  # assumed\nlanes = {}  # assumed\n",
                     catalog_name(usual_generation), usual_lanes);
}

std::string title_of(const FoundDevice& found, const char* kind) {
  std::string title = found.product.empty() ? kind : found.product;
  if (!found.ids.device.empty()) title += fmt::format(" ({})", found.ids.device);
  return title;
}

/// What drives of a kind usually do: data sheets of the catalog's, in round numbers.
struct UsualDrive {
  const char* why;
  const char* read;
  const char* write;
  const char* read_rate;
  const char* latency;
};

UsualDrive usual(const FoundDevice& found) {
  if (found.rotates)
    return {"usual for a disk; gpufeed calibrate --io measures it", "220 MB/s", "220 MB/s",
            "150 /s", "6 ms"};
  if (found.kind == FoundKind::nvme)
    return {"usual for an NVMe drive; gpufeed calibrate --io measures it", "3 GB/s", "2 GB/s",
            "500 kIOPS", "90 us"};
  if (found.kind == FoundKind::virtual_disk)
    return {"usual for a virtual disk; gpufeed calibrate --io measures it", "1 GB/s", "500 MB/s",
            "20 kIOPS", "300 us"};
  return {"usual for a SATA SSD; gpufeed calibrate --io measures it", "530 MB/s", "480 MB/s",
          "90 kIOPS", "130 us"};
}

}  // namespace

std::string unknown_cpu(const FoundSocket& socket, const EntryText* like) {
  const std::int64_t cores =
      std::max<std::int64_t>(1, socket.cores ? socket.cores : socket.threads);
  const std::int64_t threads =
      socket.cores > 0 ? std::clamp<std::int64_t>(socket.threads / socket.cores, 1, 8) : 1;
  const std::string name = socket.cpu.empty() ? "Unknown processor" : socket.cpu;
  std::string out = head("socket", fmt::format("{}, {} cores", name, cores));
  out += fmt::format("cores = {}\nthreads_per_core = {}\n", cores, threads);
  constexpr std::array<std::string_view, 9> kTaken{
      "memory_bandwidth",      "memory_efficiency", "staged_copy_efficiency",
      "smt_speedup",           "all_core_speed",    "core_copy_bandwidth",
      "thread_read_bandwidth", "remote_core_read",  "remote_dma_read"};
  if (like) {
    for (const std::string_view key : kTaken)
      if (const EntryLine* const line = known_line(*like, key)) out += taken_line(*like, *line);
    return out;
  }
  constexpr std::int64_t kPerCore = 10;
  constexpr std::int64_t kMost = 200;
  out += guess("memory_bandwidth",
               fmt::format("{} GB/s", std::min(kMost, kPerCore * std::max<std::int64_t>(2, cores))),
               "not known: 10 GB/s a core, 200 at most");
  out += guess("memory_efficiency", "85 %", "usual; gpufeed calibrate --memory measures copies");
  return out + guess("staged_copy_efficiency", "80 %", "usual of processors that were measured");
}

std::string unknown_switch(const FoundSwitch& found) {
  const std::string title =
      found.ids.device.empty() ? "PCIe switch" : "PCIe switch " + found.ids.device;
  return head("switch", title) + plug(found.uplink, 4, 16);
}

std::optional<std::string> unknown_gpu(const FoundDevice& found) {
  if (found.size.value < 1e9) return {};
  return head("gpu", title_of(found, "GPU")) + plug(found.link, 3, 16) +
         fmt::format("memory = {}\n", toml_value(found.size));
}

std::optional<std::string> unknown_nic(const FoundDevice& found) {
  if (found.port_bandwidth.value < 10e6) return {};
  return head("nic", title_of(found, "Network card")) + plug(found.link, 3, 8) +
         fmt::format("ports = {}\nport_bandwidth = \"{:g} Gb/s\"\n", found.ports,
                     found.port_bandwidth.value * 8 / 1e9) +
         guess("efficiency", "92 %", "usual for TCP");
}

std::optional<std::string> unknown_drive(const FoundDevice& found) {
  if (found.size.value < 1e9) return {};
  std::string out = head("drive", title_of(found, "Drive"));
  if (found.kind == FoundKind::nvme) out += plug(found.link, 3, 4);
  if (found.kind == FoundKind::sata) out += "link = \"sata-3\"\n";
  const UsualDrive of_kind = usual(found);
  if (found.rotates) out += "medium = \"disk\"\n";
  out += fmt::format("capacity = {}\n", toml_value(found.size));
  out += guess("read_bandwidth", of_kind.read, of_kind.why);
  out += guess("write_bandwidth", of_kind.write, of_kind.why);
  out += guess("read_rate", of_kind.read_rate, of_kind.why);
  return out + guess("read_latency", of_kind.latency, of_kind.why);
}

std::string unknown_socket_link() {
  return "{ title = \"Link between sockets, kind not known\", source = \"not known: about that of "
         "two UPI links\", basis = \"estimate\", raw_bandwidth = \"40 GB/s\", efficiency = \"80 "
         "%\", latency = \"0.6 us\" }";
}

}  // namespace gpufeed
