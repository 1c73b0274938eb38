// SPDX-License-Identifier: Apache-2.0
// Steady rates of random streams against water filling, straight from the definition.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "sim/base/numbers/random.h"
#include "sim/plan/rates.h"
#include "tests/support/approx.h"
#include "tests/support/draws.h"

using namespace gpufeed;

namespace {

/// Max-min fair rates: all streams rise together; whoever reaches its cap or fills a limit stays.
std::vector<double> water_filling(const Limits& limits, const std::vector<Stream>& streams) {
  std::vector<double> rates(streams.size(), 0);
  std::vector<bool> rests(streams.size(), false);
  const auto spare = [&](LimitIndex limit, bool only_rising) {
    double taken = 0, rising = 0;
    for (std::size_t i = 0; i < streams.size(); ++i)
      for (const Take& take : streams[i].takes)
        if (take.limit == limit) {
          taken += take.share * static_cast<double>(streams[i].count) * rates[i];
          if (!rests[i]) rising += take.share * static_cast<double>(streams[i].count);
        }
    const double left = limits[limit].capacity.value - taken;
    if (!only_rising) return left;
    return rising > 0 ? left / rising : INFINITY;
  };
  while (std::ranges::count(rests, false) > 0) {
    double rise = INFINITY;
    for (const LimitIndex l : limits.indices()) rise = std::min(rise, spare(l, true));
    for (std::size_t i = 0; i < streams.size(); ++i)
      if (!rests[i]) rise = std::min(rise, streams[i].cap.value - rates[i]);
    for (std::size_t i = 0; i < streams.size(); ++i)
      if (!rests[i]) rates[i] += rise;
    ByLimit<bool> full;
    for (const LimitIndex l : limits.indices())
      full.add(spare(l, false) <= 1e-12 * limits[l].capacity.value);
    for (std::size_t i = 0; i < streams.size(); ++i)
      if (rates[i] >= streams[i].cap.value * (1 - 1e-12) ||
          std::ranges::any_of(streams[i].takes, [&](const Take& take) { return full[take.limit]; }))
        rests[i] = true;
  }
  return rates;
}

Limits random_limits(Random& random) {
  Limits limits;
  for (std::int64_t n = random.integer(2, 8); n > 0; --n)
    limits.add({Label("limit"), "bus", {random.uniform(1e9, 2e10)}, {}});
  return limits;
}

/// Of twelfths of the limits, some capped, some several alike.
std::vector<Stream> random_streams(Random& random, std::int64_t limits) {
  std::vector<Stream> streams;
  for (std::int64_t n = random.integer(1, 12); n > 0; --n) {
    Stream stream;
    for (std::int64_t t = random.integer(1, 4); t > 0; --t)
      take_more(stream, LimitIndex(static_cast<std::size_t>(random.integer(0, limits - 1))),
                static_cast<double>(random.integer(1, 36)) / 12);
    stream.count = random.integer(1, 4);
    if (random.integer(0, 2) == 0) stream.cap = {random.uniform(1e8, 4e9)};
    streams.push_back(std::move(stream));
  }
  return streams;
}

}  // namespace

TEST_CASE("random streams get max-min fair rates, and each is bound by what is full or its cap") {
  int capped = 0, bound = 0;
  for (std::uint64_t seed = 1; seed <= draws(200u); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const auto limits = random_limits(random);
    const auto streams = random_streams(random, std::ssize(limits));
    const auto expected = water_filling(limits, streams);
    for (const EngineKind engine : {EngineKind::fluid, EngineKind::simgrid}) {
      if (engine == EngineKind::simgrid && seed > 40) continue;
      // What is measured is a count of bytes, of 1e13 or more; SimGrid's own precision is 1e-9.
      const SteadyRates rates = steady_rates(limits, streams, engine);
      REQUIRE(rates.of_one.size() == streams.size());
      for (std::size_t i = 0; i < streams.size(); ++i) {
        CHECK(rates.of_one[i].value == about(expected[i], 1e-8));
        const auto& limit = rates.limited_by[i];
        ++(limit ? bound : capped);
        if (!limit)
          CHECK(expected[i] == about(streams[i].cap.value, 1e-8));
        else
          CHECK(rates.load[*limit] == about(1, 1e-8));
      }
    }
  }
  MESSAGE(capped << " streams were bound by their cap, " << bound << " by a limit");
  CHECK(capped >= draws(60));
  CHECK(bound >= draws(500));
}
