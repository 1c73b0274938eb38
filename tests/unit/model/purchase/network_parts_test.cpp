// SPDX-License-Identifier: Apache-2.0
// Switches and cables of fat trees, counted by hand.
#include <doctest/doctest.h>

#include "sim/model/network/network.h"

using namespace gpufeed;

namespace doctest {
template <>
struct StringMaker<NetworkParts> {
  static String convert(const NetworkParts& parts) {
    return (std::to_string(parts.leaves) + " leaves, " + std::to_string(parts.spines) +
            " spines, " + std::to_string(parts.cables) + " cables")
        .c_str();
  }
};
}  // namespace doctest

TEST_CASE("what fits one switch takes one, and a cable a port") {
  CHECK(fat_tree(1, 64, 1) == NetworkParts{1, 0, 1});
  CHECK(fat_tree(64, 64, 1) == NetworkParts{1, 0, 64});
}

TEST_CASE("two levels have half of a leaf's ports upward") {
  // 32 nodes of 8 cards on switches of 64 ports: 8 leaves of 32 + 32, 4 spines.
  CHECK(fat_tree(256, 64, 1) == NetworkParts{8, 4, 512});
  // One port more than fits one switch: 3 leaves of 32, 65 links up in 2 spines.
  CHECK(fat_tree(65, 64, 1) == NetworkParts{3, 2, 130});
}

TEST_CASE("an oversubscribed leaf has fewer links upward") {
  // 2:1: 42 down and 21 up of 64 ports; 256 / 42 leaves, 128 links up in 2 spines.
  CHECK(fat_tree(256, 64, 0.5) == NetworkParts{7, 2, 256 + 128});
}

TEST_CASE("a full tree of three levels is that of its source") {
  // k = 4: 16 hosts, 8 edge, 8 aggregation and 4 core switches, 3 x 16 links.
  CHECK(fat_tree(16, 4, 1) == NetworkParts{8, 12, 48});
  // k = 64: 65,536 hosts, 5 k^2 / 4 switches.
  const NetworkParts large = fat_tree(65536, 64, 1);
  CHECK(large.leaves + large.spines == 5 * 64 * 64 / 4);
  CHECK(large.cables == 3 * 65536);
}
