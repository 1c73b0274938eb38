// SPDX-License-Identifier: Apache-2.0
#include "sim/load/purchase/known_prices.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "sim/load/load.h"
#include "tests/support/catalog.h"

using namespace gpufeed;

namespace {

std::vector<KnownPrice> all() {
  Diagnostics none;
  auto prices = known_prices(own_catalog(), none);
  CHECK(none.count() == 0);
  return prices;
}

std::vector<KnownPrice> of(const std::string& name) {
  auto prices = all();
  std::erase_if(prices, [&](const KnownPrice& one) { return one.name != name; });
  return prices;
}

}  // namespace

TEST_CASE("prices and rents of the catalog are listed, the oldest first, with their source") {
  const auto prices = all();
  CHECK(prices.size() > 500);
  CHECK(std::ranges::is_sorted(prices, {}, &KnownPrice::year));
  for (const KnownPrice& one : prices) {
    CAPTURE(one.name);
    CHECK(one.year >= 2010);
    CHECK_FALSE(one.source.empty());
  }
}

TEST_CASE("a machine that is rented has its rent, a store of a cloud each of its charges") {
  const auto machine = of("aws-p4d.24xlarge");
  REQUIRE(machine.size() == 1);
  CHECK(machine.front().what == "rent an hour");
  CHECK(machine.front().amount.value == 32.77);
  const auto store = of("amazon-s3-one-prefix");
  REQUIRE(store.size() == 3);
  CHECK(store.front().what == "rent of a TB and month");
  CHECK(store.back().what == "a million writes");
}

TEST_CASE("a price is as old as the end of its year") {
  const KnownPrice price{"cpu", "a", "price", {}, 2024, Basis::estimate, "s"};
  CHECK(months_old(price, 2024, 6) == -6);
  CHECK(months_old(price, 2025, 1) == 1);
  CHECK(months_old(price, 2026, 11) == 23);  // January 2025 to November 2026
}
