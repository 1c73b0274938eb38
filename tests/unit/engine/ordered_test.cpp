// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/ordered.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "sim/base/numbers/random.h"

using namespace gpufeed;

namespace {

/// The order in which all come out, which empties the heap.
std::vector<int> drained(Ordered& heap, Places& places) {
  std::vector<int> out;
  while (!heap.empty()) {
    out.push_back(heap.first());
    heap.remove(heap.first(), places);
  }
  return out;
}

}  // namespace

TEST_CASE("many at once come out of a heap as one by one do") {
  Random random(7);
  for (int round = 0; round < 200; ++round) {
    const auto all = static_cast<int>(random.integer(1, 60));
    const auto key_of = [&](int id) {
      // Few dates, so that numbers decide.
      return Ordered::Key{static_cast<double>((id * 7919 + round) % 5),
                          static_cast<std::uint64_t>((id * 104729 + round) % 1000003)};
    };
    Ordered heap;
    Places places(static_cast<std::size_t>(all), -1);
    std::vector<int> before, more, gone;
    for (int id = 0; id < all; ++id) (random.integer(0, 1) == 0 ? before : more).push_back(id);
    for (const int id : before) heap.set(id, key_of(id), places);
    heap.add_all(more, key_of, places);
    std::vector<int> left;
    for (int id = 0; id < all; ++id) (random.integer(0, 2) == 0 ? gone : left).push_back(id);
    heap.remove_all(gone, places);
    for (const int id : gone) CHECK(places[static_cast<std::size_t>(id)] == -1);
    std::ranges::sort(left, [&](int a, int b) { return key_of(a) < key_of(b); });
    CHECK(drained(heap, places) == left);
  }
}
