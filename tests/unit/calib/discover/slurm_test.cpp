// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "calib/discover/report/report.h"
#include "tests/support/refusals.h"

using namespace gpufeed;

namespace {

FoundMachine machine(const std::string& text) { return machine_of_report({{"slurm.txt", text}}); }

std::string node(const std::string& name, const std::string& gres, int memory = 2063937) {
  return "NodeName=" + name +
         " Arch=x86_64 CoresPerSocket=56\n   CPUAlloc=0 CPUEfctv=224 CPUTot=224 CPULoad=0.10\n"
         "   AvailableFeatures=(null)\n   Gres=" +
         gres + "\n   NodeAddr=" + name +
         " Version=23.02.6\n   OS=Linux 5.15.0\n   RealMemory=" + std::to_string(memory) +
         " AllocMem=0 Sockets=2 Boards=1\n   State=IDLE ThreadsPerCore=2 TmpDisk=0\n"
         "   Partitions=gpu\n\n";
}

const std::string kInfo =
    "PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST\n"
    "gpu*         up   infinite     10   idle gpu[01-08,11-12]\n"
    "gpu*         up   infinite      2   down gpu[09-10]\n"
    "long         up   infinite      4   idle gpu[01-04]\n";

std::ptrdiff_t gpus_of_machine(const FoundMachine& found) {
  return std::ranges::count(found.devices, FoundKind::gpu, &FoundDevice::kind);
}

bool tells(const FoundMachine& found, const std::string& words) {
  return std::ranges::any_of(
      found.left_out, [&](const std::string& one) { return one.find(words) != std::string::npos; });
}

}  // namespace

TEST_CASE("scontrol show node tells a machine, and how many are alike") {
  const FoundMachine found =
      machine(node("gpu01", "gpu:h100:8(S:0-1)") + node("gpu02", "gpu:h100:8(S:0-1)") +
              node("gpu03", "gpu:h100:8(S:0-1)"));
  REQUIRE(found.sockets.size() == 2);
  CHECK(found.sockets[0].cores == 56);
  CHECK(found.sockets[0].threads == 112);
  CHECK(found.sockets[0].memory.value + found.sockets[1].memory.value == 2063937.0 * 1048576);
  CHECK(gpus_of_machine(found) == 8);
  CHECK(std::ranges::any_of(found.questions, [](const std::string& one) {
    return one.find("which product is the GPU that Slurm calls \"h100\"?") == 0;
  }));
  CHECK(tells(found,
              "3 machines of Slurm, each with 8 GPUs (h100) (gpu01 to gpu03): a scenario of all "
              "says nodes = 3"));
}

TEST_CASE("of unlike nodes those of which there are most are taken, and the others named") {
  const FoundMachine found = machine(node("a1", "gpu:a100:4") + node("b1", "gpu:h100:8") +
                                     node("b2", "gpu:h100:8") + node("login", "(null)", 64000));
  CHECK(gpus_of_machine(found) == 8);
  CHECK(tells(found,
              "2 machines of Slurm, each with 8 GPUs (h100) (b1 to b2): a scenario of these "
              "says nodes = 2"));
  CHECK(tells(found, "1 machine of Slurm, each with 4 GPUs (a100) (a1): unlike those"));
  CHECK(tells(found, "1 machine of Slurm (login): unlike those"));
}

TEST_CASE("sinfo counts each node once, whatever its partitions, and beside what tells a machine") {
  CHECK(refusal_of([] { machine(kInfo); }) ==
        "slurm.txt:1:1: error: this tells how many machines there are, 12, and not what is in one: "
        "give scontrol show node, or what programs print on one of them, beside it\n");
  const FoundMachine found =
      machine(kInfo + "\nSocket(s): 2\nCore(s) per socket: 56\nThread(s) per core: 2\n");
  CHECK(tells(found, "12 machines of Slurm (gpu01 to gpu12): a scenario of all says nodes = 12"));
  const FoundMachine wide = machine(
      "$ sinfo -N -o \"%N %D %G %z %m\"\nNODELIST NODES GRES S:C:T MEMORY\n"
      "n1 1 gpu:8 2:32:2 1031000\nn2 1 gpu:8 2:32:2 1031000\n");
  CHECK(gpus_of_machine(wide) == 8);
  CHECK(tells(wide, "2 machines of Slurm, each with 8 GPUs (n1 to n2)"));
}

TEST_CASE("nodes that several pastes of Slurm tell of are counted once") {
  const std::string listed =
      "PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST\n"
      "gpu*         up   infinite      3   idle gpu[01-03]\n";
  const std::string shown =
      node("gpu01", "gpu:h100:8") + node("gpu02", "gpu:h100:8") + node("gpu03", "gpu:h100:8");
  const std::string wide =
      "NODELIST NODES GRES S:C:T MEMORY\ngpu[01-03] 3 gpu:h100:8 2:56:2 2063937\n";
  for (const std::vector<NamedText>& texts :
       {std::vector<NamedText>{{"both.txt", fmt::format("{}\n{}", listed, shown)}},
        {{"sinfo.txt", listed}, {"nodes.txt", shown}},
        {{"nodes.txt", shown}, {"sinfo.txt", listed}},
        {{"sinfo.txt", listed}, {"wide.txt", wide}, {"nodes.txt", shown}},
        {{"slurm.conf",
          "NodeName=gpu[01-03] Gres=gpu:h100:8 Sockets=2 CoresPerSocket=56 "
          "ThreadsPerCore=2 RealMemory=2063937\n"},
         {"nodes.txt", shown}}}) {
    const FoundMachine found = machine_of_report(texts);
    CHECK(gpus_of_machine(found) == 8);
    CHECK(tells(found,
                "3 machines of Slurm, each with 8 GPUs (h100) (gpu01 to gpu03): a scenario of all "
                "says nodes = 3"));
    CHECK(std::ranges::count_if(found.left_out, [](const std::string& one) {
            return one.find("of Slurm") != std::string::npos;
          }) == 1);
  }
}

TEST_CASE("what Slurm prints, cut or changed anywhere, gives a machine or a message") {
  const std::string whole = kInfo + "\n" + node("gpu[1-3]", "gpu:h100:8(S:0-1),gpu:a100:99999999");
  for (std::size_t at = 0; at < whole.size(); at += 7) {
    const std::string cut = whole.substr(0, at);
    std::string changed = whole;
    changed[at] = "[]-,:=9"[at % 7];
    for (const std::string& text : {cut, changed}) CHECK(refusal_of([&] { machine(text); }) != "");
  }
  const std::string endless = "NODELIST STATE\nn[0-999999999999],m[9-1],[,x[ idle\n";
  CHECK(refusal_of([&] { machine(endless); }).find("100000") != std::string::npos);
}
