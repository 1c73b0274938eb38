// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/cost_text.h"

#include <doctest/doctest.h>

#include "reports/writers/text.h"

using namespace gpufeed;

namespace {

BillLine bought(const std::string& kind, const std::string& name, double count, double price,
                std::int64_t year, const std::string& basis) {
  BillLine line;
  line.kind = kind;
  line.name = name;
  line.count = count;
  line.price_USD = price;
  line.price_year = year;
  line.price_basis = basis;
  if (basis == "estimate") line.price_within = kind == "cpu" ? 1.7 : 2;
  return line;
}

/// Two processors and four quoted drives; the network card's price is not known.
Result from_parts() {
  Result r;
  r.bill = {bought("cpu", "a-cpu", 2, 1000, 2021, "estimate"),
            bought("drive", "a-drive", 4, 300, 2025, "quoted"), BillLine{}};
  r.bill.back().kind = "nic";
  r.bill.back().name = "a-nic";
  r.bill.back().count = 1;
  r.price_USD = 2 * 1000 + 4 * 300;
  r.oldest_price_year = 2021;
  r.newest_price_year = 2025;
  r.without_price = "1 x a-nic";
  r.power_W = 1234.5;
  return r;
}

}  // namespace

TEST_CASE("the screen says what a machine from parts costs, of which years, and what is missing") {
  CHECK(
      cost_rows(from_parts()) ==
      "Price                 at least 3,200 USD (2 prices of 2021 to 2025, 1 quoted, 1 estimated: "
      "2,000 USD\n"
      "                      of it, cpu 0.59 to 1.7 times; not counted, price not known: 1 x "
      "a-nic)\n"
      "Power                 1.235 kW at full load\n");
  CHECK(cost_in_short(from_parts()) == "price at least 3,200 USD, power 1.235 kW");
  CHECK(to_text(from_parts()).find("\nPrice                 at least 3,200 USD (") !=
        std::string::npos);
}

TEST_CASE("parts taken out whose power nobody knows are still counted: the sum is no least one") {
  Result sold = from_parts();
  sold.without_power = "";
  sold.removed_power = "4 x a-drive taken out";
  CHECK(
      cost_rows(sold).find("\nPower                 at most 1.235 kW at full load (still counted, "
                           "power not known:") != std::string::npos);
  sold.without_power = "1 x a-nic";
  CHECK(cost_rows(sold).find("\nPower                 about 1.235 kW at full load (not counted, "
                             "power not known:") != std::string::npos);
}

TEST_CASE("the screen says whether a machine is counted as sold, and what was put into it") {
  Result sold;
  sold.bill = {bought("system", "a-box", 1, 129000, 2016, "estimate")};
  sold.price_USD = 129000;
  sold.oldest_price_year = sold.newest_price_year = 2016;
  sold.without_power = "1 x a-box";
  CHECK(cost_rows(sold) ==
        "Price                 129,000 USD (a price of 2016, estimated: system 0.5 to 2 times; the "
        "system as\n"
        "                      sold)\n"
        "Power                 not known: nothing in it says what it draws\n");
  CHECK(cost_in_short(sold) == "price 129,000 USD");
  sold.bill.push_back(bought("drive", "a-drive", 4, 250, 2016, "datasheet"));
  *sold.price_USD += 4 * 250;
  CHECK(cost_rows(sold).starts_with(
      "Price                 130,000 USD (2 prices of 2016, 1 estimated: 129,000 USD of it, system "
      "0.5 to\n"
      "                      2 times; the system as sold, and the parts put into it since)\n"));
}

TEST_CASE(
    "a result without a bill says nothing of a price, and one without prices does not say 0") {
  CHECK(cost_rows(Result{}).empty());
  CHECK(cost_in_short(Result{}).empty());
  Result unknown;
  unknown.bill.emplace_back();
  unknown.bill.back().name = "a-cpu";
  CHECK(cost_rows(unknown) ==
        "Price                 not known: nothing in it has a price\n"
        "Power                 not known: nothing in it says what it draws\n");
}
