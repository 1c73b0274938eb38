// SPDX-License-Identifier: Apache-2.0
#include "calib/discover/report/report.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>

#include "calib/discover/gpu_names.h"
#include "calib/discover/live.h"
#include "calib/discover/report/facts.h"
#include "calib/discover/report/script.h"
#include "calib/discover/system_toml.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"
#include "tests/support/temporary_folder.h"

using namespace gpufeed;

namespace {

const Recognizer& products() {
  static const Recognizer all(own_catalog());
  return all;
}

FoundMachine report(const std::string& text) { return machine_of_report({{"report.txt", text}}); }

SystemText written(const std::string& text) { return system_of(report(text), products()); }

bool says(const std::vector<std::string>& all, const std::string& words) {
  return std::ranges::any_of(
      all, [&](const std::string& one) { return one.find(words) != std::string::npos; });
}

std::size_t parts(const SystemText& system, const std::string& beginning) {
  return static_cast<std::size_t>(std::ranges::count_if(system.parts, [&](const PartText& part) {
    return part.id.starts_with(beginning) && part.id.find('-') == std::string::npos;
  }));
}

std::int64_t count(const FoundMachine& machine, FoundKind kind) {
  return std::ranges::count(machine.devices, kind, &FoundDevice::kind);
}

const std::string kTopo =
    "$ nvidia-smi topo -m\n"
    "\tGPU0\tGPU1\tNIC0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\n"
    "GPU0\t X \tNV18\tPIX\t0-55,112-167\t0\t\tN/A\n"
    "GPU1\tNV18\t X \tSYS\t56-111,168-223\t1\t\tN/A\n"
    "NIC0\tPIX\tSYS\t X \t\t\t\t\n\n"
    "Legend:\n\n  X    = Self\n  SYS  = Connection traversing PCIe\n\n";
const std::string kList =
    "$ nvidia-smi -L\n"
    "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-00000000-0000-0000-0000-000000000001)\n"
    "  MIG 1g.10gb     Device  0: (UUID: MIG-00000000-0000-0000-0000-000000000003)\n"
    "GPU 1: NVIDIA H100 80GB HBM3 (UUID: GPU-00000000-0000-0000-0000-000000000002)\n";
const std::string kLscpu =
    "Architecture:                    x86_64\n"
    "CPU(s):                          224\n"
    "Thread(s) per core:              2\n"
    "Core(s) per socket:              56\n"
    "Socket(s):                       2\n"
    "Model name:                      Intel(R) Xeon(R) Platinum 8480+\n"
    "NUMA node0 CPU(s):               0-55,112-167\n"
    "NUMA node1 CPU(s):               56-111,168-223\n";
const std::string kNumactl =
    "available: 3 nodes (0-2)\n"
    "node 0 cpus: 0 1 2 3\nnode 0 size: 515000 MB\nnode 0 free: 500000 MB\n"
    "node 1 cpus: 56 57 58\nnode 1 size: 516000 MB\n"
    "node 2 cpus:\nnode 2 size: 131072 MB\n"
    "node distances:\nnode   0   1   2 \n  0:  10  21  14 \n  1:  21  10  24 \n  2:  14  24  10 \n";
const std::string kLspci =
    "17:00.0 PCI bridge [0604]: Broadcom / LSI PEX890xx PCIe Gen 5 Switch [1000:c030] (rev b0)\n"
    "\tLnkCap:\tPort #0, Speed 32GT/s, Width x16, ASPM not supported\n"
    "1b:00.0 3D controller [0302]: NVIDIA Corporation GH100 [H100 SXM5 80GB] [10de:2330] (rev a1)\n"
    "\tSubsystem: NVIDIA Corporation Device [10de:16c1]\n\tNUMA node: 0\n"
    "\tLnkCap:\tPort #0, Speed 32GT/s, Width x16, ASPM not supported\n"
    "\tLnkSta:\tSpeed 2.5GT/s (downgraded), Width x16\n"
    "5d:00.0 Infiniband controller [0207]: Mellanox Technologies MT2910 Family [ConnectX-7] "
    "[15b3:1021]\n\tSubsystem: Mellanox Technologies Device [15b3:0023]\n\tNUMA node: 1\n"
    "5e:00.0 Non-Volatile memory controller [0108]: Samsung Electronics Co Ltd NVMe SSD Controller "
    "PM9A1/PM9A3/980PRO [144d:a80a]\n\tNUMA node: 1\n";

}  // namespace

TEST_CASE("a paste of several programs is one machine, whole") {
  const SystemText system = written(kTopo + kList + "$ lscpu\n" + kLscpu + kNumactl);
  CHECK(parts(system, "gpu") == 2);
  CHECK(system.toml.find("model = \"nvidia-h100-sxm5-80gb\"") != std::string::npos);
  CHECK(system.toml.find("model = \"intel-xeon-platinum-8480-plus\"") != std::string::npos);
  CHECK(system.toml.find("[[nvlink]]") != std::string::npos);
  const FoundMachine machine = report(kTopo + kList + kLscpu + kNumactl);
  CHECK(machine.sockets[0].memory.value == 515000.0 * 1024 * 1024);
  CHECK(says(machine.left_out, "NUMA node 2: 137 GB without processors"));
  CHECK(says(machine.questions, "is GPU 0 used as 1 MIG instances?"));
  CHECK(!says(machine.left_out, "not known"));
}

TEST_CASE("the order of files and of what is in them changes nothing") {
  const SystemText one = system_of(
      machine_of_report({{"a", kTopo}, {"b", kList}, {"c", kLscpu}, {"d", kNumactl}}), products());
  const SystemText other = system_of(
      machine_of_report({{"a", kNumactl + kLscpu + "\n"}, {"b", kList + kTopo}}), products());
  CHECK(one.questions == other.questions);
  CHECK(one.toml.substr(one.toml.find("[[socket]]")) ==
        other.toml.substr(other.toml.find("[[socket]]")));
}

TEST_CASE("lspci tells products, lanes at most and NUMA nodes") {
  const FoundMachine machine = report(kLspci + kLscpu);
  CHECK(count(machine, FoundKind::gpu) == 1);
  CHECK(count(machine, FoundKind::nic) == 1);
  CHECK(count(machine, FoundKind::nvme) == 1);
  CHECK(machine.devices[0].ids.device == "10de:2330");
  CHECK(machine.devices[0].link.generation == 5);
  CHECK(machine.devices[0].at.socket == 0);
  CHECK(machine.devices[1].at.socket == 1);
  CHECK(says(machine.questions, "which switches are between GPUs, cards and sockets?"));
  // without -n, as people paste it
  const FoundMachine plain = report(
      "01:00.0 VGA compatible controller: NVIDIA Corporation AD102 [GeForce RTX 4090] (rev a1)\n"
      "02:00.0 Ethernet controller: Intel Corporation Ethernet Controller X710 (rev 02)\n" +
      kLscpu);
  CHECK(count(plain, FoundKind::gpu) == 1);
  CHECK(products().device(plain.devices[0]).entry->name == "nvidia-rtx-4090");
}

TEST_CASE("nvidia-smi -q tells bus, product, memory and the link at most") {
  const FoundMachine machine = report(
      "==============NVSMI LOG==============\n\nDriver Version : 550.54.15\nAttached GPUs : 1\n"
      "GPU 00000000:1B:00.0\n    Product Name                          : NVIDIA L40S\n"
      "    PCI\n        GPU Link Info\n            PCIe Generation\n"
      "                Max                       : 4\n                Current                   : "
      "1\n"
      "            Link Width\n                Max                       : 16x\n"
      "                Current                   : 16x\n"
      "    FB Memory Usage\n        Total                             : 46068 MiB\n");
  REQUIRE(machine.devices.size() == 1);
  CHECK(machine.devices[0].bus == "0000:1b:00.0");
  CHECK(machine.devices[0].link.generation == 4);
  CHECK(machine.devices[0].link.of_capabilities);
  CHECK(machine.devices[0].size.value == 46068.0 * 1024 * 1024);
  CHECK(products().device(machine.devices[0]).entry->name == "nvidia-l40s");
}

TEST_CASE("rocm-smi --showtopo: xGMI of one hop is a link") {
  const FoundMachine machine = report(
      "============================ ROCm System Management Interface ===================\n"
      "GPU[0]\t\t: Card Series: \t\tAMD Instinct MI300X\nGPU[1]\t\t: Card Series: \t\tAMD Instinct "
      "MI300X\n"
      "================================= Hops between two GPUs ========================\n"
      "       GPU0         GPU1         \nGPU0   0            1            \n"
      "GPU1   1            0            \n\n"
      "=============================== Link Type between two GPUs =====================\n"
      "       GPU0         GPU1         \nGPU0   0            XGMI         \n"
      "GPU1   XGMI         0            \n\n"
      "======================================= Numa Nodes =============================\n"
      "GPU[0]\t\t: (Topology) Numa Node: 0\nGPU[1]\t\t: (Topology) Numa Node: 1\n");
  REQUIRE(machine.devices.size() == 2);
  REQUIRE(machine.nvlinks.size() == 1);
  CHECK(products().device(machine.devices[0]).entry->name == "amd-mi300x");
}

TEST_CASE("drives, arrays and mounts of their tools") {
  const FoundMachine machine = report(
      kLscpu +
      "{\n  \"Devices\":[\n    {\n      \"DevicePath\":\"/dev/nvme0n1\",\n"
      "      \"ModelNumber\":\"SAMSUNG MZQL23T8HCLS-00A07\",\n"
      "      \"PhysicalSize\":3840755982336\n    }\n  ]\n}\n"
      "{\n   \"blockdevices\": [\n      {\"name\":\"sda\", \"size\":\"7.3T\", \"type\":\"disk\", "
      "\"rota\":true},\n      {\"name\":\"sda1\", \"size\":\"7.3T\", \"type\":\"part\"}\n   ]\n}\n"
      "Personalities : [raid0]\nmd0 : active raid0 nvme1n1[1] nvme0n1[0]\n"
      "      7501212672 blocks super 1.2 512k chunks\n"
      "10.0.0.5:/data on /data type nfs4 (rw,relatime,vers=4.2)\n");
  CHECK(count(machine, FoundKind::nvme) == 1);
  CHECK(count(machine, FoundKind::sata) == 1);
  CHECK(says(machine.questions, "is md0 (raid0 of nvme0n1, nvme1n1) to be a volume?"));
  REQUIRE(machine.mounts.size() == 1);
  CHECK(machine.mounts[0].place == "/data");
  CHECK(says(system_of(machine, products()).questions,
             "which store is mounted at /data (nfs4)? A system holds none: name it in the scenario "
             "(protocol = \"nfs-tcp\")"));
  const auto drive = std::ranges::find(machine.devices, "sda", &FoundDevice::name);
  REQUIRE(drive != machine.devices.end());
  CHECK(drive->rotates);
}

TEST_CASE("a mount tells the client by which its store is read") {
  const auto client = [](const char* device, const char* type, const char* options) {
    const EntryText* const found = products().client({device, "/data", type, options});
    return found ? found->name : "none";
  };
  CHECK(client("nas:/a", "nfs4", "(rw,vers=4.2,proto=tcp)") == "nfs-tcp");
  CHECK(client("nas:/a", "nfs", "(rw,nconnect=8,proto=tcp)") == "nfs-tcp-nconnect");
  CHECK(client("nas:/a", "nfs", "(rw,proto=rdma)") == "nfs-rdma");
  CHECK(client("fs-1.efs.us-east-1.amazonaws.com:/", "nfs4", "(rw)") == "nfs-tcp-efs");
  CHECK(client("10.0.0.1@o2ib:/work", "lustre", "(rw)") == "lustre");
  CHECK(client("10.0.0.1@tcp:/work", "lustre", "(rw)") == "lustre-tcp");
  CHECK(client("beegfs_nodev", "beegfs", "(rw)") == "beegfs");
  CHECK(client("a,b:/", "ceph", "(rw)") == "cephfs");
  CHECK(client("s3fs", "fuse.s3fs", "(rw)") == "s3fs");
  CHECK(client("mountpoint-s3", "fuse", "(ro)") == "mountpoint-s3");
  CHECK(client("JuiceFS:a", "fuse.juicefs", "(rw)") == "juicefs");
  CHECK(client("//nas/a", "cifs", "(rw)") == "smb-3");
  CHECK(client("/dev/sda1", "ext4", "(rw)") == "none");
  CHECK(client("portal", "fuse.portal", "(rw)") == "none");

  const auto asked = [](const std::string& line) { return written(kLscpu + line).questions; };
  CHECK(says(asked("nas:/a on /a type nfs4 (rw,nconnect=8)\n"),
             "(protocol = \"nfs-tcp-nconnect\", connections = 8)"));
  CHECK(says(asked("nas:/a on /a type glusterfs (rw)\n"), "(no client of the catalog reads so)"));
  CHECK_FALSE(says(asked("/dev/sda1 on / type ext4 (rw)\n"), "mounted"));
}

TEST_CASE("memory of CXL or a GPU is no socket's, and links to a processor name the board") {
  const std::string xml =
      "<?xml version=\"1.0\"?>\n<topology version=\"2.0\"><object type=\"Machine\" cpuset=\"0x3\">"
      "<object type=\"Package\" cpuset=\"0x3\" gp_index=\"3\"><info name=\"CPUModel\" "
      "value=\"POWER8NVL\"/>"
      "<object type=\"NUMANode\" os_index=\"0\" cpuset=\"0x3\" local_memory=\"68719476736\"/>"
      "<object type=\"NUMANode\" os_index=\"1\" subtype=\"CXL-DRAM\" cpuset=\"0x3\" "
      "local_memory=\"137438953472\"/>"
      "<object type=\"NUMANode\" os_index=\"255\" subtype=\"GPUMemory\" cpuset=\"0x3\" "
      "local_memory=\"17179869184\"/>"
      "<object type=\"Core\"><object type=\"PU\"/></object><object type=\"Core\"><object "
      "type=\"PU\"/></object>"
      "<object type=\"Bridge\" bridge_type=\"0-1\"><object type=\"PCIDev\" gp_index=\"7\" "
      "pci_busid=\"0002:01:00.0\" pci_type=\"0302 [10de:15f9] [10de:116b] a1 00\" "
      "pci_link_speed=\"15.753846\"/></object></object></object>"
      "<distances2hetero name=\"NVLinkBandwidth\"><indexes>PCIDev:7 Package:3 </indexes>"
      "<u64values>1000000 40000 40000 1000000 </u64values></distances2hetero></topology>\n";
  const SystemText system = written("a line before\n" + xml + "lscpu said nothing\n");
  CHECK(system.toml.find("model = \"nvidia-p100-sxm2-16gb-power8\"") != std::string::npos);
  CHECK(system.toml.find("memory = \"68.719476736 GB\"") != std::string::npos);
  CHECK(says(system.left_out, "NUMA node 1: 137 GB of CXL-DRAM memory"));
  CHECK(says(system.left_out, "NUMA node 255: 17.2 GB of GPU memory"));
  CHECK(says(system.left_out, "report.txt, line 1: not known (\"a line before\")"));
}

TEST_CASE("every GPU, card and drive of a text is in the system or a question") {
  struct Sample {
    std::string text;
    std::size_t gpus;
    std::size_t nics;
    std::size_t drives;
  };
  const Sample samples[] = {{kTopo, 2, 1, 0},  {kTopo + kList, 2, 1, 0},
                            {kLspci, 1, 1, 1}, {kLspci + kLscpu + kNumactl, 1, 1, 1},
                            {kList, 2, 0, 0},  {kLscpu, 0, 0, 0}};
  for (const Sample& sample : samples) {
    CAPTURE(sample.text);
    const FoundMachine machine = report(sample.text);
    const SystemText system = system_of(machine, products());
    std::size_t in = 0;
    std::size_t asked = 0;
    for (const PartText& part : system.parts) ++(part.state == PartState::asked ? asked : in);
    const std::size_t links = machine.nvlinks.size();
    CHECK(in + asked == machine.sockets.size() + machine.switches.size() + sample.gpus +
                            sample.nics + sample.drives + links);
    CHECK(count(machine, FoundKind::gpu) == static_cast<std::int64_t>(sample.gpus));
    if (asked > 0) CHECK(!system.questions.empty());
  }
}

TEST_CASE("a text that is cut or changed anywhere gives a machine or a message") {
  const std::string whole = kTopo + kList + kLspci + kLscpu + kNumactl;
  for (std::size_t i = 0; i < whole.size(); i += 7) {
    std::string changed = whole;
    changed[i] = "<>{}[|\n0X"[i % 9];
    for (const std::string& text : {whole.substr(0, i), changed}) try {
        system_of(report(text), products());
      } catch (const InputError& error) {
        CHECK(!error.problems().empty());
      }
  }
}

TEST_CASE("texts of two machines, and of none, are refused") {
  CHECK(refusal_of([] {
          machine_of_report({{"a", kTopo}, {"b", kTopo}});
        }).find("b:2:1: error: this is a second matrix of nvidia-smi topo -m") !=
        std::string::npos);
  CHECK(refusal_of([] { report("hello\n"); }).find("nothing of a machine is in it") !=
        std::string::npos);
}

TEST_CASE("drivers' names of GPUs are the catalog's") {
  Diagnostics none;
  const auto gpus = entries_of_kind(own_catalog(), "gpu", {}, none);
  const auto called = [&](const std::string& name) {
    const auto found = gpus_called(gpus, name);
    return found.empty() ? "" : found.front()->name;
  };
  CHECK(called("NVIDIA H100 80GB HBM3") == "nvidia-h100-sxm5-80gb");
  CHECK(called("NVIDIA H100 PCIe") == "nvidia-h100-pcie-80gb");
  CHECK(called("NVIDIA H100 NVL") == "nvidia-h100-nvl-94gb");
  CHECK(called("NVIDIA H200") == "nvidia-h200-sxm5-141gb");
  CHECK(called("NVIDIA A100-SXM4-80GB") == "nvidia-a100-sxm4-80gb");
  CHECK(called("NVIDIA A100 80GB PCIe") == "nvidia-a100-pcie-80gb");
  CHECK(called("Tesla V100-SXM2-32GB") == "nvidia-v100-sxm2-32gb");
  CHECK(called("Tesla T4") == "nvidia-t4");
  CHECK(called("NVIDIA A10G") == "nvidia-a10g");
  CHECK(called("NVIDIA GeForce RTX 4090") == "nvidia-rtx-4090");
  CHECK(called("NVIDIA RTX 6000 Ada Generation") == "nvidia-rtx-6000-ada");
  CHECK(called("AMD Instinct MI300X OAM") == "amd-mi300x");
  CHECK(called("GH100 [H100 SXM5 80GB]") == "nvidia-h100-sxm5-80gb");
  CHECK(called("Quadro RTX 6000") == "");  // another one than the Ada
  CHECK(called("NVIDIA GeForce RTX 3090 Ti") == "");
  CHECK(called("NVIDIA") == "");
}

TEST_CASE("the script's collection of this machine, below another root, is this machine") {
  const TemporaryFolder folder;
  folder.write("collect.sh", std::string(collecting_script()));
  const std::string command = fmt::format(
      "sh {} > {} 2>/dev/null", (folder / "collect.sh").string(), (folder / "report.txt").string());
  REQUIRE(system(command.c_str()) == 0);
  std::ifstream in(folder / "report.txt", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const FoundMachine here = this_machine();
  const FoundMachine there = report(text);
  REQUIRE(there.sockets.size() == here.sockets.size());
  for (std::size_t i = 0; i < here.sockets.size(); ++i) {
    CHECK(there.sockets[i].cpu == here.sockets[i].cpu);
    CHECK(there.sockets[i].cores == here.sockets[i].cores);
    CHECK(there.sockets[i].threads == here.sockets[i].threads);
    CHECK(there.sockets[i].memory.value == here.sockets[i].memory.value);
  }
  REQUIRE(there.devices.size() == here.devices.size());
  for (std::size_t i = 0; i < here.devices.size(); ++i) {
    CHECK(there.devices[i].kind == here.devices[i].kind);
    CHECK(there.devices[i].bus == here.devices[i].bus);
    CHECK(there.devices[i].name == here.devices[i].name);
    CHECK(there.devices[i].size.value == here.devices[i].size.value);
    CHECK(there.devices[i].ids.device == here.devices[i].ids.device);
  }
}
