// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>
#include <vector>

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
  // Said once, not of each of the eight GPUs.
  CHECK(refusal_of([&] { with_system(box, "system.gpu[*].id.x=1"); }) ==
        "--set system.gpu[*].id.x=1: error: system.gpu[gpu0].id is \"gpu0\", not a table\n");
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
  CHECK(read_there.data.at.id == "nas");
  CHECK(with({"loader.workers_per_gpu="}).loader.workers_per_gpu == Loader{}.workers_per_gpu);
  CHECK(with({"loader.jitter="}).loader.jitter.value == Loader{}.jitter.value);
  REQUIRE(with({}).system->drives.front().model->price);
  const std::string drive = "system.drive[*].model.";
  const Scenario unpriced = with({drive + "price=", drive + "price_year="});
  for (const auto& own : unpriced.system->drives) CHECK_FALSE(own.model->price);
  CHECK(refusal_of([&] { with({"system="}); }) ==
        "test.toml:1:1: error: \"system\" is missing; it must be the name of a system in the "
        "catalog, a path to its file, or a table\n");
  CHECK(refusal_of([&] { with({"loader.worker="}); }) ==
        "--set loader.worker=: error: loader: unknown key \"worker\"; did you mean one of "
        "workers_per_gpu, worker_start, persistent_workers?\n");
}
