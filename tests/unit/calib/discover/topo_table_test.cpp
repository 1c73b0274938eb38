// SPDX-License-Identifier: Apache-2.0
#include "calib/discover/topo_table.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "calib/discover/discover.h"
#include "tests/support/refusals.h"

using namespace gpufeed;

namespace {

/// What DGX machines print, with two GPUs of each socket.
const std::string kWhole =
    "\tGPU0\tGPU1\tGPU2\tGPU3\tNIC0\tNIC1\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\n"
    "GPU0\t X \tNV4\tNV4\tNV4\tPXB\tSYS\t0-23,48-71\t0\t\tN/A\n"
    "GPU1\tNV4\t X \tNV4\tNV4\tNODE\tSYS\t0-23,48-71\t0\t\tN/A\n"
    "GPU2\tNV4\tNV4\t X \tNV4\tSYS\tPXB\t24-47,72-95\t1\t\tN/A\n"
    "GPU3\tNV4\tNV4\tNV4\t X \tSYS\tNODE\t24-47,72-95\t1\t\tN/A\n"
    "NIC0\tPXB\tNODE\tSYS\tSYS\t X \tSYS\t\t\t\t\n"
    "NIC1\tSYS\tSYS\tPXB\tNODE\tSYS\t X \t\t\t\t\n\n"
    "Legend:\n\n  X    = Self\n  SYS  = Connection traversing PCIe\n\n"
    "NIC Legend:\n\n  NIC0: mlx5_0\n  NIC1: mlx5_bond_0\n";

std::string replaced(std::string text, const std::string& old, const std::string& now) {
  for (auto at = text.find(old); at != std::string::npos; at = text.find(old, at + now.size()))
    text.replace(at, old.size(), now);
  return text;
}

void check_whole(const std::string& text) {
  const FoundMachine machine = machine_in(text, "topo.txt");
  REQUIRE(machine.sockets.size() == 2);
  CHECK(machine.sockets[0].cores == 24);
  CHECK(machine.sockets[1].threads == 48);
  REQUIRE(machine.devices.size() == 6);
  CHECK(machine.nvlinks.size() == 6);
  CHECK(machine.switches.size() == 2);
  CHECK(machine.devices[0].at.on_switch == machine.devices[4].at.on_switch);
  CHECK(machine.devices[3].at.socket == 1);
  CHECK(machine.devices[5].at.socket == 1);
}

bool asks(const FoundMachine& machine, const std::string& words) {
  return std::ranges::any_of(machine.questions, [&](const std::string& question) {
    return question.find(words) != std::string::npos;
  });
}

}  // namespace

TEST_CASE("a matrix of nvidia-smi reads the same however it was pasted") {
  check_whole(kWhole);
  check_whole(replaced(kWhole, "\t", "    "));                         // tabs lost
  check_whole(replaced(kWhole, "\n", "\r\n"));                         // of Windows
  check_whole("\x1b[4m" + replaced(kWhole, "\tCPU", "\x1b[0m\tCPU"));  // underlined
  check_whole("$ nvidia-smi topo -m\n```\n" + kWhole + "```\n");
  check_whole("> " + replaced(kWhole, "\n", "\n> "));       // quoted in a letter
  check_whole(replaced(kWhole, "NIC0\tNIC1", "NIC0NIC1"));  // the head's tab is missing
  check_whole(replaced(replaced(kWhole, "PXB\tSYS\t", "PXBSYS\t"), "SYS\tPXB\t", "SYSPXB\t"));
  check_whole(replaced(kWhole, "NV4\tNV4", "NV4NV4"));
  check_whole(replaced(kWhole, "\tPXB\tSYS\t0", "\n\tPXB\tSYS\t0"));  // wrapped by a terminal
  check_whole(replaced(kWhole, "NV4\tNODE\tSYS\t0", "NV4\tNO\nDE\tSYS\t0"));  // within a word
  check_whole(replaced(kWhole, "0-23,48-71", "0-23, 48-71"));
  check_whole(kWhole + "\n" + kWhole);
}

TEST_CASE("what a cut matrix leaves out is the other direction's, and a question") {
  const FoundMachine cut =
      machine_in(replaced(kWhole, "NIC0\tPXB\tNODE\tSYS\tSYS\t X \tSYS\t\t\t\t\n", ""), "topo.txt");
  CHECK(cut.devices.size() == 6);
  CHECK(cut.devices[4].at.on_switch == cut.devices[0].at.on_switch);
  CHECK(asks(cut, "there is no row of NIC0"));
  const FoundMachine narrow =
      machine_in(replaced(kWhole, "\tNV4\tPXB\tSYS\t0-23,48-71\t0\t\tN/A", ""), "topo.txt");
  CHECK(narrow.nvlinks.size() == 6);
  CHECK(asks(narrow, "GPU0 has 3 of 6 columns"));
  CHECK(refusal_of([] { machine_in(replaced(kWhole, "NODE", "NEAR"), "topo.txt"); })
            .find("topo.txt:3:1: error: GPU1: expected X, NV#, PIX, PXB, PHB, NODE or SYS; found "
                  "\"NEAR\"") != std::string::npos);
  check_whole(replaced(kWhole, "\tNIC0\tNIC1\tCPU", "\tCPU"));  // rows name them
}

TEST_CASE("devices of any name have columns, and the legend says what Linux calls them") {
  const FoundMachine efa = machine_in(replaced(kWhole, "NIC", "rdmap16s"), "topo.txt");
  CHECK(efa.devices[4].name == "rdmap16s0");
  CHECK(efa.devices[4].kind == FoundKind::nic);
  const FoundMachine named = machine_in(kWhole, "topo.txt");
  CHECK(named.devices[5].name == "mlx5_bond_0");
}

TEST_CASE("threads that are not told, or far from all, are asked for") {
  const FoundMachine none = machine_in(
      "\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\nGPU0\t X \tSYS\tN/A\tN/A\n"
      "GPU1\tSYS\t X \tN/A\tN/A\n",
      "topo.txt");
  CHECK(none.sockets.size() == 1);
  CHECK(none.sockets[0].threads == 0);
  CHECK(asks(none, "which socket do GPU0, GPU1 hang on?"));
  const FoundMachine far = machine_in(
      replaced(replaced(kWhole, "PXB\tSYS", "SYS\tSYS"), "NIC0\tPXB\tNODE", "NIC0\tSYS\tSYS"),
      "topo.txt");
  CHECK(far.sockets.size() == 2);
}

TEST_CASE("NUMA nodes of one package are no sockets") {
  // NPS4 of an EPYC: eight nodes of eight cores, of which two were seen
  const FoundMachine machine = machine_in(
      "\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\nGPU0\t X \tSYS\t24-31,88-95\t3\n"
      "GPU1\tSYS\t X \t40-47,104-111\t5\n",
      "topo.txt");
  REQUIRE(machine.sockets.size() == 2);
  CHECK(machine.sockets[0].cores == 32);
  CHECK(machine.sockets[0].threads == 64);
  CHECK(machine.devices[0].at.socket == 0);
  CHECK(machine.devices[1].at.socket == 1);
  CHECK(asks(machine, "NUMA nodes 3, 5 of 8 (64 cores, of which 16 were seen)"));
}

TEST_CASE("the second half of a list of threads of equal length are siblings") {
  CHECK(CpuSet::of_list("0-47,96-143").sibling_distance() == 96);
  CHECK(CpuSet::of_list("0-11,24-35,96-107,120-131").sibling_distance() == 96);
  CHECK(CpuSet::of_list("0-23,48-71,96-119,144-167").sibling_distance() == 0);  // either
  CHECK(CpuSet::of_list("0-79").sibling_distance() == 0);
  CHECK(CpuSet::of_list("0-47,96-139").sibling_distance() == 0);
  CHECK(CpuSet::of_list("0,2,4,6,8,10,12,14").sibling_distance() == 0);  // either
  CHECK(CpuSet::of_mask("000000ff,00000000,000000ff").sibling_distance() == 64);
}
