// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "sim/base/labels/label_text.h"
#include "sim/load/cluster/document.h"
#include "sim/load/read/toml_text.h"
#include "sim/load/serving/document.h"
#include "sim/load/study/goal.h"
#include "sim/load/study/observed.h"
#include "sim/load/study/sweep.h"
#include "sim/model/scenario.h"
#include "tests/support/approx.h"
#include "tests/support/catalog.h"
#include "tests/support/examples.h"

using namespace gpufeed;

namespace {

const std::string kSource = GPUFEED_SOURCE_DIR;

}  // namespace

TEST_CASE("every entry loads, and each of its values has a source and a basis") {
  int entries = 0;
  for (const auto& kind : catalog_kinds())
    for (const auto& name : own_catalog().names(kind))
      for (const auto& entry : describe_entry(own_catalog(), name)) {
        CAPTURE(name);
        ++entries;
        CHECK_FALSE(entry.title.empty());
        CHECK_FALSE(entry.source.empty());
        CHECK_FALSE(entry.basis.empty());
        for (const auto& line : entry.lines) CHECK(line.basis.empty() == line.source.empty());
      }
  CHECK(entries >= 45);
}

TEST_CASE("every example and every system is a good scenario") {
  for (const auto& system : own_catalog().names("system")) {
    CAPTURE(system);
    parse_scenario("system = \"" + system +
                       "\"\n[workload]\nmodel = \"resnet-50\"\ndataset = \"imagenet-1k\"\n"
                       "[[workload.compute]]\ngpu = \"nvidia-p100-sxm2-16gb\"\nbatch = 64\n"
                       "rate = \"1 /s\"\nsource = \"test\"\nbasis = \"estimate\"\n"
                       "[[workload.compute]]\ngpu = \"nvidia-p100-pcie-16gb\"\nbatch = 64\n"
                       "rate = \"1 /s\"\nsource = \"test\"\nbasis = \"estimate\"\n",
                   "test.toml", own_catalog());
  }
  int examples = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator(kSource + "/examples"))
    if (file.path().extension() == ".toml") {
      CAPTURE(file.path().string());
      switch (example_file(file.path())) {
        case ExampleFile::sweep:
          load_sweep(file.path(), own_catalog());
          break;
        case ExampleFile::goal:
          load_goal(file.path(), own_catalog());
          break;
        case ExampleFile::machine:
          parse_scenario("system = \"" + file.path().string() +
                             "\"\n[workload]\nkind = \"loader\"\ndataset = \"imagenet-1k\"\n",
                         "test.toml", own_catalog());
          break;
        case ExampleFile::cluster:
          load_cluster(file.path(), own_catalog());
          break;
        case ExampleFile::serving:
          load_serving(file.path(), own_catalog());
          break;
        case ExampleFile::observed:
          load_observed(file.path(), own_catalog());
          break;
        case ExampleFile::scenario:
          load_scenario(file.path(), own_catalog());
      }
      ++examples;
    }
  CHECK(examples >= 15);
}

TEST_CASE("the first folder that knows a name wins") {
  const auto folder = std::filesystem::temp_directory_path() / "gpufeed-catalog-test";
  std::filesystem::create_directories(folder / "drive");
  std::filesystem::copy_file(kSource + "/hw_catalog/drive/samsung-pm883-480gb.toml",
                             folder / "drive" / "sata-ssd-1.92tb.toml",
                             std::filesystem::copy_options::overwrite_existing);
  const Catalog mine({folder, kSource + "/hw_catalog", kSource + "/workloads"});
  CHECK(mine.find("drive", "sata-ssd-1.92tb")->parent_path() == folder / "drive");
  CHECK(mine.names("drive") == own_catalog().names("drive"));
  const Scenario scenario = parse_scenario(
      "system = \"nvidia-dgx1-p100\"\n[workload]\nmodel = \"resnet-50\"\n"
      "dataset = \"imagenet-1k\"\n",
      "test.toml", mine);
  CHECK(scenario.system->drives[0].model->read_bandwidth.value == approx(550e6));
  std::filesystem::remove_all(folder);
}

TEST_CASE("replacing drives changes product and number, and clones hang where the old ones hang") {
  const Scenario scenario = parse_scenario(
      "system = \"nvidia-dgx1-p100\"\n[workload]\nmodel = \"resnet-50\"\n"
      "dataset = \"imagenet-1k\"\n"
      "[[replace]]\npart = \"ssd*\"\nwith = \"samsung-pm983-1.92tb\"\ncount = 6\n"
      "at = \"cpu1\"\nlanes = 1\n",
      "test.toml", own_catalog());
  const System& system = *scenario.system;
  REQUIRE(system.drives.size() == 6);
  for (const auto& drive : system.drives) {
    CHECK(drive.model.name == "samsung-pm983-1.92tb");
    CHECK(text_of(drive.at.id) == "cpu1");
    CHECK(drive.lanes == 1);
  }
  CHECK(text_of(system.drives[5].id) == "ssd5");
  CHECK(system.volumes[0].drives.size() == 6);
}

TEST_CASE("the template and the spelled-out scenario are good scenarios themselves") {
  const Scenario first = parse_scenario(scenario_template(), "new.toml", own_catalog());
  const Scenario second = parse_scenario(to_toml(first), "again.toml", own_catalog());
  CHECK(to_toml(first) == to_toml(second));
}
