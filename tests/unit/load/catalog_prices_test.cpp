// SPDX-License-Identifier: Apache-2.0
// What a buyer asks of the catalog: prices with year and source, and what fits what.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "sim/load/read/reader.h"
#include "sim/model/scenario.h"
#include "tests/support/approx.h"
#include "tests/support/entries.h"

using namespace gpufeed;
using namespace gpufeed::literals;

namespace {

std::string text_of(const EntryText& entry) {
  std::ifstream file(entry.file);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A processor as a machine has it.
Cpu cpu_of(const std::string& name) {
  const Scenario scenario = parse_scenario(
      "[system]\n"
      "title = \"one processor\"\n"
      "socket = [{ id = \"cpu0\", model = \"" +
          name +
          "\", memory = \"64 GiB\" }]\n"
          "drive = [{ id = \"ssd0\", model = \"samsung-pm1733-15.36tb\", at = \"cpu0\" }]\n"
          "gpu = [{ id = \"gpu0\", model = \"nvidia-p4\", at = \"cpu0\" }]\n"
          "[data]\n"
          "at = \"ssd0\"\n"
          "[workload]\n"
          "kind = \"loader\"\n"
          "model = \"resnet-50\"\n"
          "dataset = \"imagenet-1k\"\n",
      "test.toml", own_catalog());
  return *scenario.system->sockets.front().model;
}

/// Parts of processors that clouds lend, and one with memory on cards of its maker alone: no
/// modules of the catalog make up their memory.
const std::set<std::string> kWithoutModules{"intel-xeon-broadwell-gce-16-cores",
                                            "intel-xeon-e5-2686v4-16-cores",
                                            "intel-xeon-platinum-8375c-16-cores", "ibm-power8nvl"};

}  // namespace

TEST_CASE("every price in the catalog has a year, and a source and a basis of its own") {
  for (const std::string kind : {"cpu", "memory", "gpu", "switch", "nic"})
    for (const auto& name : own_catalog().names(kind)) {
      CAPTURE(name);
      const EntryText entry = entry_of(kind, name);
      CHECK(says(entry, "price") == says(entry, "price_year"));
      if (!says(entry, "price")) continue;
      CHECK_FALSE(line_of(entry, "price").source.empty());
      CHECK_FALSE(line_of(entry, "price").basis.empty());
      if (says(entry, "released"))
        CHECK(year_of(entry, "price_year") >= year_of(entry, "released"));
    }
}

TEST_CASE("nine tenths of what the catalog has of 2020 and later have a price") {
  // Who lists drives asks the same of them.
  for (const std::string kind : {"cpu", "memory", "gpu", "nic"}) {
    CAPTURE(kind);
    long sold = 0;
    long priced = 0;
    for (const auto& name : own_catalog().names(kind)) {
      const EntryText entry = entry_of(kind, name);
      if (!says(entry, "released") || year_of(entry, "released") < 2020) continue;
      ++sold;
      if (says(entry, "price")) ++priced;
    }
    CHECK(sold >= 8);
    CHECK(10 * priced >= 9 * sold);
  }
}

TEST_CASE("what the catalog has no price and no rent of says why") {
  for (const std::string kind : {"cpu", "memory", "gpu", "switch", "nic", "drive", "array",
                                 "chassis", "network-switch", "cable"})
    for (const auto& name : own_catalog().names(kind)) {
      CAPTURE(name);
      const EntryText entry = entry_of(kind, name);
      const std::string text =
          text_of(entry) + (entry.like.empty() ? "" : text_of(entry_of(kind, entry.like)));
      const bool has_rent = text.find("\nrent = {") != std::string::npos;
      const bool is_sold = !says(entry, "not_sold");
      // A part of a board that is bought as a whole costs nothing more.
      if (!is_sold && says(entry, "price")) CHECK(line_of(entry, "price").value == "0 USD");
      if (says(entry, "price") || has_rent || !is_sold) continue;
      const bool says_why = text.find("# No price") != std::string::npos ||
                            text.find("# No rent") != std::string::npos;
      CHECK(says_why);
    }
}

TEST_CASE(
    "a machine of the catalog is rented, has a price, or is bought as its chassis and parts") {
  for (const auto& name : own_catalog().names("system")) {
    CAPTURE(name);
    const EntryText entry = entry_of("system", name);
    const bool known = says(entry, "price") || says(entry, "rent_per_hour") ||
                       says(entry, "chassis") ||
                       text_of(entry).find("# No rent") != std::string::npos;
    CHECK(known);
    CHECK(says(entry, "rent_per_hour") == says(entry, "rent_year"));
  }
}

TEST_CASE("the memory of every processor in the catalog is as fast as its channels together") {
  for (const auto& name : own_catalog().names(Cpu::kKind)) {
    CAPTURE(name);
    const Cpu cpu = cpu_of(name);
    CHECK(cpu.memory.has_value() == !kWithoutModules.contains(name));
    if (!cpu.memory) continue;
    REQUIRE(cpu.memory_channels);
    REQUIRE(cpu.socket);
    REQUIRE(cpu.largest_memory);
    const Memory& memory = **cpu.memory;
    // Transfer rates such as 2,666 2/3 are rounded; an AC922 is said to have 170 of 170.6 GB/s.
    CHECK(cpu.memory_bandwidth.value ==
          about(static_cast<double>(*cpu.memory_channels) * memory.channel_bandwidth.value, 0.005));
    // Sockets have room for one to three modules a channel.
    CHECK(cpu.largest_memory->value <=
          3 * static_cast<double>(*cpu.memory_channels) * std::ranges::max(memory.modules).value);
    CHECK(std::ranges::none_of(*cpu.socket, [](unsigned char c) { return std::isupper(c); }));
  }
}

TEST_CASE("the catalog's modules of memory have sizes that are made") {
  std::map<std::string, Memory> kinds;
  for (const auto& name : own_catalog().names(Cpu::kKind))
    if (const Cpu cpu = cpu_of(name); cpu.memory) kinds[cpu.memory->name] = **cpu.memory;
  CHECK(kinds.size() >= 12);
  for (const auto& kind : kinds) {
    CAPTURE(kind.first);
    const Memory& memory = kind.second;
    CHECK(std::ranges::is_sorted(memory.modules));
    CHECK(std::ranges::count(memory.modules, memory.priced_module) == 1);
    for (const Bytes size : memory.modules) {
      // Powers of two, and half as much again between two; soldered, less error correction.
      const double gib = size / 1_GiB;
      const double part = gib / std::exp2(std::floor(std::log2(gib)));
      CHECK((part == about(1) || part == about(1.5) || part == about(1.875)));
    }
  }
}

TEST_CASE("a GPU that shares its board is sold with the others of it") {
  const auto gpu_of = [](const std::string& name) {
    Diagnostics none;
    return Reader(own_catalog(), "", none).entry_of<Gpu>(*own_catalog().find("gpu", name));
  };
  const auto k80 = gpu_of("nvidia-k80-die");
  CHECK(k80->dies_per_board == 2);
  CHECK(k80->price->value == 5000);  // as its source has the board
  const auto module = gpu_of("amd-mi250x-die");
  const auto like = gpu_of("amd-mi210");
  CHECK(module->price->value / (2 * module->memory.value) ==
        approx(like->price->value / like->memory.value).epsilon(0.02));
}

TEST_CASE("every GPU of the catalog says how it is built in") {
  for (const auto& name : own_catalog().names("gpu")) {
    CAPTURE(name);
    const EntryText entry = entry_of("gpu", name);
    const std::string form = line_of(entry, "form").value;
    REQUIRE(form != kUnknown);
    CHECK(says(entry, "slots") == (form == "card"));
    CHECK(says(entry, "board") == (form == "module"));
    CHECK(says(entry, "released"));
  }
}
