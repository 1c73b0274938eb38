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
std::string doubt(int nodes, const std::string& fabric = "",
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

}  // namespace

TEST_CASE("more on one leaf switch than any switch takes is told with the keys that say more") {
  CHECK(doubt(1) == "");
  CHECK(doubt(33) == "");
  CHECK(doubt(34) ==
        "340 ports, 115.6 Tb/s in all, hang on one leaf switch that limits none of them; no switch "
        "in one box takes more than 576 ports and 115.2 Tb/s (NVIDIA Quantum-X800 Q3400): "
        "fabric.nodes_per_switch and fabric.uplink_bandwidth describe several");
  CHECK(doubt(4096).starts_with("40,960 ports, 13,930 Tb/s in all, hang on one leaf switch"));
}

TEST_CASE("slow ports are too many for one leaf switch by their number") {
  CHECK(doubt(288, "", "\"1 x nvidia-connectx-7-100g\"") == "");
  CHECK(doubt(289, "", "\"1 x nvidia-connectx-7-100g\"").starts_with("578 ports, 57.8 Tb/s"));
}

TEST_CASE("of several leaf switches, and of a rail's, each takes its own ports") {
  CHECK(doubt(4096, "nodes_per_switch = 33\n") == "");
  CHECK(doubt(4096, "nodes_per_switch = 34\n").starts_with("340 ports, 115.6 Tb/s"));
  CHECK(doubt(288, "rails = true\n") == "");
  CHECK(doubt(289, "rails = true\n", "\"8 x nvidia-connectx-7-ndr-400g\"")
            .starts_with("289 ports, 115.6 Tb/s"));
}
