// SPDX-License-Identifier: Apache-2.0
// What a chassis and parts become, against lists written by hand.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>

#include "sim/base/labels/label_text.h"
#include "sim/load/load.h"
#include "sim/model/catalog/chassis.h"
#include "sim/model/scenario.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"
#include "tests/support/temporary_folder.h"

using namespace gpufeed;
using namespace gpufeed::literals;

namespace {

constexpr const char* kHead = "title = \"Box\"\nsource = \"a test\"\nbasis = \"estimate\"\n";

/// Two sockets; a switch below each with two places for double-wide cards; a slot for a card beside
/// them and one at each socket; four bays at cpu1, of an older PCIe.
const std::string kBox = std::string(kHead) +
                         "socket = \"lga4677\"\nsockets = 2\nsocket_link = \"upi-16\"\n"
                         "socket_links = 2\nmemory_slots = 16\npower_supply = \"5 kW\"\n"
                         "[[switch]]\nid = \"sw0\"\nmodel = \"broadcom-pex89144\"\nat = \"cpu0\"\n"
                         "[[switch]]\nid = \"sw1\"\nmodel = \"broadcom-pex89144\"\nat = \"cpu1\"\n"
                         "[[slot]]\nid = \"wide\"\ntakes = \"card\"\nwidth = 2\ncount = 4\n"
                         "at = [\"sw0\", \"sw1\"]\nlink = \"pcie-5.0\"\nlanes = 16\n"
                         "[[slot]]\nid = \"beside\"\ntakes = \"card\"\ncount = 2\n"
                         "at = [\"sw0\", \"sw1\"]\nlink = \"pcie-5.0\"\nlanes = 8\n"
                         "[[slot]]\nid = \"card\"\ntakes = \"card\"\ncount = 2\n"
                         "at = [\"cpu0\", \"cpu1\"]\nlink = \"pcie-5.0\"\nlanes = 16\n"
                         "[[slot]]\nid = \"bay\"\ntakes = \"bay\"\nforms = [\"u.2\"]\ncount = 4\n"
                         "at = [\"cpu1\"]\nlink = \"pcie-4.0\"\nlanes = 4\n";

/// The catalog with what is in the folder.
Catalog catalog_with(const TemporaryFolder& folder) {
  const std::string source = GPUFEED_SOURCE_DIR;
  return Catalog({folder / "", source + "/hw_catalog", source + "/workloads"});
}

/// The catalog with one chassis more: "box".
class Shop {
 public:
  explicit Shop(const std::string& chassis) {
    std::filesystem::create_directories(folder_ / "chassis");
    folder_.write("chassis/box.toml", chassis);
  }
  Catalog catalog() const { return catalog_with(folder_); }
  std::shared_ptr<const System> build(const std::string& parts,
                                      const std::vector<std::string>& sets = {}) const {
    std::vector<Override> overrides;
    for (const auto& set : sets) overrides.push_back(parse_override(set));
    return parse_system("[system]\nchassis = \"box\"\n" + parts, "box.toml", catalog(), overrides);
  }
  std::string refusal(const std::string& parts, const std::vector<std::string>& sets = {}) const {
    return refusal_of([&] { build(parts, sets); });
  }

 private:
  TemporaryFolder folder_;
};

template <class Product>
std::string list(const std::vector<Device<Product>>& devices) {
  std::string out;
  for (const auto& one : devices) {
    out += fmt::format("{} {} at {}", text_of(one.id), one.model.name, text_of(one.at.id));
    if (one.link) out += " over " + one.link->name;
    if (one.lanes) out += fmt::format(" x{}", *one.lanes);
    out += "\n";
  }
  return out;
}

const std::string kCpus = "cpu = \"2 x intel-xeon-gold-6430\"\nmemory = \"512 GB\"\n";
const std::string kGpus = "gpu = \"4 x nvidia-l40s\"\n";
const std::string kDrives = "drives = \"4 x kioxia-cm7-r-7.68tb\"\n";

}  // namespace

TEST_CASE("a chassis and parts become a parts list") {
  const Shop shop(kBox);
  const auto box =
      shop.build(kCpus + kGpus + kDrives + "nics = \"3 x nvidia-connectx-7-ndr-400g\"\n");
  REQUIRE(box->sockets.size() == 2);
  for (const auto& socket : box->sockets) {
    CHECK(socket.model.name == "intel-xeon-gold-6430");
    CHECK(socket.memory == 256_GiB);
    CHECK(socket.modules == 8);  // eight channels, 32 GiB each
    CHECK(socket.memory_kind->name == socket.model->memory->name);
  }
  REQUIRE(box->socket_links.size() == 1);
  CHECK(box->socket_links[0].link.name == "upi-16");
  CHECK(box->socket_links[0].count == 2);
  CHECK(list(box->switches) ==
        "sw0 broadcom-pex89144 at cpu0\n"
        "sw1 broadcom-pex89144 at cpu1\n");
  CHECK(list(box->gpus) ==
        "gpu0 nvidia-l40s at sw0\n"
        "gpu1 nvidia-l40s at sw0\n"
        "gpu2 nvidia-l40s at sw1\n"
        "gpu3 nvidia-l40s at sw1\n");
  // Beside GPUs first, in slots of eight lanes.
  CHECK(list(box->nics) ==
        "nic0 nvidia-connectx-7-ndr-400g at sw0 x8\n"
        "nic1 nvidia-connectx-7-ndr-400g at sw1 x8\n"
        "nic2 nvidia-connectx-7-ndr-400g at cpu0\n");
  CHECK(list(box->drives) ==
        "ssd0 kioxia-cm7-r-7.68tb at cpu1 over pcie-4.0\n"
        "ssd1 kioxia-cm7-r-7.68tb at cpu1 over pcie-4.0\n"
        "ssd2 kioxia-cm7-r-7.68tb at cpu1 over pcie-4.0\n"
        "ssd3 kioxia-cm7-r-7.68tb at cpu1 over pcie-4.0\n");
  REQUIRE(box->volumes.size() == 1);
  CHECK(text_of(box->volumes[0].id) == "scratch");
  CHECK(box->volumes[0].drives.size() == 4);
  CHECK(box->volumes[0].layout == Layout::raid0);
  CHECK(box->power_supply == 5000_W);
  CHECK(box->title == "Box with 4 x NVIDIA L40S, 4 x Kioxia CM7-R 7.68 TB");
  CHECK(box->name == "box");
  CHECK((*box->chassis)->title == "Box");
  CHECK(box->provenance.source == "a test");
  CHECK(box->doubts.empty());
}

TEST_CASE("few GPUs are spread over switches and sockets, and a card goes beside them") {
  const Shop shop(kBox);
  const auto two = shop.build(kCpus + "gpu = \"2 x nvidia-l40s\"\n" + kDrives);
  CHECK(list(two->gpus) == "gpu0 nvidia-l40s at sw0\ngpu1 nvidia-l40s at sw1\n");
  const auto one = shop.build(kCpus + "gpu = \"nvidia-l40s\"\n" + kDrives +
                              "nics = \"1 x mellanox-connectx-6-hdr-200g\"\n");
  CHECK(list(one->gpus) == "gpu0 nvidia-l40s at sw0\n");
  CHECK(list(one->nics) == "nic0 mellanox-connectx-6-hdr-200g at sw0 x8\n");
}

TEST_CASE("parts of several kinds are lists, and drives of each are a volume") {
  const Shop shop(kBox);
  const auto mixed =
      shop.build(kCpus +
                 "gpu = [\"2 x nvidia-l40s\", \"1 x nvidia-a10\"]\n"
                 "drives = [\"1 x micron-7450-pro-7.68tb\", \"3 x kioxia-cm7-r-7.68tb\"]\n");
  CHECK(list(mixed->gpus) ==
        "gpu0 nvidia-l40s at sw0\n"
        "gpu1 nvidia-l40s at sw1\n"
        "gpu2 nvidia-a10 at sw0\n");
  REQUIRE(mixed->volumes.size() == 2);
  CHECK(text_of(mixed->volumes[1].id) == "scratch1");
  CHECK(text_of(mixed->volumes[1].drives[0].id) == "ssd1");
}

TEST_CASE("placement, parts and keys of a machine are overruled") {
  const Shop shop(kBox);
  const auto moved =
      shop.build(kCpus + kGpus + kDrives + "place = { gpu0 = \"cpu1\", ssd3 = \"cpu0\" }\n" +
                 "title = \"Mine\"\npeer_to_peer = false\n");
  CHECK(text_of(moved->gpus[0].at.id) == "cpu1");
  CHECK(text_of(moved->drives[3].at.id) == "cpu0");
  CHECK(moved->title == "Mine");
  CHECK_FALSE(moved->peer_to_peer);

  const auto own = shop.build(kCpus + kDrives +
                              "[[system.gpu]]\nid = \"mine\"\nmodel = \"nvidia-l4\"\nat = "
                              "\"cpu0\"\n[[system.volume]]\nid = \"pool\"\nlayout = \"raid10\"\n"
                              "drives = [\"ssd*\"]\n");
  CHECK(list(own->gpus) == "mine nvidia-l4 at cpu0\n");
  REQUIRE(own->volumes.size() == 1);
  CHECK(own->volumes[0].layout == Layout::raid10);

  // --set changes what is asked for first, then what was made of it.
  const auto set =
      shop.build(kCpus + kGpus + kDrives, {"system.gpu[gpu1].at=cpu1", "system.gpu=2 x nvidia-a10",
                                           "system.socket[cpu0].memory=100 GiB"});
  CHECK(list(set->gpus) == "gpu0 nvidia-a10 at sw0\ngpu1 nvidia-a10 at cpu1\n");
  CHECK(set->sockets[0].memory == 100_GiB);
}

TEST_CASE("a machine of parts may be a file of its own") {
  const TemporaryFolder folder;
  folder.write("mine.toml", "chassis = \"dell-r760xa\"\n" + kCpus + kGpus + kDrives);
  folder.write("wrong.toml", "chassis = \"dell-r760xa\"\n" + kCpus + "gpu = \"5 x nvidia-l40s\"\n");
  const std::string job = "[workload]\nkind = \"loader\"\ndataset = \"imagenet-1k\"\n";
  const auto load = [&](const std::string& system) {
    return parse_scenario("system = \"" + system + "\"\n" + job, (folder / "box.toml").string(),
                          own_catalog());
  };
  const Scenario scenario = load("mine.toml");
  CHECK(scenario.system.name == "mine.toml");
  CHECK(scenario.system->gpus.size() == 4);
  CHECK(refusal_of([&] { load("wrong.toml"); })
            .starts_with((folder / "wrong.toml").string() +
                         ":4:7: error: system.gpu: dell-r760xa "
                         "has room for 4 of nvidia-l40s, and 5"));
}

TEST_CASE("[[replace]] works on what was made") {
  const Shop shop(kBox);
  const Scenario scenario = parse_scenario(
      "[[replace]]\npart = \"ssd*\"\nwith = \"micron-7450-pro-7.68tb\"\ncount = 2\n"
      "[workload]\nkind = \"loader\"\ndataset = \"imagenet-1k\"\n[system]\nchassis = \"box\"\n" +
          kCpus + kDrives,
      "box.toml", shop.catalog());
  CHECK(list(scenario.system->drives) ==
        "ssd0 micron-7450-pro-7.68tb at cpu1 over pcie-4.0\n"
        "ssd1 micron-7450-pro-7.68tb at cpu1 over pcie-4.0\n");
}

TEST_CASE("memory is made of modules that fill all channels") {
  const Shop shop(kBox);
  const auto sockets = [&](const std::string& cpu, const std::string& memory) {
    return shop.build(fmt::format("cpu = \"{}\"\nmemory = \"{}\"\n", cpu, memory))->sockets;
  };
  const std::string cpus = "2 x intel-xeon-gold-6430";
  // As modules are called: 1 TB is 1024 GB, and 64 GB are 64 GiB.
  CHECK(sockets(cpus, "1 TB")[0].memory == 512_GiB);
  CHECK(sockets(cpus, "1 TB")[0].modules == 8);
  CHECK(sockets(cpus, "1 TiB")[0].memory == 512_GiB);
  CHECK(sockets(cpus, "1.5 TB")[1].memory == 768_GiB);  // of 96 GB
  CHECK(sockets(cpus, "8 TB")[0].modules == 16);        // of 256 GB, two a channel
  CHECK(sockets("1 x intel-xeon-gold-6430", "256 GB")[0].memory == 256_GiB);
  CHECK(sockets(cpus, "16 x 64 GB")[0].memory == 512_GiB);
  // Four modules of eight channels carry half.
  const auto half = sockets(cpus, "8 x 64 GB")[0];
  REQUIRE(half.memory_bandwidth);
  CHECK(half.memory_bandwidth->value == doctest::Approx(half.model->memory_bandwidth.value / 2));
  CHECK(shop.build("cpu = \"2 x intel-xeon-gold-6430\"\nmemory = \"8 x 64 GB\"\n")->doubts ==
        std::vector<std::string>{"4 modules on the 8 channels of intel-xeon-gold-6430: vendors "
                                 "fill channels evenly"});
}

TEST_CASE("with one CPU, what is below the other socket is not there") {
  const Shop shop(kBox);
  const std::string one = "cpu = \"1 x intel-xeon-gold-6430\"\nmemory = \"256 GB\"\n";
  const auto half = shop.build(one + "gpu = \"2 x nvidia-l40s\"\n");
  CHECK(list(half->switches) == "sw0 broadcom-pex89144 at cpu0\n");
  CHECK(list(half->gpus) == "gpu0 nvidia-l40s at sw0\ngpu1 nvidia-l40s at sw0\n");
  CHECK(half->socket_links.empty());
  CHECK(shop.refusal(one + kDrives) ==
        "box.toml:5:10: error: system.drives: box has room for 0 of kioxia-cm7-r-7.68tb, as 4 more "
        "hang on sockets without a CPU, and 4 are asked for; leave them out, or 2 CPUs\n");
}

TEST_CASE("cards in slots that share lanes get as many as there are") {
  const Shop shop(std::string(kHead) +
                  "socket = \"am5\"\nsockets = 1\nmemory_slots = 4\n[[slot]]\nid = \"gpu\"\n"
                  "takes = \"card\"\nwidth = 4\ncount = 2\nat = [\"cpu0\"]\nshared_lanes = 16\n");
  const std::string cpu = "cpu = \"1 x amd-ryzen-9-9950x\"\nmemory = \"64 GB\"\n";
  CHECK(list(shop.build(cpu + "gpu = \"1 x nvidia-rtx-4090\"\n")->gpus) ==
        "gpu0 nvidia-rtx-4090 at cpu0 x16\n");
  CHECK(list(shop.build(cpu + "gpu = \"2 x nvidia-rtx-4090\"\n")->gpus) ==
        "gpu0 nvidia-rtx-4090 at cpu0 x8\ngpu1 nvidia-rtx-4090 at cpu0 x8\n");
}

TEST_CASE("a GPU board brings its links, those of the GPUs on it") {
  const std::string board = std::string(kHead) +
                            "socket = \"sp3\"\nsockets = 1\nmemory_slots = 16\nmesh = 4\n"
                            "[[slot]]\nid = \"gpu\"\ntakes = \"module\"\nboard = \"sxm4\"\n"
                            "together = true\ncount = 4\nat = [\"cpu0\"]\n";
  const std::string parts =
      "cpu = \"1 x amd-epyc-7763\"\nmemory = \"256 GB\"\ngpu = \"4 x nvidia-a100-sxm4-40gb\"\n";
  const auto mesh = Shop(board).build(parts);
  CHECK(mesh->nvlinks.size() == 6);
  for (const auto& link : mesh->nvlinks) {
    CHECK(link.link.name == "nvlink-3");
    CHECK(link.count == 4);
  }
  const auto dgx = parse_system("[system]\nchassis = \"nvidia-dgx-h200\"\n", "a", own_catalog());
  REQUIRE(dgx->nvswitches.size() == 1);
  CHECK(dgx->nvswitches[0].count == 18);
  // Two dies share a board, and take one slot.
  const auto dies = parse_system(
      "[system]\nchassis = \"dell-r740\"\ncpu = \"2 x intel-xeon-gold-6248\"\n"
      "memory = \"384 GB\"\ngpu = \"4 x nvidia-k80-die\"\n",
      "a", own_catalog());
  REQUIRE(dies->gpus.size() == 4);
  CHECK(dies->gpus[0].board == dies->gpus[1].board);
  CHECK(dies->gpus[1].board != dies->gpus[2].board);
}

TEST_CASE("what a part does not say is doubted, not refused") {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "gpu");
  folder.write("gpu/new.toml",
               std::string(kHead) + "link = \"pcie-5.0\"\nlanes = 16\nmemory = \"80 GB\"\n");
  const auto doubted =
      parse_system("[system]\nchassis = \"dell-r760xa\"\n" + kCpus + "gpu = \"2 x new\"\n",
                   "box.toml", catalog_with(folder));
  CHECK(doubted->doubts ==
        std::vector<std::string>{"new does not say whether it is a card or a module: whether it "
                                 "fits dell-r760xa is not certain"});
}

TEST_CASE("messages point to what the user wrote") {
  const Shop shop(kBox);
  CHECK(shop.refusal(kCpus + kGpus + kDrives + "place = { gpu0 = \"plx0\" }\n") ==
        "box.toml:7:18: error: gpu \"gpu0\".at: there is no part \"plx0\"; known: "
        "cpu0, cpu1, sw0, sw1\n");
  CHECK(shop.refusal(kCpus + kGpus, {"system.gpu=5 x nvidia-l40s"})
            .starts_with("--set system.gpu=5 x nvidia-l40s: error: system.gpu: box has room for 4 "
                         "of nvidia-l40s, and 5 are asked for; take 4, or another chassis, such"));
}
