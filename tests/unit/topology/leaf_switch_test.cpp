// SPDX-License-Identifier: Apache-2.0
// What hangs on one leaf switch against the largest that is sold: 144 ports of 800 Gb/s.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "sim/model/scenario.h"
#include "sim/topology/leaf_switch.h"
#include "tests/support/catalog.h"

using namespace gpufeed;

namespace {

/// Machines with eight ports of 400 Gb/s and two of 100 Gb/s: 3.4 Tb/s each.
std::optional<Warning> doubt(int nodes, const std::string& fabric = "",
                             const std::string& nics =
                                 "\"8 x nvidia-connectx-7-ndr-400g\", "
                                 "\"1 x nvidia-connectx-7-100g\"") {
  return leaf_switch_doubt(parse_scenario(
      fmt::format("title = \"t\"\nnodes = {}\n[system]\nchassis = \"dell-xe9680\"\n"
                  "cpu = \"2 x intel-xeon-platinum-8480-plus\"\nmemory = \"1024 GB\"\n"
                  "gpu = \"8 x nvidia-h100-sxm5-80gb\"\nnics = [{}]\n"
                  "[workload]\nkind = \"collective\"\noperations = [\"all-reduce\"]\n"
                  "[fabric]\nlatency = \"2 us\"\n{}",
                  nodes, nics, fabric),
      "test.toml", own_catalog()));
}

Warning too_large(std::int64_t ports, double bits_per_s) {
  return fact<WarningCode::leaf_switch_too_large>(ports, BitRate{bits_per_s}, 576,
                                                  BitRate{115.2e12});
}

}  // namespace

TEST_CASE("more on one leaf switch than any switch takes is told with the keys that say more") {
  CHECK(!doubt(1));
  CHECK(!doubt(33));
  CHECK(doubt(34) == too_large(340, 34 * 3.4e12));
  CHECK(doubt(4096) == too_large(40960, 4096 * 3.4e12));
}

TEST_CASE("slow ports are too many for one leaf switch by their number") {
  CHECK(!doubt(288, "", "\"1 x nvidia-connectx-7-100g\""));
  CHECK(doubt(289, "", "\"1 x nvidia-connectx-7-100g\"") == too_large(578, 57.8e12));
}

TEST_CASE("of several leaf switches, and of a rail's, each takes its own ports") {
  CHECK(!doubt(4096, "nodes_per_switch = 33\n"));
  CHECK(doubt(4096, "nodes_per_switch = 34\n") == too_large(340, 34 * 3.4e12));
  CHECK(!doubt(288, "rails = true\n"));
  CHECK(doubt(289, "rails = true\n", "\"8 x nvidia-connectx-7-ndr-400g\"") ==
        too_large(289, 289 * 0.4e12));
}
