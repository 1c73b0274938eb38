// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>

#include "calib/discover/discover.h"
#include "calib/discover/live.h"
#include "calib/discover/system_toml.h"
#include "sim/base/labels/label_text.h"
#include "sim/load/load.h"
#include "sim/model/catalog/system.h"
#include "sim/model/scenario.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"
#include "tests/support/temporary_folder.h"

using namespace gpufeed;

namespace {

const Recognizer& recognizer() {
  static const Recognizer all(own_catalog());
  return all;
}

SystemText discovered(const std::string& text, const std::string& name = "machine.xml") {
  return system_of(machine_in(text, name), recognizer());
}

/// The system as a scenario reads it.
std::shared_ptr<const System> read_back(const SystemText& system) {
  const TemporaryFolder folder;
  folder.write("machine.toml", system.toml);
  return parse_system("system = \"machine.toml\"\n", (folder / "test.toml").string(),
                      own_catalog());
}

std::string pci(const std::string& bus, const std::string& type, double speed,
                const std::string& inside = "") {
  return fmt::format(
      "<object type=\"PCIDev\" pci_busid=\"{}\" pci_type=\"{}\" pci_link_speed=\"{}\">{}</object>",
      bus, type, speed, inside);
}

std::string bridge(const std::string& bus, double speed, const std::string& inside) {
  return fmt::format(
      "<object type=\"Bridge\" bridge_type=\"1-1\" pci_busid=\"{}\" "
      "pci_type=\"0604 [1000:c010] [1000:a096] b0\" pci_link_speed=\"{}\">{}</object>",
      bus, speed, inside);
}

/// A socket of two cores, with `inside` below a host bridge.
std::string socket(int number, const std::string& inside, const std::string& cpu) {
  const int mask = 3 << (2 * number);
  return fmt::format(
      "<object type=\"Package\" cpuset=\"{0:#x}\"><info name=\"CPUModel\" value=\"{2}\"/>"
      "<object type=\"NUMANode\" cpuset=\"{0:#x}\" local_memory=\"274877906944\"/>"
      "<object type=\"Core\"><object type=\"PU\"/></object>"
      "<object type=\"Core\"><object type=\"PU\"/></object>"
      "<object type=\"Bridge\" bridge_type=\"0-1\">{1}</object></object>",
      mask, inside, cpu);
}

std::string machine(const std::string& inside) {
  return "<topology version=\"2.0\"><object type=\"Machine\" cpuset=\"0xf\">" + inside +
         "</object></topology>";
}

std::string on_one_socket(const std::string& inside) {
  return machine(socket(0, inside, "Intel(R) Xeon(R) Processor"));
}

std::string failure(const std::string& text, const std::string& name = "bad.xml") {
  return refusal_of([&] { machine_in(text, name); });
}

}  // namespace

TEST_CASE("a GPU behind a PCIe switch hangs on that switch, which hangs on its socket") {
  // root port > upstream port > downstream ports
  const std::string gpu = pci("0000:03:00.0", "0302 [10de:20b2] [10de:1463] a1", 31.507692);
  const std::string other = pci("0000:04:00.0", "0302 [10de:20b2] [10de:1463] a1", 31.507692);
  const auto system = read_back(discovered(on_one_socket(bridge(
      "0000:00:01.0", 31.507692,
      bridge("0000:01:00.0", 31.507692,
             bridge("0000:02:00.0", 31.507692, gpu) + bridge("0000:02:01.0", 31.507692, other))))));
  REQUIRE(system->switches.size() == 1);
  CHECK(text_of(system->switches[0].at.id) == "cpu0");
  CHECK(system->switches[0].model.name == "broadcom-pex88096");
  REQUIRE(system->gpus.size() == 2);
  for (const auto& one : system->gpus) {
    CHECK(text_of(one.at.id) == "sw0");
    CHECK(one.model.name == "nvidia-a100-sxm4-80gb");
    CHECK(!one.link);
    CHECK(!one.lanes);
  }
  CHECK(system->sockets[0].memory.value == 256.0 * 1024 * 1024 * 1024);
}

TEST_CASE("a GPU below a root port hangs on the socket, and a bare bridge is no switch") {
  const auto system = read_back(discovered(on_one_socket(
      bridge("0000:00:01.0", 15.753846,
             pci("0000:01:00.0", "0302 [10de:1db4] [0:0] a1", 15.753846)) +
      bridge("0000:00:02.0", 0.25,
             bridge("0000:02:00.0", 0.25, pci("0000:03:00.0", "0300 [1a03:2000] [0:0] 41", 0))))));
  CHECK(system->switches.empty());
  REQUIRE(system->gpus.size() == 1);
  CHECK(text_of(system->gpus[0].at.id) == "cpu0");
}

TEST_CASE("a GPU whose link idles is taken at its maximum and marked; a narrower slot stays") {
  const std::string id = "0302 [10de:2330] [10de:16c1] a1";
  const auto idle = discovered(on_one_socket(pci("0000:01:00.0", id, 4.0)));  // 2.5 GT/s x16
  CHECK(idle.toml.find("# ran as PCIe 1.0 x16 when idle; the maximum is taken") !=
        std::string::npos);
  CHECK(read_back(idle)->gpus[0].link == std::nullopt);
  // 8 GT/s x4: with 16 lanes no generation is that slow
  const auto narrow = discovered(on_one_socket(pci("0000:01:00.0", id, 3.938462)));
  CHECK(narrow.toml.find("when idle") == std::string::npos);
  REQUIRE(read_back(narrow)->gpus[0].link);
  CHECK(read_back(narrow)->gpus[0].lanes == std::optional<std::int64_t>(4));
  // a drive does not lower its link: Gen 3 x4 in the place of Gen 4 x4
  const std::string disk =
      "<object type=\"OSDev\" name=\"nvme0n1\" osdev_type=\"0\"><info name=\"Size\" "
      "value=\"3750738264\"/><info name=\"Model\" value=\"SAMSUNG MZQL23T8HCLS-00A07\"/></object>";
  const auto drive = read_back(discovered(
      on_one_socket(pci("0000:02:00.0", "0108 [144d:a80a] [144d:a813] 00", 3.938462, disk))));
  REQUIRE(drive->drives.size() == 1);
  CHECK(drive->drives[0].model.name == "samsung-pm9a3-3.84tb");
  REQUIRE(drive->drives[0].link);
  CHECK(drive->drives[0].link->name == "pcie-3.0");
}

TEST_CASE("ports of a card are one card, and tell products of one chip apart") {
  const std::string id = "0207 [15b3:101b] [15b3:0007] 00";
  const auto two = read_back(discovered(
      on_one_socket(pci("0000:05:00.0", id, 31.507692) + pci("0000:05:00.1", id, 31.507692))));
  REQUIRE(two->nics.size() == 1);
  CHECK(two->nics[0].model.name == "mellanox-connectx-6-hdr-200g-two-ports");
}

TEST_CASE("what the catalog does not know stays a comment and a question") {
  const auto system =
      discovered(on_one_socket(pci("0000:01:00.0", "0302 [10de:06d2] [10de:0772] a3", 4.0)));
  CHECK(read_back(system)->gpus.empty());
  CHECK(system.toml.find("# [[gpu]]\n# id = \"gpu0\"\n# model = \"...\"\n") != std::string::npos);
  const auto asked = std::ranges::find_if(system.questions, [](const std::string& one) {
    return one.starts_with("which product is gpu0: gpu, PCI id 10de:06d2");
  });
  CHECK(asked != system.questions.end());
}

TEST_CASE("alike parts are one question") {
  const auto system = discovered(machine(socket(0, "", "") + socket(1, "", "")));
  CHECK(system.questions ==
        std::vector<std::string>{
            "what are the memory and copy rates of cpu0, cpu1? Usual ones are assumed",
            "by which links are cpu0 and cpu1 joined? 40 GB/s are assumed"});
}

TEST_CASE("NVSwitches of an NCCL topology join all GPUs; names in it cannot break the text") {
  const std::string gpu =
      "<pci busid=\"{}\" class=\"0x030200\" vendor=\"0x10de\" device=\"0x2330\" "
      "subsystem_vendor=\"0x10de\" subsystem_device=\"0x16c1\" link_speed=\"32.0 GT/s PCIe\" "
      "link_width=\"16\"><gpu dev=\"0\" sm=\"90\"><nvlink target=\"0000:07:00.0\" count=\"18\" "
      "tclass=\"0x068000\"/></gpu></pci>";
  const auto system = read_back(discovered(
      "<system version=\"1\"><cpu numaid=\"0\" affinity=\"ff\" vendor=\"{}\" familyid=\"6\" "
      "modelid=\"1\">" +
      fmt::format(fmt::runtime(gpu), "0000:01:00.0") +
      fmt::format(fmt::runtime(gpu), "0000:02:00.0") + "</cpu></system>"));
  REQUIRE(system->nvswitches.size() == 1);
  CHECK(system->nvswitches[0].count == 18);
  CHECK(system->nvswitches[0].link.name == "nvlink-4");
  CHECK(system->sockets[0].model->cores == 8);
}

TEST_CASE("links to NVSwitches that only a matrix tells are through them, others are direct") {
  const auto matrix = [](int gpus, const std::string& links) {
    std::string text;
    for (int i = 0; i < gpus; ++i) text += fmt::format("\tGPU{}", i);
    text += "\tCPU Affinity\tNUMA Affinity\n";
    for (int row = 0; row < gpus; ++row) {
      text += fmt::format("GPU{}", row);
      for (int column = 0; column < gpus; ++column)
        text += "\t" + (row == column ? std::string(" X ") : links);
      text += "\t0-3\t0\n";
    }
    return text;
  };
  const auto joined = [&](int gpus, const std::string& links, const std::string& product) {
    FoundMachine found = machine_in(matrix(gpus, links), "topo.txt");
    for (FoundDevice& device : found.devices) device.named = product;
    return read_back(system_of(found, recognizer()));
  };
  CHECK(joined(4, "NV4", "nvidia-a100-sxm4-40gb")->nvlinks.size() == 6);
  CHECK(joined(8, "NV12", "nvidia-a100-sxm4-40gb")->nvswitches.at(0).count == 12);
  // four of a DGX-2's: six links each, which cannot lead to three others directly
  CHECK(joined(4, "NV6", "nvidia-v100-sxm3-32gb")->nvswitches.at(0).count == 6);
  CHECK(joined(4, "NV6", "nvidia-h100-sxm5-80gb")->nvlinks.size() == 6);
  CHECK(joined(2, "NV18", "nvidia-h100-sxm5-80gb")->nvlinks.at(0).count == 18);
}

TEST_CASE("nvidia-smi topo -m: PIX and PXB are switches, SYS parts sockets, NV# are links") {
  const auto found = machine_in(
      "\tGPU0\tGPU1\tGPU2\tGPU3\tNIC0\tCPU Affinity\tNUMA Affinity\n"
      "GPU0\t X \tNV12\tSYS\tSYS\tPIX\t0-3\t0\n"
      "GPU1\tNV12\t X \tSYS\tSYS\tPXB\t0-3\t0\n"
      "GPU2\tSYS\tSYS\t X \tPHB\tSYS\t4-7\t1\n"
      "GPU3\tSYS\tSYS\tPHB\t X \tSYS\t4-7\t1\n"
      "NIC0\tPIX\tPXB\tSYS\tSYS\t X \n\nLegend:\n\n  X    = Self\n",
      "topo.txt");
  REQUIRE(found.sockets.size() == 2);
  CHECK(found.sockets[0].threads == 4);
  REQUIRE(found.switches.size() == 1);
  CHECK(found.devices[0].at.on_switch == std::optional<std::size_t>(0));
  CHECK(found.devices[1].at.on_switch == std::optional<std::size_t>(0));
  CHECK(found.devices[4].at.on_switch == std::optional<std::size_t>(0));
  CHECK(!found.devices[2].at.on_switch);
  CHECK(found.devices[2].at.socket == 1);
  REQUIRE(found.nvlinks.size() == 1);
  CHECK(found.nvlinks[0].count == 12);
  CHECK(read_back(system_of(found, recognizer()))->sockets.size() == 2);
}

TEST_CASE("what is no machine is refused where it stands") {
  CHECK(failure("<topology version=\"2.0\"><object type=\"Machine\">\n </topology>") ==
        "bad.xml:2:4: error: this is no XML: mismatched tag\n");
  CHECK(failure("<graphs version=\"1\"/>") ==
        "bad.xml:1:1: error: this is an NCCL graph (NCCL_GRAPH_DUMP_FILE): rings and trees, no "
        "machine; NCCL_TOPO_DUMP_FILE writes the machine\n");
  CHECK(failure("<html/>") ==
        "bad.xml:1:1: error: expected <topology> of lstopo or <system> of NCCL; found <html>\n");
  CHECK(failure("hello") ==
        "bad.xml:1:1: error: this is neither XML (of lstopo, or an NCCL topology) nor what "
        "nvidia-smi topo -m prints\n");
  CHECK(failure("<system version=\"1\"/>") ==
        "bad.xml:1:1: error: no <cpu> is in this file: it describes no machine\n");
  CHECK(failure("<topology/>") ==
        "bad.xml:1:1: error: no processor is in this file: it describes no machine\n");
  CHECK(failure(on_one_socket("<object type=\"PCIDev\" pci_busid=\"0000:01:00.0\" pci_type=\"0302 "
                              "[10de:2330] [10de:0] a1\" pci_link_speed=\"fast\"/>"))
            .find("pci_link_speed of <object> must be a number from 0; found \"fast\"") !=
        std::string::npos);
  CHECK(failure("<!DOCTYPE a [<!ENTITY b \"c\">]><topology/>") ==
        "bad.xml:1:25: error: XML that declares entities is not read\n");
  std::string deep;
  for (int i = 0; i < 300; ++i) deep += "<object>";
  CHECK(failure(deep).find("elements are nested more than 200 deep") != std::string::npos);
  CHECK(failure("GPU0 GPU1 CPU Affinity\nGPU0 X FAR 0-1\n", "topo.txt") ==
        "topo.txt:2:1: error: GPU0: expected X, NV#, PIX, PXB, PHB, NODE or SYS; found \"FAR\"\n");
}

TEST_CASE("a file cut or changed anywhere gives a system or a message, never a crash") {
  const std::string whole = on_one_socket(
      bridge("0000:00:01.0", 15.753846,
             bridge("0000:01:00.0", 15.753846,
                    bridge("0000:02:00.0", 15.753846,
                           pci("0000:03:00.0", "0302 [10de:1db8] [10de:131d] a1", 15.753846)))));
  int good = 0;
  for (std::size_t i = 0; i < whole.size(); i += 3) {
    std::string changed = whole;
    changed[i] = "<>\"'=0x{}"[i % 9];
    for (const std::string& text : {whole.substr(0, i), changed}) try {
        discovered(text);
        ++good;
      } catch (const InputError& error) {
        CHECK(!error.problems().empty());
      }
  }
  CHECK(good > 10);
}

TEST_CASE("processors are known by the names they give themselves") {
  CHECK(catalog_name_of_cpu("Intel(R) Xeon(R) Platinum 8174 CPU @ 3.10GHz") ==
        "intel-xeon-platinum-8174");
  CHECK(catalog_name_of_cpu("AMD EPYC 7763 64-Core Processor                ") == "amd-epyc-7763");
  CHECK(catalog_name_of_cpu("Intel(R) Xeon(R) CPU E5-2698 v4 @ 2.20GHz") == "intel-xeon-e5-2698v4");
  CHECK(catalog_name_of_cpu("Intel(R) Xeon(R) Platinum 8480+") == "intel-xeon-platinum-8480-plus");
}

TEST_CASE("discover: sockets share what Linux has, where their NUMA nodes say something else") {
  FoundMachine machine;
  machine.sockets = {FoundSocket{"a", 2, 2, Bytes{6e9}, 1}, FoundSocket{"a", 2, 2, Bytes{3e9}, 1}};
  share_memory(machine, Bytes{9.2e9});  // as near as reserved pages leave it
  CHECK(machine.sockets[0].memory.value == 6e9);
  CHECK(machine.questions.empty());
  FoundMachine one;
  one.sockets = {FoundSocket{"a", 2, 2, Bytes{6e9}, 1}};
  share_memory(one, Bytes{27e9});
  CHECK(one.sockets[0].memory.value == 27e9);
  CHECK(one.questions.empty());
  share_memory(machine, Bytes{27e9});
  CHECK(machine.sockets[0].memory.value == doctest::Approx(18e9));
  CHECK(machine.sockets[1].memory.value == doctest::Approx(9e9));
  REQUIRE(machine.questions.size() == 1);
  CHECK(machine.questions.front() ==
        "how is the memory shared among sockets? Linux has 27 GB in all, its NUMA nodes say 9 GB: "
        "each got its part of all");
}

TEST_CASE("discover: memory that no machine can have is asked for") {
  std::string text = "<topology version=\"2.0\"><object type=\"Machine\">" +
                     socket(0, "", "AMD EPYC 7763 64-Core Processor") + "</object></topology>";
  text.replace(text.find("274877906944"), 12, "99999999999999999999999");
  const SystemText system = discovered(text);
  REQUIRE(!system.questions.empty());
  CHECK(std::ranges::any_of(system.questions, [](const std::string& question) {
    return question.find("how much memory has cpu0?") != std::string::npos;
  }));
  CHECK_NOTHROW(read_back(system));
}
