// SPDX-License-Identifier: Apache-2.0
#include "sim/load/csv/price_list.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "sim/load/csv/csv.h"

using namespace gpufeed;

namespace {

const Names kKnown{"fast-drive", "slow-drive", "server, with a comma"};

/// What is wrong with a list, to the letter; else "accepted".
std::string fault_of(std::string_view text) {
  Diagnostics out;
  parse_prices(text, "p.csv", kKnown, out);
  std::string all;
  for (const auto& problem : out.problems())
    all += fmt::format("{}: {}\n", gpufeed::text(problem.where), problem.message);
  return all.empty() ? "accepted" : all;
}

}  // namespace

TEST_CASE(
    "a list of prices takes columns in any order, quotation marks and the buyer's own columns") {
  Diagnostics out;
  const PriceList prices = parse_prices(
      "\xEF\xBB\xBFyear,seller,name,price\r\n"
      "# a quote by telephone\r\n"
      "2026,\"Smith, Sons\",fast-drive,1299.50\r\n"
      "\r\n"
      "2025,,\"server, with a comma\", 90000 USD \r\n",
      "p.csv", kKnown, out);
  CHECK(out.empty());
  REQUIRE(prices.size() == 2);
  const Quote& drive = prices.at("fast-drive");
  CHECK(drive.price.value == 1299.5);
  CHECK(drive.year == 2026);
  CHECK(drive.where.line == 3);
  CHECK(prices.at("server, with a comma").price.value == 90000);
}

TEST_CASE("a wrong list of prices says where, what it found and what it expected") {
  CHECK(fault_of("") ==
        "p.csv: the file is empty; its first line must name the columns name, price and year\n");
  CHECK(fault_of("name,price,year\n") == "p.csv: there are no prices below the header\n");
  CHECK(fault_of("name,cost,year\nfast-drive,1,2025\n") ==
        "p.csv:1:1: column \"price\" is missing; the first line must name the columns name, price "
        "and year; found \"name\", \"cost\", \"year\"\n");
  CHECK(fault_of("name,price,year,name\nfast-drive,1,2025,x\n") ==
        "p.csv:1:17: column \"name\" stands twice\n");
  CHECK(fault_of("name,price,year\nfats-drive,1,2025\n") ==
        "p.csv:2:1: nothing in the catalog that is sold is called \"fats-drive\"; did you mean "
        "\"fast-drive\"?\n");
  CHECK(fault_of("name,price,year\nfast-drive,1\n") ==
        "p.csv:2:1: the line has 2 fields, the first line 3\n");
  CHECK(fault_of("name,price,year\nfast-drive,12 EUR,25\n") ==
        "p.csv:2:12: price must be US dollars from 0 to 100000000, such as 1299 or 1299 USD; found "
        "\"12 EUR\"\n"
        "p.csv:2:19: year must be a whole number from 1990 to 2100; found \"25\"\n");
  CHECK(fault_of("name,price,year\nfast-drive,-5,2025\n") ==
        "p.csv:2:12: price must be US dollars from 0 to 100000000, such as 1299 or 1299 USD; found "
        "\"-5\"\n");
  CHECK(fault_of("name,price,year\nfast-drive,,2025\n") ==
        "p.csv:2:12: price must be US dollars from 0 to 100000000, such as 1299 or 1299 USD; found "
        "\"\"\n");
  CHECK(fault_of("name,price,year\nfast-drive,5,2025\nfast-drive,6,2025\n") ==
        "p.csv:3:1: fast-drive has a price in line 2 already\n");
}

TEST_CASE("headings of prices may have capitals and a unit, prices a dollar sign") {
  Diagnostics problems;
  const auto prices = parse_prices("Name,Price (USD),YEAR\na,\"$1,299.50\",2024\nb,5 USD,2024\n",
                                   "prices.csv", {"a", "b"}, problems);
  CHECK(problems.empty());
  CHECK(prices.at("a").price.value == 1299.5);
  CHECK(prices.at("b").price.value == 5);
}

TEST_CASE("after twenty problems a list of prices is not read on") {
  std::string text = "name,price,year\n";
  for (int i = 0; i < 100; ++i) text += "fast-drive,x,2025\n";
  const std::string all = fault_of(text);
  CHECK(std::ranges::count(all, '\n') == 20);
}

TEST_CASE("a line of CSV falls apart at commas that stand outside of quotation marks") {
  CsvLines lines("a, b ,\"c,\"\"d\"\"\"\n\n,\"open");
  REQUIRE(lines.next());
  REQUIRE(lines.fields().size() == 3);
  CHECK(lines.fields()[1].text == "b");
  CHECK(lines.fields()[1].column == 3);
  CHECK(lines.fields()[2].text == "c,\"\"d\"\"");
  REQUIRE(lines.next());
  CHECK(lines.line() == 3);
  REQUIRE(lines.fields().size() == 2);
  CHECK(lines.fields()[0].text.empty());
  CHECK(lines.fields()[1].text == "open");
  CHECK_FALSE(lines.next());
  CHECK(shown_field("a\x01\xC3\xA4") == "\"a???\"");
}
