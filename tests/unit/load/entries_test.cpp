// SPDX-License-Identifier: Apache-2.0
// What is known of catalog entries, as people read it and as conditions compare it.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "sim/load/load.h"
#include "sim/load/read/conditions.h"
#include "tests/support/catalog.h"
#include "tests/support/temporary_folder.h"

using namespace gpufeed;

namespace {

constexpr const char* kMemory =
    "title = 'a module'\n"
    "source = 'a test'\n"
    "basis = 'datasheet'\n"
    "released = 2022\n"
    "channel_bandwidth = '38.4 GB/s'\n"
    "modules = ['16 GiB', '64 GiB', '1 TiB', '96 GB', '30.72 TB']\n"
    "priced_module = '64 GiB'\n";

Condition condition(const std::string& text) {
  Diagnostics out;
  const auto parsed = parse_condition(text, "a condition", {}, out);
  REQUIRE_MESSAGE(out.empty(), text);
  return *parsed;
}

Names names_of(const Catalog& catalog, const std::vector<Condition>& conditions) {
  Diagnostics out;
  Names names;
  for (const auto& entry : entries_of_kind(catalog, "memory", conditions, out))
    names.push_back(entry.name);
  CHECK(out.empty());
  return names;
}

const EntryLine& line(const EntryText& entry, std::string_view key) {
  return *std::ranges::find(entry.lines, key, &EntryLine::key);
}

}  // namespace

TEST_CASE("sizes are shown as they were given, and years without commas") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "memory");
  folder.write("memory/one.toml", kMemory);
  const EntryText entry = describe_entry(Catalog({folder / ""}), "one").front();
  CHECK(line(entry, "priced_module").value == "64 GiB");
  CHECK(line(entry, "modules").value == "16 GiB, 64 GiB, 1 TiB, 96 GB, 30.72 TB");
  CHECK(line(entry, "released").value == "2022");
  CHECK(line(entry, "price").value == "unknown");
  CHECK(line(entry, "price").units == &units_of<Money>());
  CHECK_FALSE(line(entry, "modules").single);
}

TEST_CASE("entries of a kind are those that meet all conditions; an unknown value meets none") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "memory");
  folder.write("memory/cheap.toml",
               std::string(kMemory) + "price = '100 USD'\nprice_year = 2025\n");
  folder.write("memory/dear.toml", std::string(kMemory) + "price = '900 USD'\nprice_year = 2025\n");
  folder.write("memory/unpriced.toml", kMemory);
  const Catalog catalog({folder / ""});
  CHECK(names_of(catalog, {}) == Names{"cheap", "dear", "unpriced"});
  CHECK(names_of(catalog, {condition("price <= 600 USD")}) == Names{"cheap"});
  CHECK(names_of(catalog, {condition("price > 0 USD"), condition("price_year >= 2025")}) ==
        Names{"cheap", "dear"});
  CHECK(names_of(catalog, {condition("priced_module = 64 GiB"), condition("basis = 'datasheet'"),
                           condition("title != 'b'")}) == Names{"cheap", "dear", "unpriced"});

  const PriceList quotes{{"unpriced", {{50}, 2026, {"q.csv", 2, 1}}}};
  for (const Catalog& known : {catalog, catalog.remembering()}) {
    CHECK(names_of(known, {condition("price <= 600 USD")}) == Names{"cheap"});
    CHECK(names_of(known.with_prices(quotes), {condition("price <= 600 USD")}) ==
          Names{"cheap", "unpriced"});
  }
}

TEST_CASE("a training rate says with what it was measured") {
  const EntryText entry = describe_entry(own_catalog(), "resnet-50").front();
  const auto measured_with = [&](const std::string& what) {
    return std::ranges::count_if(entry.lines, [&](const EntryLine& one) {
      return one.key == "compute" && one.value.find(what) != std::string::npos;
    });
  };
  CHECK(measured_with("gpu nvidia-h200-sxm5-141gb, precision fp16, batch 256, rate 5.86 k/s, "
                      "framework pytorch, version 2.11, CUDA 13.0, cuDNN 9.19") == 1);
  CHECK(measured_with("framework tensorflow") > 0);
}
