// SPDX-License-Identifier: Apache-2.0
#include "ui/model/build/repairs.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "tests/support/catalog.h"

namespace gpufeed::ui {
namespace {

/// A server that can be built, but for what is changed.
std::string server(const std::string& cpu, const std::string& memory, const std::string& gpu,
                   const std::string& drives) {
  return "[system]\nchassis = \"supermicro-as-8125gs-tnhr\"\n" + cpu + memory + gpu + drives +
         "[workload]\nmodel = \"resnet-50\"\ndataset = \"imagenet-1k\"\n[data]\nat = "
         "\"scratch\"\n";
}
const std::string kCpu = "cpu = \"2 x amd-epyc-9454\"\n";
const std::string kMemory = "memory = \"768 GB\"\n";
const std::string kGpu = "gpu = \"8 x nvidia-h200-sxm5-141gb\"\n";
const std::string kDrives = "drives = \"4 x kioxia-cm7-r-7.68tb\"\n";

std::vector<Repair> repairs_of(const std::string& text) {
  try {
    parse_scenario(text, "new.toml", own_catalog());
  } catch (const InputError& error) {
    return repairs_for(error.problems(), text, "new.toml", own_catalog());
  }
  FAIL("it can be built");
  return {};
}

/// Some, each of which can be built.
void check_repairs(const std::string& text) {
  INFO(text);
  const auto repairs = repairs_of(text);
  CHECK(!repairs.empty());
  for (const Repair& repair : repairs) {
    INFO(repair.label);
    CHECK(!repair.label.empty());
    CHECK_NOTHROW(parse_scenario(repair.text, "new.toml", own_catalog()));
  }
}

}  // namespace

TEST_CASE("each way in which a machine does not fit its chassis has repairs that do") {
  CHECK_NOTHROW(parse_scenario(server(kCpu, kMemory, kGpu, kDrives), "new.toml", own_catalog()));
  check_repairs(server("cpu = \"4 x amd-epyc-9454\"\n", kMemory, kGpu, kDrives));
  check_repairs(server("cpu = \"2 x intel-xeon-gold-6548y-plus\"\n", kMemory, kGpu, kDrives));
  check_repairs(server("", kMemory, kGpu, kDrives));
  check_repairs(server(kCpu, "memory = \"700 GB\"\n", kGpu, kDrives));
  check_repairs(server(kCpu, kMemory, "gpu = \"4 x nvidia-h200-sxm5-141gb\"\n", kDrives));
  check_repairs(server(kCpu, kMemory, "gpu = \"8 x nvidia-l40s\"\n", kDrives));
  check_repairs(server(kCpu, kMemory, kGpu, "drives = \"40 x kioxia-cm7-r-7.68tb\"\n"));
  check_repairs(server(kCpu, kMemory, kGpu, "drives = \"4 x kioxia-cm7-r-7.68tb-e3.s\"\n"));
}

TEST_CASE("a repair says what it takes") {
  const auto repairs =
      repairs_of(server(kCpu, kMemory, kGpu, "drives = \"40 x kioxia-cm7-r-7.68tb\"\n"));
  REQUIRE(repairs.size() == 1);
  CHECK(repairs.front().label.starts_with("Take 16 × "));
  CHECK(repairs.front().text.find("16 x kioxia-cm7-r-7.68tb") != std::string::npos);
}

TEST_CASE("a machine is repaired though its work has problems of its own") {
  const std::string text =
      "system = { chassis = \"dell-r760xa\", cpu = \"2 x intel-xeon-gold-6548y-plus\", "
      "memory = \"512 GB\", gpu = \"9 x nvidia-l40s\" }\n"
      "workload = { model = \"resnet-50\", dataset = \"imagenet-1k\" }\n";  // and no drives
  const auto repairs = repairs_of(text);
  REQUIRE(!repairs.empty());
  CHECK(repairs.front().label == "Take 4 × NVIDIA L40S");
}

TEST_CASE("what is misspelt, misplaced or out of range is repaired, too") {
  const std::string good =
      "system = \"nvidia-dgx1-p100\"\n[workload]\nmodel = \"resnet-50\"\ndataset = "
      "\"imagenet-1k\"\n";
  const auto only = [&](const std::string& text) {
    const auto repairs = repairs_of(text);
    REQUIRE(repairs.size() == 1);
    CHECK_NOTHROW(parse_scenario(repairs.front().text, "new.toml", own_catalog()));
    return repairs.front().label;
  };
  CHECK(only("system = \"nvidia-dgx1-p10\"\n" + good.substr(good.find('['))) ==
        "Set Machine to NVIDIA DGX-1 with eight Tesla P100");
  CHECK(only(good + "epoch = 3\n") == "Call it workload.epochs");
  CHECK(only(good + "[loader]\nprefetch_batches = 0\n") == "Set Prefetch to 1");
  CHECK(only(good + "[data]\nat = \"scrach\"\n") == "Set Data on to scratch");
  CHECK(only(good + "io = { block_size = \"4096 B\" }\n") == "Leave out I/O");
}

TEST_CASE("a problem without a fix has no repairs") {
  CHECK(repairs_of("system = \"nothing-like-it\"\n").empty());
}

}  // namespace gpufeed::ui
