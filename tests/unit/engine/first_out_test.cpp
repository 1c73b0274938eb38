// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/first_out.h"

#include <doctest/doctest.h>

#include <set>
#include <utility>

#include "sim/base/numbers/random.h"

using namespace gpufeed;

TEST_CASE("what is first out is the least of what is in, whether its place is taken or closed") {
  Random random(3);
  for (int round = 0; round < 100; ++round) {
    FirstOut<std::uint64_t> queue;
    std::set<std::pair<double, std::uint64_t>> expected;
    std::uint64_t next = 0;
    const auto put = [&] {
      // Few dates, so that numbers decide.
      const auto date = static_cast<double>(random.integer(0, 4));
      queue.put({date, next}, 3 * next);
      expected.emplace(date, next++);
    };
    for (int step = 0; step < 200; ++step) {
      if (queue.empty() || random.integer(0, 3) == 0) {
        put();
      } else {
        CHECK(std::pair(queue.first().date, queue.first().number) == *expected.begin());
        CHECK(queue.take_first() == 3 * expected.begin()->second);
        expected.erase(expected.begin());
        CHECK(queue.size() == expected.size());
        for (auto more = random.integer(0, 2); more > 0; --more) put();
        queue.close();
      }
      CHECK(queue.size() == expected.size());
      CHECK(queue.empty() == expected.empty());
    }
  }
}
