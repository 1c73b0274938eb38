// SPDX-License-Identifier: Apache-2.0
#include "sim/load/study/parameters.h"

#include <doctest/doctest.h>

#include <string>

#include "sim/model/scenario.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"
#include "tests/support/temporary_folder.h"

using namespace gpufeed;

TEST_CASE(
    "a parameter takes the place of the catalog's value, with its basis, and --set goes before") {
  const TemporaryFolder folder;
  const auto file =
      load_parameters(folder.write("params.toml",
                                   "title = \"here\"\nsource = \"made up\"\n[[parameter]]\n"
                                   "path = \"system.drive[ssd0].model.read_rate\"\nvalue = \"31 "
                                   "kIOPS\"\ndeviation = \"4 %\"\n"));
  std::string scenario =
      "[system]\ntitle = \"one\"\n[[system.socket]]\nid = \"cpu0\"\nmodel = \"amd-epyc-7302\"\n"
      "memory = \"64 GiB\"\n[[system.drive]]\nid = \"ssd0\"\nmodel = \"samsung-pm9a3-3.84tb\"\n"
      "at = \"cpu0\"\n[workload]\nkind = \"loader\"\ndataset = \"cifar-10\"\n[data]\nat = "
      "\"ssd0\"\n"
      "[loader]\ndecode = \"none\"\n";
  const auto overrides = overrides_of(file);
  const Scenario read = parse_scenario(scenario, "one.toml", own_catalog(), overrides);
  const Drive& drive = *read.system->drives[0].model;
  CHECK(drive.read_rate.value == 31e3);
  CHECK(drive.provenance_of("read_rate").basis == Basis::calibrated);
  REQUIRE(read.calibrated.size() == 1);
  CHECK(read.calibrated[0].key == "system.drive[ssd0].model.read_rate");
  CHECK(read.calibrated[0].value == "31 kIOPS");
  CHECK(read.calibrated[0].before == "900 kIOPS");
  CHECK(read.calibrated[0].deviation == 0.04);
  auto both = overrides;
  both.push_back(parse_override("system.drive[ssd0].model.read_rate=7 kIOPS"));
  CHECK(parse_scenario(scenario, "one.toml", own_catalog(), both)
            .system->drives[0]
            .model->read_rate.value == 7e3);
}

TEST_CASE("what workers take over is no fault of a loader without workers, where calibrated") {
  const TemporaryFolder folder;
  const auto overrides = overrides_of(load_parameters(
      folder.write("here.toml",
                   "title = \"here\"\nsource = \"made up\"\n[[parameter]]\npath = "
                   "\"loader.take_over_time\"\nvalue = \"1 ms\"\n[[parameter]]\npath = "
                   "\"loader.take_over_wait\"\nvalue = \"2 ms\"\n")));
  const std::string job =
      "system = \"nvidia-dgx1-p100\"\n[workload]\nmodel = \"resnet-50\"\ndataset = "
      "\"imagenet-1k\"\n[loader]\n";
  const Scenario none =
      parse_scenario(job + "workers_per_gpu = 0\n", "j.toml", own_catalog(), overrides);
  CHECK(none.loader.take_over_time.value == 0);
  CHECK(none.loader.take_over_wait.value == 0);
  CHECK(none.calibrated.empty());
  const Scenario some = parse_scenario(job, "j.toml", own_catalog(), overrides);
  CHECK(some.loader.take_over_time.value == 1e-3);
  CHECK(some.calibrated.size() == 2);
}

TEST_CASE("parameters of a machine are no fault of a job that has no use for them") {
  const TemporaryFolder folder;
  const auto overrides = overrides_of(load_parameters(folder.write(
      "here.toml",
      "title = \"here\"\nsource = \"made up\"\n[[parameter]]\npath = \"data.open_time\"\nvalue "
      "= \"9 us\"\n[[parameter]]\npath = \"system.drive[ssd0].model.read_bandwidth\"\nvalue = "
      "\"3 GB/s\"\n")));
  const std::string machine =
      "[system]\ntitle = \"one\"\n[[system.socket]]\nid = \"cpu0\"\nmodel = \"amd-epyc-7302\"\n"
      "memory = \"64 GiB\"\n[[system.drive]]\nid = \"ssd0\"\nmodel = "
      "\"samsung-pm9a3-3.84tb\"\nat = \"cpu0\"\n[data]\nat = \"ssd0\"\n";
  const std::string io = machine + "[workload]\nkind = \"io\"\nio = { queue_depth = 4 }\n";
  const Scenario reads = parse_scenario(io, "io.toml", own_catalog(), overrides);
  CHECK(reads.system->drives.front().model->read_bandwidth.value == 3e9);
  REQUIRE(reads.calibrated.size() == 1);
  CHECK(reads.calibrated.front().key == "system.drive[ssd0].model.read_bandwidth");
  // What the user says is.
  CHECK(refusal_of([&] {
          parse_scenario(io, "io.toml", own_catalog(), {parse_override("data.open_time=9 us")});
        }).find("data.open_time: no effect on a workload of kind \"io\"") != std::string::npos);
  const std::string loader =
      machine +
      "[workload]\nkind = \"loader\"\ndataset = \"cifar-10\"\n[loader]\ndecode = \"none\"\n";
  CHECK(parse_scenario(loader, "l.toml", own_catalog(), overrides).data.open_time.value == 9e-6);
}
