// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "calib/discover/discover.h"
#include "tests/support/refusals.h"

using namespace gpufeed;

namespace {

std::string system_of_cpus(const std::string& inside) {
  return "<system version=\"2\">\n" + inside + "</system>\n";
}

std::string cpu(int node, const std::string& mask, const std::string& inside) {
  return fmt::format(
      "<cpu numaid=\"{}\" affinity=\"{}\" arch=\"x86_64\" vendor=\"AuthenticAMD\" "
      "familyid=\"175\" modelid=\"17\">{}</cpu>\n",
      node, mask, inside);
}

std::string gpu(const std::string& bus, int dev, const std::string& links = "",
                const std::string& ids = "") {
  return fmt::format(
      "<pci busid=\"{}\" class=\"0x120000\" {}link_speed=\"32.0 GT/s PCIe\" link_width=\"16\">"
      "<gpu dev=\"{}\" sm=\"304\" gcn=\"gfx942\" rank=\"{}\" gdr=\"1\">{}</gpu></pci>",
      bus, ids, dev, dev, links);
}

std::string link(const std::string& kind, const std::string& target, int count,
                 const std::string& to) {
  return fmt::format("<{} target=\"{}\" count=\"{}\" tclass=\"{}\"/>", kind, target, count, to);
}

FoundMachine read(const std::string& text) { return machine_in(text, "topo.xml"); }

bool told(const std::vector<std::string>& all, const std::string& words) {
  return std::ranges::any_of(
      all, [&](const std::string& one) { return one.find(words) != std::string::npos; });
}

}  // namespace

TEST_CASE("RCCL: a GPU is one by <gpu dev>, without ids, and xGMI joins GPUs once") {
  const FoundMachine machine = read(
      system_of_cpus(cpu(0, "ffffffff",
                         gpu("0000:43:00.0", 0, link("xgmi", "0000:03:00.0", 1, "0x120000")) +
                             gpu("0000:03:00.0", 1, link("xgmi", "0000:43:00.0", 1, "0x120000")))));
  CHECK(std::ranges::count(machine.devices, FoundKind::gpu, &FoundDevice::kind) == 2);
  REQUIRE(machine.nvlinks.size() == 1);
  CHECK(machine.nvlinks[0].count == 1);
}

TEST_CASE("RCCL: partitions of one GPU are one GPU, and a question") {
  const FoundMachine machine = read(system_of_cpus(
      cpu(0, "ff", gpu("0000:0c:00.0", 0) + gpu("0000:0c:00.1", 1) + gpu("0000:0c:00.2", 2))));
  CHECK(machine.devices.size() == 1);
  CHECK(told(machine.questions, "is the GPU at PCI bus 0000:0c:00.0 used as 3 partitions?"));
}

TEST_CASE("NCCL: links that end outside, at a processor or at a switch are told apart") {
  const FoundMachine machine = read(system_of_cpus(
      cpu(0, "ff",
          gpu("0000:01:00.0", 0, link("nvlink", "0000:99:00.0", 2, "0x030200")) +
              gpu("0000:02:00.0", 1, link("nvlink", "ffff:ff:00.0", 3, "0x068001")) +
              gpu("0000:03:00.0", 2, link("nvlink", "0000:b7:00.0", 6, "0x068000")))));
  CHECK(machine.nvlinks.empty());
  CHECK(told(machine.questions, "what is at 0000:99:00.0, to which 2 links of GPUs lead?"));
  CHECK(machine.devices[1].to_processor.value == 75e9);
  CHECK(machine.nvswitches == 1);
  CHECK(machine.links_to_nvswitches == 6);
}

TEST_CASE("NCCL: cards without a PCI function, links of switches and odd rates are not lost") {
  const FoundMachine machine = read(system_of_cpus(
      cpu(0, "ff",
          "<nic><net name=\"eth0\" dev=\"0\" speed=\"10000\" port=\"0\"/></nic>"
          "<pci busid=\"0000:20:00.0\" class=\"0x060400\" vendor=\"0x1000\" device=\"0xc030\">"
          "<pcilink target=\"0000:30:00.0\"/>" +
              gpu("0000:21:00.0", 0) +
              "<pci busid=\"0000:22:00.0\" class=\"0x020000\"><nic><net name=\"cxi0\" "
              "speed=\"200000000\" port=\"1\"/></nic></pci></pci>")));
  REQUIRE(machine.devices.size() == 3);
  CHECK(machine.devices[0].name == "eth0");
  CHECK(machine.devices[0].port_bandwidth.value == 10e9 / 8);
  CHECK(machine.devices[2].port_bandwidth.value == 0);
  CHECK(told(machine.left_out, "a link from switch 0000:20:00.0 to switch 0000:30:00.0"));
}

TEST_CASE("NCCL: eight NUMA nodes are two sockets of four, in whatever order they stand") {
  std::string all;
  for (const int node : {5, 1, 2, 3, 0, 6, 7, 4}) {
    // 128 threads: 8 cores a node, the second threads of cores from 64 on
    std::string words[4] = {"00000000", "00000000", "00000000", "00000000"};
    const auto mask = fmt::format("{:08x}", 0xffu << (8 * (node % 4)));
    words[static_cast<std::size_t>(node / 4)] = mask;
    words[static_cast<std::size_t>(node / 4) + 2] = mask;
    all += cpu(node, words[3] + "," + words[2] + "," + words[1] + "," + words[0],
               gpu(fmt::format("0000:{}1:00.0", node), node));
  }
  const FoundMachine machine = read(system_of_cpus(all));
  REQUIRE(machine.sockets.size() == 2);
  CHECK(machine.sockets[0].cores == 32);
  CHECK(machine.devices.size() == 8);
  for (const FoundDevice& device : machine.devices)
    CHECK(device.at.socket == (device.bus[5] - '0') / 4);
}

TEST_CASE("NCCL: more devices than a machine has are refused") {
  std::string many;
  for (int i = 0; i < 5000; ++i) many += gpu(fmt::format("{:04x}:01:00.0", i), i);
  CHECK(refusal_of([&] {
          read(system_of_cpus(cpu(0, "ff", many)));
        }).find("more than 4096 devices") != std::string::npos);
  std::string packages;
  for (int i = 0; i < 2000; ++i) packages += "<object type=\"Package\" cpuset=\"0x1\"/>";
  CHECK(refusal_of([&] {
          read("<topology><object type=\"Machine\">" + packages + "</object></topology>");
        }).find("more than 1024 packages") != std::string::npos);
}
