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
  CHECK(machine.front().amount.value == 21.958);
  const auto store = of("amazon-s3-one-prefix");
  REQUIRE(store.size() == 3);
  CHECK(store.front().what == "rent of a TB and month");
  CHECK(store.back().what == "a million writes");
}

TEST_CASE("of each kind it is told how many of those sold have a price of a document") {
  Diagnostics none;
  const auto shares = price_shares(own_catalog(), none);
  CHECK(none.count() == 0);
  const auto of_kind = [&](const char* kind) {
    const auto found = std::ranges::find(shares, kind, &PriceShare::kind);
    REQUIRE(found != shares.end());
    return *found;
  };
  for (const PriceShare& one : shares) {
    CAPTURE(one.kind);
    CHECK(one.documented + one.unpriced <= one.sold);
    CHECK(one.documented_lately <= one.documented);
    CHECK(one.sold_lately <= one.sold);
  }
  CHECK(10 * of_kind("cpu").documented_lately >= 9 * of_kind("cpu").sold_lately);
  CHECK(10 * of_kind("system").documented_lately >= 9 * of_kind("system").sold_lately);
  CHECK(of_kind("gpu").documented_lately >= 17);
  CHECK(of_kind("drive").documented_lately >= 49);
  // Parts of boards that are bought as a whole are not sold by themselves.
  CHECK(std::ranges::count(shares, "switch", &PriceShare::kind) == 0);
}

TEST_CASE("a price is as old as the end of its year") {
  const KnownPrice price{"cpu", "a", "price", {}, 2024, Basis::estimate, "s"};
  CHECK(months_old(price, 2024, 6) == -6);
  CHECK(months_old(price, 2025, 1) == 1);
  CHECK(months_old(price, 2026, 11) == 23);  // January 2025 to November 2026
}
