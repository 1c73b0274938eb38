// SPDX-License-Identifier: Apache-2.0
#include "sim/topology/rings.h"
#include "sim/base/labels/label_text.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "tests/support/approx.h"
#include "tests/support/systems.h"

using namespace gpufeed;
using namespace gpufeed::systems;

namespace {

/// Bricks' worth of all rings together: the bus rate in units of one brick.
double bricks_worth(const std::vector<Ring>& rings) {
  double sum = 0;
  for (const auto& ring : rings) sum += ring.nvlink ? ring.bricks : 0.0;
  return sum;
}

/// Each ring visits every GPU once and no direction of a brick carries more than it has.
void check_valid(const System& system, int gpus, const std::vector<Ring>& rings) {
  std::map<std::pair<std::string, std::string>, double> free;
  for (const auto& brick : system.nvlinks) {
    free[{text_of(brick.between[0].id), text_of(brick.between[1].id)}] +=
        static_cast<double>(brick.count);
    free[{text_of(brick.between[1].id), text_of(brick.between[0].id)}] +=
        static_cast<double>(brick.count);
  }
  for (const auto& ring : rings) {
    auto sorted = ring.order;
    std::ranges::sort(sorted);
    for (int i = 0; i < gpus; ++i) CHECK(sorted.at(static_cast<std::size_t>(i)) == i);
    CHECK(sorted.size() == static_cast<std::size_t>(gpus));
    for (std::size_t i = 0; i < ring.order.size(); ++i) {
      const int next = ring.order[(i + 1) % ring.order.size()];
      free[{fmt::format("gpu{}", ring.order[i]), fmt::format("gpu{}", next)}] -= ring.bricks;
    }
  }
  for (const auto& hop : free)
    CHECK_MESSAGE(hop.second >= 0, fmt::format("{} -> {}", hop.first.first, hop.first.second));
}

System all_to_all(int gpus, std::int64_t bricks) {
  auto system = dual_root(gpus);
  for (int a = 0; a < gpus; ++a)
    for (int b = a + 1; b < gpus; ++b) add_bricks(system, a, b, link(20_GBps), bricks);
  return system;
}

}  // namespace

TEST_CASE("the rings on a DGX-1 are worth what its all-reduce was measured at") {
  // NCCL 2 bus bandwidth over one ring's 17.3 GB/s (L016 to L022): 1.0, 2.0, 3.0, 2.0 and 2.0.
  // Eight GPUs measured 62.24 GB/s, 3.6: four rings, each somewhat slower. No row has five: the
  // fifth GPU has a single brick, so no ring passes it.
  const auto system = dgx1();
  const std::map<int, double> worth{{2, 1}, {3, 2}, {4, 3}, {6, 2}, {7, 2}, {8, 4}};
  for (const auto& row : worth) {
    CAPTURE(row.first);
    const auto rings = find_rings(joined(system), row.first);
    CHECK(bricks_worth(rings) == approx(row.second));
    check_valid(system, row.first, rings);
  }
}

TEST_CASE("four GPUs with one brick between any two share each brick among two rings") {
  const auto rings = find_rings(joined(dgx1()), 4);
  CHECK(rings.size() == 6);
  for (const auto& ring : rings) CHECK(ring.bricks == 0.5);
}

TEST_CASE("without a cycle over NVLink one ring runs over PCIe in the order of the GPUs") {
  const auto five = find_rings(joined(dgx1()), 5);
  REQUIRE(five.size() == 1);
  CHECK_FALSE(five[0].nvlink);
  CHECK(five[0].order == std::vector<int>{0, 1, 2, 3, 4});
  CHECK(find_rings(joined(dual_root(2)), 2).size() == 1);
}

TEST_CASE("one ring follows the order of the GPUs, whatever joins them") {
  for (const int gpus : {2, 5, 8}) {
    const auto rings = find_rings(joined(dgx1()), gpus, Rings::one);
    REQUIRE(rings.size() == 1);
    CHECK(rings[0].nvlink);
    CHECK(std::ranges::is_sorted(rings[0].order));
    CHECK(rings[0].order.size() == static_cast<std::size_t>(gpus));
  }
}

TEST_CASE("GPUs that do not reach one another's memory have one ring, without NVLink") {
  auto system = dgx1();
  system.peer_to_peer = false;
  const auto rings = find_rings(joined(system), 4);
  REQUIRE(rings.size() == 1);
  CHECK_FALSE(rings[0].nvlink);
}

TEST_CASE("one GPU needs no ring") { CHECK(find_rings(joined(dgx1()), 1).empty()); }

TEST_CASE("two GPUs have a ring per brick") {
  for (const int bricks : {1, 2, 6}) {
    const auto rings = find_rings(joined(all_to_all(2, bricks)), 2);
    CHECK(rings.size() == static_cast<std::size_t>(bricks));
    CHECK(rings[0].order == std::vector<int>{0, 1});
  }
}

TEST_CASE("three GPUs have rings both ways round") {
  const auto rings = find_rings(joined(all_to_all(3, 2)), 3);
  CHECK(rings.size() == 4);
  CHECK(rings[0].order == std::vector<int>{0, 1, 2});
}

TEST_CASE("connections of different width are used up to the fewest bricks of a GPU") {
  // The links of a DGX-1 V100: six bricks a GPU.
  auto system = dual_root(8);
  const auto brick = link(25_GBps);
  for (const int q : {0, 4}) {
    add_bricks(system, q + 0, q + 1, brick, 1);
    add_bricks(system, q + 0, q + 2, brick, 1);
    add_bricks(system, q + 0, q + 3, brick, 2);
    add_bricks(system, q + 1, q + 2, brick, 2);
    add_bricks(system, q + 1, q + 3, brick, 1);
    add_bricks(system, q + 2, q + 3, brick, 2);
  }
  for (const auto& [gpu, bricks] : std::map<int, int>{{0, 2}, {1, 2}, {2, 1}, {3, 1}})
    add_bricks(system, gpu, gpu + 4, brick, bricks);
  const auto rings = find_rings(joined(system), 8);
  CHECK(rings.size() == 6);
  check_valid(system, 8, rings);
}

TEST_CASE("GPUs that are all joined have as many rings as each has bricks") {
  // Every complete digraph splits into directed Hamiltonian cycles but those of 4 and 6 nodes
  // (Tillson 1980). Four GPUs make up for it with half bricks.
  for (const int gpus : {4, 5, 6, 7, 8, 12, 16})
    for (const int bricks : {1, 3}) {
      CAPTURE(gpus);
      CAPTURE(bricks);
      const auto system = all_to_all(gpus, bricks);
      const auto rings = find_rings(joined(system), gpus);
      const int lost = gpus == 6 && bricks == 1 ? 1 : 0;
      CHECK(bricks_worth(rings) == approx(bricks * (gpus - 1) - lost));
      check_valid(system, gpus, rings);
    }
}

TEST_CASE("the same machine gives the same rings") {
  const auto first = find_rings(joined(dgx1()), 8);
  const auto again = find_rings(joined(dgx1()), 8);
  REQUIRE(first.size() == again.size());
  for (std::size_t i = 0; i < first.size(); ++i) CHECK(first[i].order == again[i].order);
}
