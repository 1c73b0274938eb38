// SPDX-License-Identifier: Apache-2.0
// Saves and loads of a state by ranks on several hosts, against formulas of one line.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "sim/kinds/checkpointing/saved_state.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/approx.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"

using namespace gpufeed;

namespace {

constexpr double kGiB = 1073741824;
constexpr double kStateSize = 104.7045212 * kGiB;  // llama3-8b, by 8 ranks of two files each
constexpr double kStart = 0.12;                    // s, of each file that is written
constexpr double kCopy = 6.86e9;                   // B/s, one core of an EPYC 9355
constexpr double kPort = 0.93 * 400e9 / 8;         // B/s, a ConnectX-7

struct Setting {
  int hosts = 1;
  std::string memory = "256 GiB";
  std::string read = "900 TB/s";
  std::string latency = "1 us";
  std::string array = ", write_bandwidth = \"900 TB/s\"";  // keys of the array
  std::string store = "";                                  // keys of the store
  std::string workload = "";                               // keys of the workload
};

std::string scenario(const Setting& s) {
  return fmt::format(R"(title = "t"
nodes = {}
[system]
title = "a host"
[[system.socket]]
id = "cpu0"
model = "amd-epyc-9355"
memory = "{}"
[[system.nic]]
id = "net0"
model = "nvidia-connectx-7-ndr-400g"
at = "cpu0"
[store.s]
model = {{ title = "a", source = "t", basis = "estimate", capacity = "100 TB", read_rate = "1e9 IOPS", read_latency = "{}", read_bandwidth = "{}"{} }}
{}
[data]
at = "s"
[workload]
kind = "checkpointing"
{})",
                     s.hosts, s.memory, s.latency, s.read, s.array, s.store, s.workload);
}

CheckpointingSummary run(const std::string& text) {
  return *simulate(parse_scenario(text, "test.toml", own_catalog())).checkpointing;
}
CheckpointingSummary run_of(const Setting& s) { return run(scenario(s)); }

const Setting kNarrow{.hosts = 2, .read = "2 GB/s", .array = ", write_bandwidth = \"1 GB/s\""};

Limiter limiting_part(std::string_view label) {
  return fact<LimiterCode::parts>(std::vector{std::string(label)});
}

}  // namespace

TEST_CASE("states have the sizes that the rules of MLPerf Storage give") {
  const auto size = [](CheckpointedModel model) { return saved_state(model).size().value / kGiB; };
  CHECK(size(CheckpointedModel::llama3_8b) == about(104.7045, 1e-6));
  CHECK(size(CheckpointedModel::llama3_70b) == about(911.212, 1e-6));
  CHECK(size(CheckpointedModel::llama3_405b) == about(5292.2487, 1e-6));
  CHECK(size(CheckpointedModel::llama3_1t) == about(15426.589, 1e-6));
}

TEST_CASE("the first replica saves the weights, all save a part of the optimizer's state") {
  const SavedState state = saved_state(CheckpointedModel::llama3_405b);
  REQUIRE(state.ranks() == 512);
  constexpr double kHidden = 16384, kForward = 53248, kLayers = 126, kWords = 128256;
  // Queries and output; keys and values of 8 of 128 heads; three matrices forward; two norms.
  const double layer = kHidden * (kHidden * (2 + 2 * 8 / 128.) + 3 * kForward + 2);
  const double parameters = 2 * kWords * kHidden + kLayers * layer + kHidden;
  const double optimizer = 3 * 4 * (parameters / 512 + 5 * kHidden);
  CHECK(state.of_rank(256).value == about(optimizer, 1e-6));
  CHECK(state.files[256].size() == 1);
  // 126 layers in 32 stages: four each in 30 of them, rank 0 has the embedding as well.
  CHECK(state.files[0].size() == 1 + 4 + 1);
  CHECK(state.of_rank(0).value ==
        about(optimizer + 2 * (kWords * kHidden + 4 * layer) / 8, 1e-4));  // norms are not cut
}

TEST_CASE("checkpoints take the store's time for their bytes, and the start of their files") {
  const auto all = run_of(kNarrow);
  CHECK(all.ranks == 8);
  CHECK(all.files == 16);
  CHECK(all.size_B == about(kStateSize));
  CHECK(all.rank0_B == about(kStateSize / 8));
  CHECK(all.save.rank0_s == about(2 * kStart + kStateSize / 1e9, 1e-4));
  CHECK(all.load.slowest_s == about(kStateSize / 2e9, 1e-4));
  CHECK(all.save.rank0_Bps == about(kStateSize / (2 * kStart + kStateSize / 1e9), 1e-4));
  CHECK(all.save.limit == limiting_part("s write"));
  CHECK(all.load.limit == limiting_part("s"));
  CHECK(all.save.span_s == about(10 * all.save.slowest_s + 9 * 5));
  CHECK(all.load.span_s == about(10 * all.load.slowest_s));
}

TEST_CASE("writing grows with the blades, up to the front end, and redundancy takes its part") {
  Setting s = kNarrow;
  s.workload = "file_start = \"0 s\"\n";
  const auto saved_at = [&](const std::string& array, const std::string& store) {
    s.array = ", write_bandwidth = \"1 GB/s\", blades = 2" + array;
    s.store = store;
    return run_of(s).save.slowest_Bps;
  };
  CHECK(saved_at("", "") == about(1e9, 1e-4));
  CHECK(saved_at("", "blades = 6") == about(3e9, 1e-4));
  CHECK(saved_at(", front_end_bandwidth = \"2.5 GB/s\"", "blades = 6") == about(2.5e9, 1e-4));
  CHECK(saved_at(", write_redundancy = \"150 %\"", "blades = 6") == about(3e9 / 1.5, 1e-4));
  // The front end carries a byte once, the drives one and a half times.
  CHECK(saved_at(", write_redundancy = \"150 %\", front_end_bandwidth = \"2.5 GB/s\"",
                 "blades = 9") == about(2.5e9, 1e-4));
  CHECK(saved_at("", "other_load = \"40 %\"") == about(0.6e9, 1e-4));
}

TEST_CASE("one host ends when its card has carried all") {
  const auto one = run_of({.hosts = 1});
  CHECK(one.save.slowest_s == about(2 * kStart + kStateSize / kPort, 1e-3));
  CHECK(one.save.limit == limiting_part("net0 port out"));
  CHECK(one.load.slowest_s == about(kStateSize / kPort, 1e-3));
  CHECK(one.load.limit == limiting_part("net0 port"));
}

TEST_CASE("a rank writes with one thread and reads with several, a request after the other") {
  const double part = kStateSize / 8;
  const double window = 1048576;
  const double reading = window / (0.05 + window / kCopy);  // links add microseconds
  const auto eight = run_of({.hosts = 8, .latency = "50 ms"});
  CHECK(eight.save.slowest_s == about(2 * kStart + part / kCopy, 1e-3));
  CHECK(eight.save.limit == fact<LimiterCode::saving_of_rank>());
  CHECK(eight.load.slowest_s == about(2 * 0.05 + part / (4 * reading), 1e-3));
  CHECK(eight.load.limit == fact<LimiterCode::loading_of_rank>());
  const auto alone = run_of({.hosts = 8, .latency = "50 ms", .workload = "load_threads = 1\n"});
  CHECK(alone.load.slowest_s == about(2 * 0.05 + part / reading, 1e-3));
  // 3, 3 and 2 ranks: where nothing is shared, hosts with fewer are no faster.
  CHECK(run_of({.hosts = 3, .latency = "50 ms"}).save.slowest_s ==
        about(eight.save.slowest_s, 1e-3));
}

TEST_CASE("rank 0 has more to save than others, and ends last where each writes for itself") {
  const auto each = run_of({.hosts = 512, .workload = "model = \"llama3-405b\"\n"});
  CHECK(each.rank0_B > 1.19 * each.size_B / 512);
  CHECK(each.save.rank0_s == about(6 * kStart + each.rank0_B / kCopy, 1e-3));
  CHECK(each.save.slowest_s == about(each.save.rank0_s, 1e-3));
}

TEST_CASE("hosts that share a store unevenly end one after the other, the last at the same time") {
  Setting s = kNarrow;
  s.hosts = 8;
  const auto even = run_of(s);
  s.store = "protocol = \"nfs-rdma\"\nconnections = 1000\n";
  for (const int seed : {1, 2, 3}) {
    const auto uneven = run(scenario(s) + fmt::format("[run]\nseed = {}\n", seed));
    CHECK(uneven.load.slowest_s == about(even.load.slowest_s, 1e-3));  // the store is never idle
    CHECK(uneven.load.rank0_s < uneven.load.slowest_s * 0.999);
    CHECK(uneven.load.rank0_s > uneven.load.slowest_s * 0.7);
  }
}

TEST_CASE("memory takes no part of a save, which is synced, and serves no load") {
  Setting s = kNarrow;
  s.memory = "64 GiB";
  const auto little = run_of(s);
  s.memory = "3 TiB";
  const auto much = run_of(s);
  CHECK(much.save.slowest_s == little.save.slowest_s);
  CHECK(much.load.slowest_s == little.load.slowest_s);
}

TEST_CASE("checkpoints are saved on a store whose writing is known") {
  CHECK(refusal_of([] { run_of({.array = ""}); }).find("add write_bandwidth") != std::string::npos);
}
