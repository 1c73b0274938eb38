// SPDX-License-Identifier: Apache-2.0
#include "sim/base/join_ids.h"

#include <doctest/doctest.h>

using namespace gpufeed;

TEST_CASE("ids are told in short: runs of three and more by their ends") {
  CHECK(join_ids({"ssd0", "ssd1", "ssd2", "ssd3"}) == "ssd0-ssd3");
  CHECK(join_ids({"cpu0", "cpu1"}) == "cpu0, cpu1");
  CHECK(join_ids({"a9", "a10", "a11", "b", "a13"}) == "a9-a11, b, a13");
  CHECK(join_ids({}) == "");
}

TEST_CASE("parts of several nodes are told by the nodes that have them") {
  CHECK(join_ids_of_nodes({"gpu0", "gpu1", "gpu2"}) == "gpu0-gpu2");
  CHECK(join_ids_of_nodes({"node0 gpu0", "node1 gpu0", "node2 gpu0", "node0 gpu1", "node1 gpu1",
                           "node2 gpu1"}) == "gpu0, gpu1 of node0-node2");
  CHECK(join_ids_of_nodes({"node0 gpu0", "node1 gpu0", "node1 gpu1", "node1 gpu2"}) ==
        "gpu0 of node0, gpu0-gpu2 of node1");
  CHECK(join_ids_of_nodes({}).empty());
}
