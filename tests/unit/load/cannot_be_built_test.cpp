// SPDX-License-Identifier: Apache-2.0
// Machines of a chassis and parts that cannot be built, and what their buyer reads.
#include "tests/support/malformed.h"

using namespace gpufeed;
using namespace gpufeed::malformed;  // NOLINT: the vocabulary of this file

namespace {

const std::string kJob =
    "[workload]\nkind = \"loader\"\ndataset = \"imagenet-1k\"\n[data]\nat = \"scratch\"\n";

// Machines that can be built, a line a key.

const std::string kServer =
    "[system]\n"
    "chassis = \"dell-r760xa\"\n"
    "cpu = \"2 x intel-xeon-gold-6548y-plus\"\n"
    "memory = \"512 GB\"\n"
    "gpu = \"4 x nvidia-l40s\"\n"
    "drives = \"4 x kioxia-cm7-r-7.68tb\"\n"
    "nics = \"1 x nvidia-connectx-7-ndr200-200g\"\n";

const std::string kDesktop =
    "[system]\n"
    "chassis = \"desktop-am5\"\n"
    "cpu = \"1 x amd-ryzen-9-9950x\"\n"
    "memory = \"64 GB\"\n"
    "gpu = \"1 x nvidia-rtx-4090\"\n"
    "drives = \"1 x samsung-990-pro-2tb\"\n";

const std::string kDgx =
    "[system]\n"
    "chassis = \"nvidia-dgx-h100\"\n";

/// The machine with other lines in place of those of the same keys, or below all.
std::string with(std::string machine, const std::vector<std::string>& lines) {
  for (const auto& line : lines) {
    const std::size_t old = machine.find("\n" + line.substr(0, line.find('=') + 1));
    if (old == std::string::npos)
      machine += line + "\n";
    else
      machine.replace(old + 1, machine.find('\n', old + 1) - old - 1, line);
  }
  return machine;
}

/// The machine without the line of a key.
std::string without(std::string machine, const std::string& key) {
  const std::size_t old = machine.find("\n" + key + " =");
  return machine.erase(old, machine.find('\n', old + 1) - old);
}

/// A machine is the text above its job.
struct Machine {
  const char* name;
  std::string system;
  const char* message;
};

const Machine kMachines[] = {
    {"a chassis that nobody sells", with(kServer, {"chassis = \"dell-r760xs\""}),
     "bad.toml:2:11: error: system.chassis: no chassis \"dell-r760xs\" in the catalog; did you "
     "mean \"dell-r760xa\"?\n"},
    {"no processor", without(kServer, "cpu"),
     "bad.toml:1:1: error: system: \"cpu\" is missing; it must be how many and which, for socket "
     "lga4677, such as intel-xeon-gold-6430, intel-xeon-gold-6438n, intel-xeon-gold-6442y\n"},
    {"neither processor nor memory", without(without(kDesktop, "cpu"), "memory"),
     "bad.toml:1:1: error: system: \"cpu\" is missing; it must be how many and which, for socket "
     "am5, such as amd-ryzen-9-7950x, amd-ryzen-9-9950x\n"
     "bad.toml:1:1: error: system: \"memory\" is missing; it must be one size, such as \"512 "
     "GB\" or \"16 x 32 GB\"\n"},
    {"a processor that nobody sells", with(kServer, {"cpu = \"2 x intel-xeon-gold-6549\""}),
     "bad.toml:3:7: error: system.cpu: no cpu \"intel-xeon-gold-6549\" in the catalog; did you "
     "mean \"intel-xeon-gold-6148\"?\n"},
    {"a count without an x", with(kServer, {"cpu = \"2 intel-xeon-gold-6548y-plus\""}),
     "bad.toml:3:7: error: system.cpu must be how many, an x and what, such as \"8 x NAME\"; "
     "found \"2 intel-xeon-gold-6548y-plus\"\n"},
    {"a count of zero", with(kServer, {"gpu = \"0 x nvidia-l40s\""}),
     "bad.toml:5:7: error: system.gpu must be how many, from 1 to 1024, an x and what, such as "
     "\"8 x NAME\"; found \"0 x nvidia-l40s\"\n"},
    {"a count without end", with(kServer, {"gpu = \"1000000 x nvidia-l40s\""}),
     "bad.toml:5:7: error: system.gpu must be how many, from 1 to 1024, an x and what, such as "
     "\"8 x NAME\"; found \"1000000 x nvidia-l40s\"\n"},
    {"a number for a text", with(kServer, {"gpu = 8"}),
     "bad.toml:5:7: error: system.gpu must be text such as \"8 x NAME\", or a list of it; found "
     "8\n"},
    {"a table for a text", with(kServer, {"drives = { model = \"kioxia-cm7-r-7.68tb\" }"}),
     "bad.toml:6:10: error: system.drives must be text such as \"8 x NAME\", or a list of it; "
     "found a table\n"},
    {"a number in a list", with(kServer, {"gpu = [\"2 x nvidia-l40s\", 2]"}),
     "bad.toml:5:27: error: system.gpu must be texts such as \"8 x NAME\"; found 2\n"},
    {"a misspelt key", with(kServer, {"drivs = \"1 x x\""}),
     "bad.toml:8:9: error: system: unknown key \"drivs\"; did you mean \"drive\"?\n"},
    {"a processor of another maker", with(kServer, {"cpu = \"2 x amd-epyc-9555\""}),
     "bad.toml:3:7: error: system.cpu: amd-epyc-9555 fits socket sp5, and dell-r760xa has "
     "lga4677; take one that fits, such as intel-xeon-platinum-8592-plus, "
     "intel-xeon-platinum-8490h, intel-xeon-platinum-8480-plus\n"},
    {"a processor of a later socket", with(kServer, {"cpu = \"2 x intel-xeon-6767p\""}),
     "bad.toml:3:7: error: system.cpu: intel-xeon-6767p fits socket lga4710-2, and dell-r760xa "
     "has lga4677; take one that fits, such as intel-xeon-platinum-8592-plus, "
     "intel-xeon-platinum-8490h, intel-xeon-platinum-8480-plus\n"},
    {"three processors", with(kServer, {"cpu = \"3 x intel-xeon-gold-6548y-plus\""}),
     "bad.toml:3:7: error: system.cpu: dell-r760xa has 2 sockets, and 3 CPUs are asked for; take "
     "2\n"},
    {"two kinds of processors",
     with(kServer, {"cpu = [\"1 x intel-xeon-gold-6548y-plus\", \"1 x intel-xeon-gold-6430\"]"}),
     "bad.toml:3:42: error: system.cpu: the CPUs of a machine are alike; take "
     "intel-xeon-gold-6548y-plus or intel-xeon-gold-6430\n"},
    {"two processors that cannot be joined",
     "[system]\n"
     "chassis = \"supermicro-as-4124gs-tnr\"\n"
     "cpu = \"2 x amd-epyc-7502p\"\n"
     "memory = \"512 GB\"\n"
     "gpu = \"8 x nvidia-a10\"\n"
     "drives = \"4 x micron-7450-pro-7.68tb\"\n",
     "bad.toml:3:7: error: system.cpu: amd-epyc-7502p cannot be joined to another; take one, or "
     "another CPU, such as amd-epyc-7452, amd-epyc-7502, amd-epyc-7513\n"},
    {"two processors for one socket",
     "[system]\n"
     "chassis = \"supermicro-as-1115cs-tnr\"\n"
     "cpu = \"2 x amd-epyc-9555\"\n"
     "memory = \"768 GB\"\n"
     "drives = \"8 x kioxia-cm7-r-7.68tb\"\n",
     "bad.toml:3:7: error: system.cpu: supermicro-as-1115cs-tnr has 1 socket, and 2 CPUs are "
     "asked for; take 1\n"},
    {"no memory", without(kServer, "memory"),
     "bad.toml:1:1: error: system: \"memory\" is missing; it must be one size, such as \"512 "
     "GB\" or \"16 x 32 GB\"\n"},
    {"memory without a unit", with(kServer, {"memory = \"512\""}),
     "bad.toml:4:10: error: system.memory: must be a size or modules, such as \"2 TB\" or \"16 x "
     "64 GB\"; found \"512\"\n"},
    {"memory that no modules make", with(kServer, {"memory = \"500 GB\""}),
     "bad.toml:4:10: error: system.memory: 500 GB cannot be made of modules that fill the 8 "
     "channels of each CPU evenly; the nearest are 256 GB (16 x 16 GB) and 512 GB (16 x 32 GB)\n"},
    {"memory that does not fill twelve channels",
     "[system]\n"
     "chassis = \"supermicro-as-1115cs-tnr\"\n"
     "cpu = \"1 x amd-epyc-9555\"\n"
     "memory = \"512 GB\"\n"
     "drives = \"8 x kioxia-cm7-r-7.68tb\"\n",
     "bad.toml:4:10: error: system.memory: 512 GB cannot be made of modules that fill the 12 "
     "channels of each CPU evenly; the nearest are 384 GB (12 x 32 GB) and 768 GB (12 x 64 GB)\n"},
    {"more memory than slots", with(kServer, {"memory = \"40 x 64 GB\""}),
     "bad.toml:4:10: error: system.memory: 40 modules are asked for, and dell-r760xa has 32 "
     "slots for 2 CPUs; take larger ones\n"},
    {"modules of no such size", with(kServer, {"memory = \"16 x 48 GB\""}),
     "bad.toml:4:10: error: system.memory: there are no modules of 48 GB of ddr5-5200-rdimm; "
     "there are 16 GB, 32 GB, 64 GB, 96 GB, 128 GB, 256 GB\n"},
    {"modules that two processors cannot share evenly", with(kServer, {"memory = \"15 x 64 GB\""}),
     "bad.toml:4:10: error: system.memory: 15 modules cannot be spread over 2 CPUs evenly; take "
     "14 or 16\n"},
    {"more memory than a desktop processor takes", with(kDesktop, {"memory = \"512 GB\""}),
     "bad.toml:4:10: error: system.memory: 512 GB cannot be made of modules that fill the 2 "
     "channels of each CPU evenly; the nearest are 128 GB (4 x 32 GB) and 192 GB (4 x 48 GB)\n"},
    {"more memory than a processor takes",
     "[system]\n"
     "chassis = \"desktop-lga1700\"\n"
     "cpu = \"1 x intel-core-i9-14900k\"\n"
     "memory = \"4 x 64 GB\"\n"
     "gpu = \"1 x nvidia-rtx-4090\"\n"
     "drives = \"1 x samsung-990-pro-2tb\"\n",
     "bad.toml:4:10: error: system.memory: there are no modules of 64 GB of ddr5-5600-udimm; "
     "there are 8 GB, 16 GB, 24 GB, 32 GB, 48 GB\n"},
    {"modules of another generation", with(kServer, {"memory = \"16 x 32 GB ddr4-3200-rdimm\""}),
     "bad.toml:4:10: error: system.memory: intel-xeon-gold-6548y-plus takes ddr5-5200-rdimm, not "
     "ddr4-3200-rdimm\n"},
    {"modules that nobody sells", with(kServer, {"memory = \"16 x 32 GB ddr5-4000-rdimm\""}),
     "bad.toml:4:10: error: system.memory: no memory \"ddr5-4000-rdimm\" in the catalog; did you "
     "mean \"ddr5-4400-rdimm\"?\n"},
    {"two sizes of memory", with(kServer, {"memory = [\"256 GB\", \"256 GB\"]"}),
     "bad.toml:4:21: error: system.memory: one text says it all; found 2\n"},
    {"five cards in four slots", with(kServer, {"gpu = \"5 x nvidia-l40s\""}),
     "bad.toml:5:7: error: system.gpu: dell-r760xa has room for 4 of nvidia-l40s, and 5 are "
     "asked for; take 4, or another chassis, such as gigabyte-g493-zb3, "
     "supermicro-sys-522ga-nrt, asus-esc8000a-e12\n"},
    {"modules for a board in a server with slots",
     with(kServer, {"gpu = \"4 x nvidia-h100-sxm5-80gb\""}),
     "bad.toml:5:7: error: system.gpu: nvidia-h100-sxm5-80gb is a module on a board of its own "
     "(sxm5), and dell-r760xa takes cards in PCIe slots; take one that fits, such as "
     "nvidia-a100-pcie-80gb, nvidia-h100-pcie-80gb, nvidia-h100-nvl-94gb\n"},
    {"cards for a server with a GPU board", with(kDgx, {"gpu = \"8 x nvidia-h100-pcie-80gb\""}),
     "bad.toml:3:7: error: system.gpu: nvidia-h100-pcie-80gb is a card for a PCIe slot, and "
     "nvidia-dgx-h100 takes modules on a board (sxm5); take one that fits, such as "
     "nvidia-h100-sxm5-80gb, nvidia-h20-96gb, nvidia-h200-sxm5-141gb\n"},
    {"modules of an older board", with(kDgx, {"gpu = \"8 x nvidia-a100-sxm4-80gb\""}),
     "bad.toml:3:7: error: system.gpu: nvidia-a100-sxm4-80gb goes on a board of kind sxm4, and "
     "that of nvidia-dgx-h100 is sxm5; take one that fits, such as nvidia-h100-sxm5-80gb, "
     "nvidia-h20-96gb, nvidia-h200-sxm5-141gb\n"},
    {"modules of a newer board", with(kDgx, {"gpu = \"8 x nvidia-b200-sxm-180gb\""}),
     "bad.toml:3:7: error: system.gpu: nvidia-b200-sxm-180gb goes on a board of kind sxm6, and "
     "that of nvidia-dgx-h100 is sxm5; take one that fits, such as nvidia-h200-sxm5-141gb, "
     "nvidia-h20-96gb, nvidia-h100-sxm5-80gb\n"},
    {"modules of another maker", with(kDgx, {"gpu = \"8 x amd-mi300x\""}),
     "bad.toml:3:7: error: system.gpu: amd-mi300x goes on a board of kind oam, and that of "
     "nvidia-dgx-h100 is sxm5; take one that fits, such as nvidia-h200-sxm5-141gb, "
     "nvidia-h20-96gb, nvidia-h100-sxm5-80gb\n"},
    {"half a GPU board", with(kDgx, {"gpu = \"4 x nvidia-h100-sxm5-80gb\""}),
     "bad.toml:3:7: error: system.gpu: the GPU board of nvidia-dgx-h100 comes with all 8 "
     "modules, and 4 are asked for; take 8, or another chassis, such as dell-xe8640\n"},
    {"more modules than a GPU board has", with(kDgx, {"gpu = \"16 x nvidia-h100-sxm5-80gb\""}),
     "bad.toml:3:7: error: system.gpu: nvidia-dgx-h100 has room for 8 of nvidia-h100-sxm5-80gb, "
     "and 16 are asked for; take 8\n"},
    {"two kinds of modules",
     with(kDgx, {"gpu = [\"4 x nvidia-h100-sxm5-80gb\", \"4 x nvidia-h200-sxm5-141gb\"]"}),
     "bad.toml:3:8: error: system.gpu: the GPU board of nvidia-dgx-h100 comes with all 8 "
     "modules, and 4 are asked for; take 8, or another chassis, such as dell-xe8640\n"
     "bad.toml:3:37: error: system.gpu: the modules of a board are alike; take "
     "nvidia-h100-sxm5-80gb or nvidia-h200-sxm5-141gb\n"},
    {"three-slot cards in a server of two-slot ones",
     with(kServer, {"gpu = \"2 x nvidia-rtx-4090\""}),
     "bad.toml:5:7: error: system.gpu: nvidia-rtx-4090 covers 3 slots, and those of dell-r760xa "
     "hold cards of 2 at most; take one that fits, such as nvidia-a10, nvidia-a30, nvidia-l4\n"},
    {"three three-slot cards in a desktop", with(kDesktop, {"gpu = \"3 x nvidia-rtx-4090\""}),
     "bad.toml:5:7: error: system.gpu: desktop-am5 has room for 2 of nvidia-rtx-4090, and 3 are "
     "asked for; take 2, or another chassis, such as workstation-w790, workstation-wrx90, "
     "workstation-4x-rtx-3090\n"},
    {"GPUs in a node for storage",
     "[system]\n"
     "chassis = \"supermicro-as-2125hs-tnr\"\n"
     "cpu = \"2 x amd-epyc-9555\"\n"
     "memory = \"768 GB\"\n"
     "gpu = \"2 x nvidia-l40s\"\n"
     "drives = \"24 x kioxia-cm7-r-7.68tb\"\n",
     "bad.toml:5:7: error: system.gpu: nvidia-l40s covers 2 slots, and those of "
     "supermicro-as-2125hs-tnr hold cards of 1 at most; take one that fits, such as nvidia-a10, "
     "nvidia-l4, nvidia-t4\n"},
    {"a GPU for POWER8 in a DGX-1",
     "[system]\n"
     "chassis = \"nvidia-dgx1-p100\"\n"
     "gpu = \"8 x nvidia-p100-sxm2-16gb-power8\"\n",
     "bad.toml:3:7: error: system.gpu: nvidia-p100-sxm2-16gb-power8 plugs into nvlink-1, and the "
     "GPU board of nvidia-dgx1-p100 has pcie-3.0; take one that fits, such as "
     "nvidia-p100-sxm2-16gb, nvidia-v100-sxm2-16gb, nvidia-v100-sxm2-32gb\n"},
    {"half a board of a GPU with two dies",
     "[system]\n"
     "chassis = \"dell-r740\"\n"
     "cpu = \"2 x intel-xeon-gold-6248\"\n"
     "memory = \"384 GB\"\n"
     "gpu = \"3 x nvidia-k80-die\"\n"
     "drives = \"4 x samsung-870-evo-1tb\"\n",
     "bad.toml:5:7: error: system.gpu: 2 of nvidia-k80-die are on one board, and 3 are asked "
     "for; take 4\n"},
    {"a GPU that nobody sells", with(kServer, {"gpu = \"4 x nvidia-l40\""}),
     "bad.toml:5:7: error: system.gpu: no gpu \"nvidia-l40\" in the catalog; did you mean "
     "\"nvidia-a40\"?\n"},
    {"nine drives in eight bays", with(kServer, {"drives = \"9 x kioxia-cm7-r-7.68tb\""}),
     "bad.toml:6:10: error: system.drives: dell-r760xa has room for 8 of kioxia-cm7-r-7.68tb, "
     "and 9 are asked for; take 8\n"},
    {"M.2 drives in bays", with(kServer, {"drives = \"4 x samsung-990-pro-2tb\""}),
     "bad.toml:6:10: error: system.drives: samsung-990-pro-2tb is of form m.2, and the bays of "
     "dell-r760xa take 2.5-inch, u.2; take one that fits, such as intel-dc-p3600-2tb, "
     "intel-dc-p4500-2tb, intel-p4510-2tb\n"},
    {"E3.S drives in bays for U.2", with(kServer, {"drives = \"4 x kioxia-cm7-r-7.68tb-e3.s\""}),
     "bad.toml:6:10: error: system.drives: kioxia-cm7-r-7.68tb-e3.s is of form e3.s, and the "
     "bays of dell-r760xa take 2.5-inch, u.2; take one that fits, such as intel-d3-s4610-7.68tb, "
     "intel-d7-p5500-7.68tb, kioxia-cd8p-r-7.68tb\n"},
    {"U.2 drives in bays for E1.S",
     "[system]\n"
     "chassis = \"supermicro-ssg-121e-nes24r\"\n"
     "cpu = \"2 x intel-xeon-gold-6548y-plus\"\n"
     "memory = \"512 GB\"\n"
     "drives = \"8 x kioxia-cm7-r-7.68tb\"\n",
     "bad.toml:5:10: error: system.drives: kioxia-cm7-r-7.68tb is of form u.2, and the bays of "
     "supermicro-ssg-121e-nes24r take e1.s; take one that fits, such as micron-9650-pro-7.68tb, "
     "solidigm-d7-p5520-7.68tb-e1.s, wd-ultrastar-dc-sn861-7.68tb-e1.s\n"},
    {"SATA drives in bays for NVMe", with(kDgx, {"drives = \"8 x samsung-870-evo-4tb\""}),
     "bad.toml:3:10: error: system.drives: samsung-870-evo-4tb is of form 2.5-inch, and the bays "
     "of nvidia-dgx-h100 take u.2; take one that fits, such as intel-dc-p4500-4tb, "
     "kioxia-cd5-3.84tb, kioxia-cm6-r-3.84tb\n"},
    {"disks of 3.5 inches in bays of 2.5",
     with(kServer, {"drives = \"8 x seagate-exos-x24-24tb\""}),
     "bad.toml:6:10: error: system.drives: seagate-exos-x24-24tb is of form 3.5-inch, and the "
     "bays of dell-r760xa take 2.5-inch, u.2; take one that fits, such as kioxia-cd8p-r-30.72tb, "
     "kioxia-cm7-r-30.72tb, kioxia-cm9-r-30.72tb\n"},
    {"U.2 drives in a desktop", with(kDesktop, {"drives = \"1 x kioxia-cm7-r-7.68tb\""}),
     "bad.toml:6:10: error: system.drives: kioxia-cm7-r-7.68tb is of form u.2, and the bays of "
     "desktop-am5 take 2.5-inch, m.2; take one that fits, such as intel-d3-s4610-7.68tb, "
     "samsung-870-qvo-8tb, samsung-9100-pro-8tb\n"},
    {"five M.2 drives in a desktop", with(kDesktop, {"drives = \"5 x samsung-990-pro-2tb\""}),
     "bad.toml:6:10: error: system.drives: desktop-am5 has room for 4 of samsung-990-pro-2tb, "
     "and 5 are asked for; take 4\n"},
    {"two kinds of drives that together are too many",
     with(kServer, {"drives = [\"6 x kioxia-cm7-r-7.68tb\", \"4 x samsung-870-evo-4tb\"]"}),
     "bad.toml:6:38: error: system.drives: dell-r760xa has room for 2 of samsung-870-evo-4tb, as "
     "other parts hold 6, and 4 are asked for; take 2\n"},
    {"a drive that nobody sells", with(kServer, {"drives = \"4 x kioxia-cm7-r-7.86tb\""}),
     "bad.toml:6:10: error: system.drives: no drive \"kioxia-cm7-r-7.86tb\" in the catalog; did "
     "you mean \"kioxia-cm7-r-7.68tb\"?\n"},
    {"three cards in two slots", with(kServer, {"nics = \"3 x nvidia-connectx-7-ndr200-200g\""}),
     "bad.toml:7:8: error: system.nics: dell-r760xa has room for 2 of "
     "nvidia-connectx-7-ndr200-200g, as other parts hold 4, and 3 are asked for; take 2\n"},
    {"two cards for one OCP slot",
     with(kServer, {"nics = \"2 x nvidia-connectx-7-ndr200-200g-ocp\""}),
     "bad.toml:7:8: error: system.nics: dell-r760xa has room for 1 of "
     "nvidia-connectx-7-ndr200-200g-ocp, and 2 are asked for; take 1\n"},
    {"a card for a slot that is not there",
     with(kDgx, {"nics = \"1 x nvidia-connectx-7-ndr200-200g-ocp\""}),
     "bad.toml:3:8: error: system.nics: nvidia-connectx-7-ndr200-200g-ocp goes into a slot for "
     "OCP cards, and nvidia-dgx-h100 has none; take one that fits, such as "
     "broadcom-57608-200g, broadcom-57608-400g, mellanox-connectx-6-hdr-200g-two-ports\n"},
    {"what only a main board carries", with(kServer, {"nics = \"1 x intel-x550-10g-onboard\""}),
     "bad.toml:7:8: error: system.nics: intel-x550-10g-onboard is part of a main board, and that "
     "of dell-r760xa has none such; take one that fits, such as broadcom-57416-10g-ocp, "
     "intel-x540-10g, intel-x550-10g\n"},
    {"more cards than slots of one processor",
     with(kServer, {"cpu = \"1 x intel-xeon-gold-6548y-plus\"", "memory = \"256 GB\""}),
     "bad.toml:5:7: error: system.gpu: dell-r760xa has room for 2 of nvidia-l40s, as 2 more hang "
     "on sockets without a CPU, and 4 are asked for; take 2, or 2 CPUs, or another chassis, such "
     "as dell-r760xa, dell-r750xa, workstation-4x-rtx-3090\n"},
    {"more drives than bays of one processor",
     with(kServer, {"cpu = \"1 x intel-xeon-gold-6548y-plus\"", "memory = \"256 GB\"",
                    "gpu = \"2 x nvidia-l40s\"", "drives = \"8 x kioxia-cm7-r-7.68tb\""}),
     "bad.toml:6:10: error: system.drives: dell-r760xa has room for 4 of kioxia-cm7-r-7.68tb, as "
     "4 more hang on sockets without a CPU, and 8 are asked for; take 4, or 2 CPUs\n"},
    {"more lanes than the processor has",
     "[system]\n"
     "chassis = \"supermicro-as-4124gs-tnr\"\n"
     "cpu = \"2 x amd-epyc-7543\"\n"
     "memory = \"512 GB\"\n"
     "gpu = \"8 x nvidia-a10\"\n"
     "drives = \"4 x micron-7450-pro-7.68tb\"\n"
     "nics = \"1 x mellanox-connectx-6-hdr-200g\"\n"
     "place = { nic0 = \"cpu0\" }\n",
     "bad.toml:3:7: error: socket \"cpu0\": the parts on it take 96 PCIe lanes, and "
     "amd-epyc-7543 has 128, of which 48 join it to other sockets; hang some on another socket "
     "or behind a switch, or give them fewer lanes\n"},
    {"a SAS drive at a port for SATA", with(kDesktop, {"drives = \"1 x samsung-pm1643a-7.68tb\""}),
     "bad.toml:6:10: error: system.drives: samsung-pm1643a-7.68tb plugs into sas-3, and the bays "
     "of desktop-am5 have sata-3; take one that fits, such as intel-d3-s4610-7.68tb, "
     "samsung-870-qvo-8tb, samsung-9100-pro-8tb\n"},
    {"more power than the supplies deliver",
     "[system]\n"
     "chassis = \"workstation-wrx90\"\n"
     "cpu = \"1 x amd-threadripper-pro-9995wx\"\n"
     "memory = \"256 GB\"\n"
     "gpu = \"3 x nvidia-rtx-5090\"\n"
     "drives = \"2 x samsung-990-pro-2tb\"\n",
     "bad.toml:1:1: error: workstation-wrx90: its parts draw 2.086 kW at full load, and its "
     "power supplies deliver 1.6 kW; take fewer or thriftier parts, or a larger power_supply\n"},
    {"a part that is not there moved", with(kServer, {"place = { gpu7 = \"cpu1\" }"}),
     "bad.toml:8:18: error: system.place: no part is called \"gpu7\"; did you mean \"gpu0\"?\n"},
    {"a part moved to a place that is not there", with(kServer, {"place = { gpu0 = \"cpu7\" }"}),
     "bad.toml:8:18: error: gpu \"gpu0\".at: there is no part \"cpu7\"; did you mean \"cpu0\"?\n"},
    {"a part moved to a number", with(kServer, {"place = { gpu0 = 1 }"}),
     "bad.toml:8:18: error: system.place.gpu0 must be the id of a socket or switch; found 1\n"},
    {"everything moved to one place", with(kServer, {"place = \"cpu0\""}),
     "bad.toml:8:9: error: system.place must be a table such as { gpu0 = \"cpu1\" }; found "
     "\"cpu0\"\n"},
    {"a chassis that is a table",
     "[system]\n"
     "chassis = { sockets = 2 }\n",
     "bad.toml:2:11: error: system.chassis must be the name of a chassis in the catalog, or a "
     "path to its file; found a table\n"},
    {"an instance of a cloud as a chassis",
     "[system]\n"
     "chassis = \"aws-p4d.24xlarge\"\n",
     "bad.toml:2:11: error: system.chassis: aws-p4d.24xlarge is a machine that comes whole, not a "
     "chassis; take it as system = \"aws-p4d.24xlarge\"\n"},
    {"several mistakes at once",
     with(kServer, {"cpu = \"2 x amd-epyc-9555\"", "gpu = \"8 x nvidia-l40s\"",
                    "drives = \"9 x kioxia-cm7-r-7.68tb\"",
                    "nics = \"2 x nvidia-connectx-7-ndr200-200g-ocp\""}),
     "bad.toml:3:7: error: system.cpu: amd-epyc-9555 fits socket sp5, and dell-r760xa has "
     "lga4677; take one that fits, such as intel-xeon-platinum-8592-plus, "
     "intel-xeon-platinum-8490h, intel-xeon-platinum-8480-plus\n"
     "bad.toml:5:7: error: system.gpu: dell-r760xa has room for 4 of nvidia-l40s, and 8 are "
     "asked for; take 4, or another chassis, such as gigabyte-g493-zb3, "
     "supermicro-sys-522ga-nrt, asus-esc8000a-e12\n"
     "bad.toml:6:10: error: system.drives: dell-r760xa has room for 8 of kioxia-cm7-r-7.68tb, "
     "and 9 are asked for; take 8\n"
     "bad.toml:7:8: error: system.nics: dell-r760xa has room for 1 of "
     "nvidia-connectx-7-ndr200-200g-ocp, and 2 are asked for; take 1\n"},
};

}  // namespace

TEST_CASE("a machine that cannot be built is refused with the reason and what would fit") {
  CHECK(std::size(kMachines) >= 60);
  std::vector<Case> cases;
  for (const auto& one : kMachines) cases.push_back({one.name, one.system + kJob, one.message});
  check_refused(cases);
}
