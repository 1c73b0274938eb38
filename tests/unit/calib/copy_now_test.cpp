// SPDX-License-Identifier: Apache-2.0
#include "calib/replay/copy_now.h"

#include <doctest/doctest.h>
#include <sys/mount.h>

#include <filesystem>
#include <string>
#include <vector>

#include "calib/replay/as_replayed.h"
#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "tests/support/catalog.h"
#include "tests/support/temporary_folder.h"

using namespace gpufeed;

namespace {

Scenario reading(const std::string& mode, Basis basis) {
  std::vector<Override> sets{parse_override("system.socket[*].model.core_copy_bandwidth=6 GB/s")};
  sets.back().provenance = Provenance{"measured here", basis};
  return parse_scenario(
      "[system]\ntitle = \"one\"\n[[system.socket]]\nid = \"cpu0\"\nmodel = "
      "\"amd-epyc-7302\"\nmemory = \"64 GiB\"\n[[system.drive]]\nid = \"ssd0\"\nmodel = "
      "\"samsung-pm9a3-3.84tb\"\nat = \"cpu0\"\n[workload]\nkind = \"emulated\"\njob = "
      "\"mlperf-unet3d-h100\"\n[data]\nat = \"ssd0\"\nmode = \"" +
          mode + "\"\n",
      "one.toml", own_catalog(), sets);
}

}  // namespace

TEST_CASE("how a core copies out of the page cache is measured again where it matters") {
  const TemporaryFolder temporary;
  const std::filesystem::path folder = temporary / "set";
  std::filesystem::create_directory(folder);
  const Scenario scenario = reading("buffered", Basis::calibrated);
  CHECK(written_to_copy(scenario, folder).value == 128 * 256 * 1024);
  const auto found = copy_now(scenario, folder);
  REQUIRE(found);
  CHECK(found->calibrated.value == 6e9);
  CHECK(found->now.value > 1e8);
  CHECK(found->now.value < 1e12);
  CHECK(std::filesystem::is_empty(folder));
  const Scenario then = with_copy(scenario, *found);
  CHECK(then.system->sockets.front().model->core_copy_bandwidth->value == found->now.value);
  CHECK(scenario.system->sockets.front().model->core_copy_bandwidth->value == 6e9);
}

TEST_CASE("a data sheet's CPU stays as it is, and so does one that reads around the page cache") {
  const TemporaryFolder folder;
  for (const auto& scenario :
       {reading("buffered", Basis::estimate), reading("direct", Basis::calibrated)}) {
    CHECK(written_to_copy(scenario, folder / "set").value == 0);
    CHECK_FALSE(copy_now(scenario, folder / "set"));
  }
}

TEST_CASE("a data set that cannot be written is replayed with the memory as it was calibrated") {
  const TemporaryFolder temporary;
  const std::filesystem::path folder = temporary / "set";
  std::filesystem::create_directory(folder);
  if (mount("none", folder.c_str(), "tmpfs", MS_RDONLY, "size=64k") != 0) {
    MESSAGE("skipped: nothing can be mounted here");
    return;
  }
  const Scenario scenario = reading("buffered", Basis::calibrated);
  CHECK(written_to_copy(scenario, folder).value == 0);
  CHECK_FALSE(copy_now(scenario, folder));
  umount(folder.c_str());
}
