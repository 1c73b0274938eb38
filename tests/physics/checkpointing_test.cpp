// SPDX-License-Identifier: Apache-2.0
// Saves and loads of a state by ranks on several hosts, against formulas of one line.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/approx.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"

using namespace gpufeed;

namespace {

constexpr double kGiB = 1073741824;
constexpr double kSize = 104.7045 * kGiB;  // llama3-8b, by 8 ranks

/// \param store  "write_bandwidth = ..." among the array's keys
std::string scenario(int hosts, const std::string& read, const std::string& store) {
  return fmt::format(R"(title = "t"
nodes = {}
[system]
title = "a host"
[[system.socket]]
id = "cpu0"
model = "amd-epyc-9355"
memory = "256 GiB"
[[system.nic]]
id = "net0"
model = "nvidia-connectx-7-ndr-400g"
at = "cpu0"
[store.s]
model = {{ title = "a", source = "t", basis = "estimate", capacity = "100 TB", read_rate = "1e9 IOPS", read_latency = "1 us", read_bandwidth = "{}"{} }}
[data]
at = "s"
[workload]
kind = "checkpointing"
)",
                     hosts, read, store);
}

CheckpointingSummary run(const std::string& text) {
  return *simulate(parse_scenario(text, "test.toml", own_catalog())).checkpointing;
}

}  // namespace

TEST_CASE("checkpoints take the store's time for their bytes, and what its redundancy adds") {
  const std::string narrow = scenario(2, "2 GB/s", ", write_bandwidth = \"1 GB/s\"");
  const auto plain = run(narrow);
  CHECK(plain.ranks == 8);
  CHECK(plain.rank_B == about(kSize / 8));
  CHECK(plain.save.rank0_s == about(kSize / 1e9, 1e-4));
  CHECK(plain.load.slowest_s == about(kSize / 2e9, 1e-4));
  CHECK(plain.save.rank0_Bps == about(1e9, 1e-4));
  CHECK(plain.save.limited_by == "s write");
  CHECK(plain.load.limited_by == "s");
  CHECK(plain.save.span_s == about(10 * plain.save.slowest_s + 9 * 5));
  CHECK(plain.load.span_s == about(10 * plain.load.slowest_s));
  const auto coded = run(narrow + "redundancy = \"150 %\"\n");
  CHECK(coded.save.slowest_s == about(1.5 * kSize / 1e9, 1e-4));
  CHECK(coded.load.slowest_s == about(plain.load.slowest_s));
}

TEST_CASE("the host with most ranks ends last, at what its card or its ranks' copies let through") {
  const std::string wide = ", write_bandwidth = \"900 TB/s\"";
  const auto one = run(scenario(1, "900 TB/s", wide));
  CHECK(one.save.limited_by == "net0 port out");
  CHECK(one.save.slowest_Bps < 400e9 / 8);
  const auto eight = run(scenario(8, "900 TB/s", wide));
  CHECK(eight.save.slowest_s == about(kSize / 8 / 6.86e9, 1e-3));  // a copy's pace
  CHECK(eight.save.limited_by == "copying in each rank");
  const auto three = run(scenario(3, "900 TB/s", wide));  // 3, 3 and 2 ranks
  CHECK(three.save.slowest_s == about(kSize / 8 / 6.86e9, 1e-3));
}

TEST_CASE("checkpoints are saved on a store whose writing is known") {
  CHECK(refusal_of([] { run(scenario(1, "2 GB/s", "")); }).find("add write_bandwidth") !=
        std::string::npos);
}
