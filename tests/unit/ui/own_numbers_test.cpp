// SPDX-License-Identifier: Apache-2.0
#include "ui/model/build/own_numbers.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "tests/support/catalog.h"

namespace gpufeed::ui {
namespace {

const std::string kText =
    "system = \"nvidia-dgx1-p100\"  # ours\n[workload]\nmodel = \"resnet-50\"\ndataset = "
    "\"imagenet-1k\"\n";

ProductNumber number(const std::string& text, const std::string& key) {
  const auto numbers = product_numbers(text, own_catalog(), "drive", "samsung-pm983-1.92tb");
  const auto found = std::ranges::find(numbers, key, &ProductNumber::key);
  REQUIRE(found != numbers.end());
  return *found;
}

}  // namespace

TEST_CASE("the numbers of a product are told with their source, and what the user says instead") {
  const ProductNumber now = number(kText, "read_bandwidth");
  CHECK(now.catalog == "3 GB/s");
  CHECK(now.help == "sustained sequential read");
  CHECK(now.basis == "estimate");
  CHECK(now.source.starts_with("Samsung's product brief"));
  CHECK(now.own.empty());
  CHECK(number(kText, "write_rate").catalog == "unknown");
  const std::string changed =
      with_own_number(kText, "samsung-pm983-1.92tb", "read_bandwidth", "2.5 GB/s");
  CHECK(number(changed, "read_bandwidth").own == "2.5 GB/s");
  CHECK(number(changed, "read_rate").own.empty());
  CHECK(changed.starts_with(kText));  // comments and all
}

TEST_CASE("a number is changed again, and taken back, without a trace") {
  const std::string once = with_own_number(kText, "samsung-pm983-1.92tb", "read_rate", "400 k/s");
  const std::string two = with_own_number(once, "samsung-pm983-1.92tb", "read_bandwidth", "2 GB/s");
  const std::string again = with_own_number(two, "samsung-pm983-1.92tb", "read_rate", "300 k/s");
  CHECK(number(again, "read_rate").own == "300 k/s");
  CHECK(number(again, "read_bandwidth").own == "2 GB/s");
  const std::string one = with_own_number(again, "samsung-pm983-1.92tb", "read_rate", "");
  CHECK(number(one, "read_rate").own.empty());
  CHECK(number(one, "read_bandwidth").own == "2 GB/s");
  const std::string none = with_own_number(one, "samsung-pm983-1.92tb", "read_bandwidth", "");
  CHECK(none.find("own") == std::string::npos);
  CHECK_NOTHROW(parse_scenario(none, "x.toml", own_catalog()));
}

TEST_CASE("every number that is shown of a product can be the user's own") {
  for (const auto& [kind, product] : std::initializer_list<std::pair<const char*, const char*>>{
           {"drive", "samsung-pm983-1.92tb"},
           {"gpu", "nvidia-p100-sxm2-16gb"},
           {"cpu", "intel-xeon-e5-2698v4"},
           {"nic", "mellanox-connectx-4-edr-100g"}}) {
    const auto numbers = product_numbers(kText, own_catalog(), kind, product);
    CHECK(numbers.size() > 3);
    std::string text = kText;
    for (const ProductNumber& one : numbers)
      if (one.catalog != "unknown") text = with_own_number(text, product, one.key, one.catalog);
    INFO(text);
    CHECK_NOTHROW(parse_scenario(text, "x.toml", own_catalog()));
  }
}

}  // namespace gpufeed::ui
