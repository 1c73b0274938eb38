// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/base/labels/label_text.h"
#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"
#include "tests/support/temporary_folder.h"

using namespace gpufeed;

namespace {

Scenario with_system(const std::string& system, const std::string& set) {
  return parse_scenario("schema = 1\nsystem = \"" + system +
                            "\"\n[workload]\nmodel = \"resnet-50\"\ndataset = \"imagenet-1k\"\n",
                        "test.toml", own_catalog(), {parse_override(set)});
}

}  // namespace

TEST_CASE("an override goes into a system of the catalog and into one that a path names") {
  const std::string file = GPUFEED_SOURCE_DIR "/hw_catalog/system/nvidia-dgx1-p100.toml";
  for (const auto& system : {std::string("nvidia-dgx1-p100"), file}) {
    CAPTURE(system);
    const Scenario scenario = with_system(system, "system.socket_link[0].count=1");
    CHECK(scenario.system->socket_links.front().count == 1);
    CHECK(scenario.system->gpus.size() == 8);
  }
  CHECK(refusal_of([] { with_system("no/such.toml", "system.gpu[gpu0].at=cpu1"); }) ==
        "test.toml:2:10: error: system: there is no file \"no/such.toml\"\n");
}

TEST_CASE("an element that is a pattern stands for all whose id fits it") {
  const std::string box = "nvidia-dgx1-p100";
  const Scenario all = with_system(box, "system.socket[*].model=intel-xeon-e5-2690v4");
  REQUIRE(all.system->sockets.size() == 2);
  for (const auto& socket : all.system->sockets) CHECK(socket.model.name == "intel-xeon-e5-2690v4");

  const Scenario fast = with_system(box, "system.drive[ssd*].model.read_bandwidth=0.52 GB/s");
  REQUIRE(fast.system->drives.size() == 4);
  for (const auto& drive : fast.system->drives) {
    CHECK(drive.model->read_bandwidth.value == 0.52e9);
    CHECK(drive.model->provenance_of("read_bandwidth").source ==
          "--set system.drive[ssd*].model.read_bandwidth=0.52 GB/s");
    CHECK(drive.model.name == "sata-ssd-1.92tb");
  }

  const Scenario one = with_system(box, "system.drive[ssd?].lanes=1");
  for (const auto& drive : one.system->drives) CHECK(drive.lanes == 1);
}

TEST_CASE("a pattern that nothing fits is an error that names what there is") {
  const std::string box = "nvidia-dgx1-p100";
  CHECK(refusal_of([&] { with_system(box, "system.drive[nvme*].lanes=4"); }) ==
        "--set system.drive[nvme*].lanes=4: error: there is no system.drive[nvme*]; known: ssd0, "
        "ssd1, ssd2, ssd3\n");
  CHECK(refusal_of([&] { with_system(box, "system.drive[*]=x"); }) ==
        "--set system.drive[*]=x: error: system.drive[*] names a table; go on with a key of it\n");
  // Said once, not of each of the four drives or eight GPUs.
  CHECK(refusal_of([&] { with_system(box, "system.drive[*].model=intel-p4510-8t"); }) ==
        "--set system.drive[*].model=intel-p4510-8t: error: system.drive[ssd0].model: no drive "
        "\"intel-p4510-8t\" in the catalog; did you mean \"intel-p4510-8tb\"?\n");
  CHECK(refusal_of([&] { with_system(box, "system.drive[*].model.read_rate=many"); }) ==
        "--set system.drive[*].model.read_rate=many: error: system.drive[ssd0].model.read_rate "
        "must be text with a unit from \"10 /s\" to \"1000 M/s\"; found \"many\"\n");
  CHECK(refusal_of([&] { with_system(box, "system.gpu[*].id.x=1"); }) ==
        "--set system.gpu[*].id.x=1: error: system.gpu[gpu0].id is \"gpu0\", not a table\n");
}

TEST_CASE("an override of a part goes into what replaces it") {
  const std::string text =
      "system = \"nvidia-dgx1-p100\"\n[workload]\nmodel = \"resnet-50\"\ndataset = "
      "\"imagenet-1k\"\n[[replace]]\npart = \"ssd*\"\nwith = \"micron-5300-pro-3.84tb\"\ncount = "
      "2\n";
  const auto drives = [&](const std::vector<std::string>& sets) {
    std::vector<Override> overrides;
    for (const auto& set : sets) overrides.push_back(parse_override(set));
    return parse_scenario(text, "test.toml", own_catalog(), overrides).system->drives;
  };
  const auto sold = drives({}).front().model;
  for (const auto& drive : drives({"system.drive[*].model.read_bandwidth=1 GB/s"})) {
    CHECK(drive.model->read_bandwidth.value == 1e9);
    CHECK(drive.model->read_latency == sold->read_latency);
    CHECK(drive.model.name == "micron-5300-pro-3.84tb");
  }
  const auto two = drives({"system.drive[ssd1].model.read_bandwidth=1 GB/s",
                           "system.drive[ssd1].model.read_latency=0.5 ms"});
  CHECK(two[0].model->read_bandwidth == sold->read_bandwidth);
  CHECK(two[1].model->read_bandwidth.value == 1e9);
  CHECK(two[1].model->read_latency.value == 0.5e-3);
  CHECK(drives({"system.drive[*].model=sata-ssd-1.92tb"})[1].model.name == "sata-ssd-1.92tb");
  // by the number that the system as sold has it under, also behind another replacement
  const auto second = drives({"system.drive[1].model.read_bandwidth=1 GB/s"});
  CHECK(second[0].model->read_bandwidth == sold->read_bandwidth);
  CHECK(second[1].model->read_bandwidth.value == 1e9);
  CHECK(refusal_of([&] { drives({"system.drive[1st].model.read_bandwidth=1 GB/s"}); }) ==
        "--set system.drive[1st].model.read_bandwidth=1 GB/s: error: there is no "
        "system.drive[1st]; known: ssd0, ssd1, ssd2, ssd3\n");
}

TEST_CASE("an override of a part does not go into those that multiply it") {
  const auto scenario_with = [](const std::string& set) {
    return parse_scenario(
        "system = \"nvidia-dgx1-p100\"\n[workload]\nmodel = \"resnet-50\"\ndataset = "
        "\"imagenet-1k\"\n[[replace]]\npart = \"ssd*\"\nwith = \"micron-5300-pro-3.84tb\"\n"
        "count = 6\n",
        "test.toml", own_catalog(), {parse_override(set)});
  };
  const auto set_of = [&](const std::string& element) {
    const Scenario scenario =
        scenario_with("system.drive[" + element + "].model.read_bandwidth=1 GB/s");
    std::string ids;
    for (const auto& drive : scenario.system->drives)
      if (drive.model->read_bandwidth.value == 1e9) ids += text_of(drive.id) + " ";
    return ids;
  };
  CHECK(set_of("ssd0") == "ssd0 ");
  CHECK(set_of("0") == "ssd0 ");
  CHECK(set_of("ssd*") == "ssd0 ssd1 ssd2 ssd3 ssd4 ssd5 ");
  const Scenario own = scenario_with("system.drive[ssd0].model=sata-ssd-1.92tb");
  CHECK(own.system->title ==
        "NVIDIA DGX-1 with eight Tesla P100; changed: 1 x SATA SSD for data centers, 1.92 TB, 5 x "
        "Micron 5300 PRO 3.84 TB (ssd*)");
}

TEST_CASE("an unknown key of many parts is said once") {
  CHECK(refusal_of([] {
          with_system("nvidia-dgx1-p100", "system.drive[*].model.read_bandwith=1 GB/s");
        }) ==
        "--set system.drive[*].model.read_bandwith=1 GB/s: error: system.drive[ssd0].model: "
        "unknown key \"read_bandwith\"; did you mean \"read_bandwidth\"?\n");
}

TEST_CASE("an override of what a CPU's memory moves goes before the machine's modules") {
  const std::string box = "nvidia-dgx1-p100";  // whose modules are slower than its CPU allows
  const auto memory = [&](const std::string& set) {
    const Scenario scenario = with_system(box, set);
    const Socket& socket = scenario.system->sockets.front();
    return socket.memory_bandwidth.value_or(socket.model->memory_bandwidth).value;
  };
  CHECK(memory("run.seed=1") == 68.3e9);
  CHECK(memory("system.socket[*].model.memory_bandwidth=90 GB/s") == 90e9);
  CHECK(memory("system.socket[cpu0].model.memory_bandwidth=50 GB/s") == 50e9);
  CHECK(memory("system.socket[cpu1].model.memory_bandwidth=50 GB/s") == 68.3e9);
}

TEST_CASE("an override of a store that is not there names those that are") {
  const auto refused = [](const std::string& stores, const std::string& set) {
    return refusal_of([&] {
      parse_scenario(
          "system = \"nvidia-dgx1-p100\"\n[workload]\nmodel = \"resnet-50\"\ndataset = "
          "\"imagenet-1k\"\n[data]\nat = \"scratch\"\n" +
              stores,
          "test.toml", own_catalog(), {parse_override(set)});
    });
  };
  const std::string nas = "[store.nas]\nmodel = \"pure-flashblade-15-blade\"\n";
  CHECK(refused(nas, "store.nsa.blades=4") ==
        "--set store.nsa.blades=4: error: there is no store \"nsa\"; did you mean \"nas\"?\n");
  CHECK(refused(nas, "store.nsa.model.read_latency=1 ms") ==
        "--set store.nsa.model.read_latency=1 ms: error: there is no store \"nsa\"; did you mean "
        "\"nas\"?\n");
  CHECK(refused("", "store.nas.blades=4") ==
        "--set store.nas.blades=4: error: there is no store \"nas\"; --set store.nas.model=NAME "
        "adds one\n");
  CHECK(refused(nas, "store.nsa.model=pure-flashblade-15-blade") ==
        "--set store.nsa.model=pure-flashblade-15-blade: error: store.nsa: a new store, which "
        "nothing names; did you mean \"nas\"?\n");
  const auto added = [](const std::string& set) {
    return parse_scenario(
               "system = \"nvidia-dgx1-p100\"\n[workload]\nmodel = \"resnet-50\"\ndataset = "
               "\"imagenet-1k\"\n[data]\nat = \"ssd0\"\n",
               "test.toml", own_catalog(), {parse_override(set)})
        .store.size();
  };
  CHECK(added("store.nas.model=pure-flashblade-15-blade") == 1);  // for other points of a sweep
}

TEST_CASE("overrides add a store and say what it is for, in any order") {
  const Scenario scenario = parse_scenario(
      "system = \"nvidia-dgx1-p100\"\n[workload]\nmodel = \"resnet-50\"\ndataset = "
      "\"imagenet-1k\"\n",
      "test.toml", own_catalog(),
      {parse_override("store.nas.blades=4"), parse_override("data.at=nas"),
       parse_override("store.nas.model=pure-flashblade-15-blade")});
  CHECK(text_of(scenario.data.at.id) == "nas");
  CHECK(scenario.store.find("nas")->second.blades == 4);
}

TEST_CASE("a part of a machine in a file of another folder can be changed") {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "machines");
  std::filesystem::create_directories(folder / "jobs/own");
  folder.write("machines/box.toml",
               "title = \"box\"\nsource = \"made up\"\nbasis = \"estimate\"\n[[socket]]\nid = "
               "\"cpu0\"\nmodel = \"amd-epyc-7302\"\nmemory = \"64 GiB\"\n[[drive]]\nid = "
               "\"ssd0\"\nmodel = \"samsung-pm9a3-3.84tb\"\nat = \"cpu0\"\n");
  const auto file = folder.write("jobs/own/scenario.toml",
                                 "system = \"../../machines/box.toml\"\n[workload]\nkind = "
                                 "\"loader\"\ndataset = \"cifar-10\"\n[data]\nat = "
                                 "\"ssd0\"\n[loader]\ndecode = \"none\"\n");
  const Scenario read = load_scenario(
      file, own_catalog(), {{"system.drive[ssd0].model.read_rate", "31 kIOPS", "--set"}});
  CHECK(read.system->drives[0].model->read_rate.value == 31e3);
  REQUIRE(read.as_sold);
  CHECK(read.as_sold->drives[0].model->read_rate.value == 900e3);
}

TEST_CASE("an empty value leaves the key out, in the scenario and in an entry") {
  const std::string text =
      "system = \"nvidia-dgx1-p100\"\n[workload]\nmodel = \"resnet-50\"\ndataset = "
      "\"imagenet-1k\"\n[store.nas]\nmodel = \"pure-flashblade-15-blade\"\nvia = "
      "[\"ib*\"]\n[data]\nat = "
      "\"scratch\"\nstaging = { from = \"nas\" }\n[loader]\nworkers_per_gpu = 3\n";
  const auto with = [&](const std::vector<std::string>& sets) {
    std::vector<Override> overrides;
    for (const auto& set : sets) overrides.push_back(parse_override(set));
    return parse_scenario(text, "test.toml", own_catalog(), overrides);
  };
  REQUIRE(with({}).data.staging);
  const Scenario read_there = with({"data.staging=", "data.at=nas"});
  CHECK_FALSE(read_there.data.staging);
  CHECK(text_of(read_there.data.at.id) == "nas");
  CHECK(with({"loader.workers_per_gpu="}).loader.workers_per_gpu == Loader{}.workers_per_gpu);
  CHECK(with({"loader.jitter="}).loader.jitter.value == Loader{}.jitter.value);
  REQUIRE(with({}).system->drives.front().model->price);
  const std::string drive = "system.drive[*].model.";
  const Scenario unpriced = with({drive + "price=", drive + "price_year="});
  for (const auto& own : unpriced.system->drives) CHECK_FALSE(own.model->price);
  CHECK(refusal_of([&] { with({"system="}); }) ==
        "--set system=: error: \"system\" is missing; it must be the name of a system in the "
        "catalog, "
        "a path to its file, or a table\n");
  CHECK(refusal_of([&] { with({"loader.worker="}); }) ==
        "--set loader.worker=: error: loader: unknown key \"worker\"; did you mean one of "
        "workers_per_gpu, worker_start, persistent_workers?\n");
}

TEST_CASE("what was measured of a part does not go into the product that replaces it") {
  const auto bandwidth = [](const std::optional<Provenance>& provenance) {
    Override one = parse_override("system.drive[*].model.read_bandwidth=5 MB/s");
    one.provenance = provenance;
    const Scenario scenario = parse_scenario(
        "system = \"nvidia-dgx1-p100\"\n[workload]\nmodel = \"resnet-50\"\ndataset = "
        "\"imagenet-1k\"\n[[replace]]\npart = \"ssd*\"\nwith = \"micron-5300-pro-3.84tb\"\n",
        "test.toml", own_catalog(), {one});
    return scenario.system->drives.front().model->read_bandwidth.value;
  };
  CHECK(bandwidth({}) == 5e6);
  CHECK(bandwidth(Provenance{"measured here", Basis::calibrated}) > 4e8);
}
