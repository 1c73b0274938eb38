// SPDX-License-Identifier: Apache-2.0
// Machines that cannot be built are refused, each with its own message; what a part replaces takes
// its links along.
#include <doctest/doctest.h>

#include "sim/base/labels/label_text.h"
#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "tests/support/catalog.h"
#include "tests/support/malformed.h"

using namespace gpufeed;
using namespace gpufeed::malformed;

namespace {

/// Two EPYC 7763, joined by `links` xGMI links of x16, and `cards` network cards of x16, in turn.
std::string epyc(int links, int cards, const std::string& memory = "256 GiB") {
  std::string text = "[workload]\nkind = \"loader\"\ndataset = \"imagenet-1k\"\n";
  text += "[store.nas]\nmodel = \"pure-flashblade-15-blade\"\n[system]\ntitle = \"s\"\n";
  for (const char* id : {"cpu0", "cpu1"})
    text += fmt::format(
        "[[system.socket]]\nid = \"{}\"\nmodel = \"amd-epyc-7763\"\nmemory = \"{}\"\n", id, memory);
  text += fmt::format(
      "[[system.socket_link]]\nbetween = [\"cpu0\", \"cpu1\"]\nlink = \"xgmi-18\"\ncount = {}\n",
      links);
  for (int i = 0; i < cards; ++i)
    text += fmt::format(
        "[[system.nic]]\nid = \"nic{}\"\nat = \"cpu{}\"\nmodel = "
        "\"mellanox-connectx-6-hdr-200g\"\n",
        i, i % 2);
  return text;
}

const std::string kDgxH100 = "system = \"nvidia-dgx-h100\"\n";

std::string replaced(const std::string& part, const std::string& with,
                     const std::string& more = "") {
  return fmt::format("[[replace]]\npart = \"{}\"\nwith = \"{}\"\n{}", part, with, more);
}

Scenario loaded(const std::string& text) {
  return parse_scenario(text, "good.toml", own_catalog());
}

}  // namespace

TEST_CASE("links between sockets take lanes of both") {
  // AMD: of 256 lanes of two sockets, four links of x16 leave 128, three 160.
  CHECK(error_of(epyc(4, 8)) == "accepted");
  CHECK(error_of(epyc(4, 9)) ==
        "bad.toml:8:1: error: socket \"cpu0\": the parts on it take 80 PCIe lanes, and "
        "amd-epyc-7763 has 128, of which 64 join it to other sockets; hang some on another socket "
        "or behind a switch, or give them fewer lanes\n");
  CHECK(error_of(epyc(3, 10)) == "accepted");
  CHECK(error_of(epyc(3, 11)).find("of which 48 join it") != std::string::npos);
  CHECK(error_of(epyc(4, 15)).find("take 128 PCIe lanes") != std::string::npos);
}

TEST_CASE("PCIe has links of some widths only") {
  for (const int lanes : {1, 2, 4, 8, 12, 16})
    CHECK(error_of(epyc(4, 8), {fmt::format("system.nic[nic0].lanes={}", lanes)}) == "accepted");
  CHECK(error_of(epyc(4, 8), {"system.nic[nic0].lanes=7"}) ==
        "--set system.nic[nic0].lanes=7: error: nic \"nic0\": no PCIe link has 7 lanes; expected "
        "one of 1, 2, 4, 8, "
        "12, 16, 32\n");
}

TEST_CASE("a machine has more memory than its system holds") {
  CHECK(error_of(epyc(4, 8, "5 GiB")) == "accepted");
  CHECK(error_of(epyc(4, 8, "4 GiB")) ==
        "bad.toml:8:1: error: system has 8.59 GB of memory, and the system and other programs hold "
        "8.59 GB of it; add memory, or lower reserved_memory\n");
  CHECK(error_of(epyc(4, 8, "4 GiB"), {"system.reserved_memory=1 GiB"}) == "accepted");
}

TEST_CASE("an NVSwitch joins modules, no cards, and each GPU has so many links") {
  CHECK(error_of(kDgxH100 + kWorkload + "precision = \"fp16\"\n" +
                 replaced("gpu*", "nvidia-h100-pcie-80gb"))
            .find("gpu \"gpu0\": nvidia-h100-pcie-80gb is a card for a PCIe slot, and NVSwitches "
                  "(\"nvswitch\") join modules on a board of their own; take a module (form = "
                  "\"module\"), or a machine whose GPUs are cards\n") != std::string::npos);
  CHECK(error_of("system = \"nvidia-dgx1-v100\"\n" + kWorkload, {"system.nvlink[0].count=3"})
            .find("links join it to other GPUs, and nvidia-v100-sxm2-16gb has 6; leave some out, "
                  "or take another GPU\n") != std::string::npos);
}

TEST_CASE("a network takes what a data set holds") {
  CHECK(error_of(kSystem + "[workload]\nmodel = \"resnet-50\"\ndataset = \"mlperf-bert\"\n") ==
        "bad.toml:3:9: error: workload.model: resnet-50 takes images, and the data set mlperf-bert "
        "holds text; choose another network or data set\n");
  // What nobody said is not held against anything.
  CHECK(error_of(kSystem + "[workload]\nmodel = \"resnet-50\"\n[workload.dataset]\ntitle = \"t\"\n"
                           "samples = 100000\nsample_size = \"1 MB\"\ndecode_time = \"1 ms\"\n") ==
        "accepted");
}

TEST_CASE("a replaced part is in the machine's title, and its links are its own") {
  const Scenario a100 = loaded(kDgxH100 + kWorkload + "precision = \"fp16\"\n" +
                               replaced("gpu*", "nvidia-a100-sxm4-80gb") +
                               replaced("cpu*", "intel-xeon-platinum-8592-plus"));
  CHECK(a100.system->title ==
        "NVIDIA DGX H100 with eight H100; changed: 8 x NVIDIA A100 SXM4 80 GB (gpu*), 2 x Intel "
        "Xeon Platinum 8592+ (cpu*)");
  CHECK(a100.system->nvswitches.at(0).link.name == "nvlink-3");
  CHECK(a100.system->nvswitches.at(0).count == 12);
  CHECK(a100.system->socket_links.at(0).link.name == "upi-20");
  CHECK(a100.system->socket_links.at(0).count == 4);

  const std::string dgx1 = "system = \"nvidia-dgx1-p100\"\n" + kWorkload;
  const Scenario v100 = loaded(dgx1 + replaced("gpu*", "nvidia-v100-sxm2-16gb"));
  for (const auto& link : v100.system->nvlinks) CHECK(link.link.name == "nvlink-2");
  // A link between two generations runs at the older one's rate.
  const Scenario mixed = loaded(dgx1 + replaced("gpu0", "nvidia-v100-sxm2-16gb"));
  for (const auto& link : mixed.system->nvlinks) CHECK(link.link.name == "nvlink-1");
  // Cards without NVLink have none.
  CHECK(loaded(dgx1 + replaced("gpu*", "nvidia-p100-pcie-16gb")).system->nvlinks.empty());
  // Those that are gone leave no links behind.
  const Scenario four = loaded(dgx1 + replaced("gpu*", "nvidia-p100-sxm2-16gb", "count = 4\n"));
  CHECK(four.system->gpus.size() == 4);
  for (const auto& link : four.system->nvlinks)
    for (const auto& end : link.between) CHECK(text_of(end.id) < "gpu4");
}

TEST_CASE("a data set has its decoder in a table of its own") {
  const std::string text =
      kSystem +
      "[workload]\nkind = \"loader\"\n[workload.dataset]\ntitle = \"t\"\nsamples = 100000\n"
      "sample_size = \"100 kB\"\n[workload.dataset.decoder]\ntitle = \"d\"\n"
      "[[workload.dataset.decoder.cost]]\nper_sample = \"2 ms\"\nsource = \"s\"\n"
      "basis = \"measured\"\n";
  const Scenario scenario = loaded(text);
  const auto& dataset = *scenario.workload.dataset();
  REQUIRE(dataset.decoder);
  CHECK((*dataset.decoder)->cost.at(0).per_sample == Seconds{2e-3});
  CHECK(error_of(text, {"workload.dataset.decoder.title=7"}).find("decoder.title") !=
        std::string::npos);
  // A name with a source of its own is a name still.
  CHECK(error_of(kSystem + "[workload]\nkind = \"loader\"\n[workload.dataset]\ntitle = \"t\"\n"
                           "samples = 100000\nsample_size = \"100 kB\"\ndecoder = { value = "
                           "\"npz\", source = \"s\", basis = \"measured\" }\n") == "accepted");
}
