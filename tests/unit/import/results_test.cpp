// SPDX-License-Identifier: Apache-2.0
#include "sim/import/results/results.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "sim/load/load.h"
#include "sim/load/study/validation.h"
#include "sim/model/scenario.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"

using namespace gpufeed;

namespace {

namespace fs = std::filesystem;

const fs::path kResults = GPUFEED_SOURCE_DIR "/tests/fuzz/results";

std::string output_of(const std::string& name) {
  std::ifstream in(kResults / name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

ToolResults results_of(const std::string& name) { return read_results(output_of(name), name); }

const MeasuredValue& value_of(const ToolResults& results, const std::string& title,
                              const std::string& key) {
  const auto run = std::ranges::find(results.runs, title, &MeasuredRun::title);
  REQUIRE_MESSAGE(run != results.runs.end(), title);
  const auto value = std::ranges::find(run->values, key, &MeasuredValue::key);
  REQUIRE_MESSAGE(value != run->values.end(), key);
  return *value;
}

bool tells_of(const Names& all, const std::string& words) {
  return std::ranges::any_of(
      all, [&](const std::string& one) { return one.find(words) != std::string::npos; });
}

bool sets(const ToolResults& results, const std::string& what) {
  return std::ranges::all_of(
      results.runs, [&](const MeasuredRun& run) { return std::ranges::count(run.set, what) == 1; });
}

}  // namespace

TEST_CASE("results: elbencho's screen, with the command above it") {
  const ToolResults found = results_of("elbencho.txt");
  CHECK(found.tool == ResultTool::elbencho);
  REQUIRE(found.runs.size() == 2);
  const std::string title = "read: 16 threads, 1 MiB, depth 4, random, direct";
  CHECK(value_of(found, title, "io[read].bandwidth_Bps").value ==
        doctest::Approx(17710 * 1.048576));
  CHECK(value_of(found, title, "io[read].iops").value == 17710);
  CHECK(sets(found, "workload.io.engine=libaio"));
  CHECK(tells_of(found.left_out, "MKDIRS of line 4"));
  CHECK(tells_of(found.left_out, "line 14: not known (\"kernel: nvme"));
  CHECK(tells_of(found.assumed, "4 GiB"));
}

TEST_CASE("results: elbencho's CSV and JSON, a share for each host") {
  const ToolResults csv = results_of("elbencho.csv");
  REQUIRE(csv.runs.size() == 2);
  CHECK(value_of(csv, "write: 32 threads, 1 MiB, depth 8, sequential, direct, one of 4 hosts",
                 "io[write].iops")
            .value == 8388.0 / 4);
  CHECK(tells_of(csv.left_out, "SYNC of line 3"));
  CHECK(tells_of(csv.assumed, "4 hosts"));
  const ToolResults json = results_of("elbencho.json");
  CHECK(value_of(json, "read: 8 threads, 4 KiB, depth 16, random, direct", "io[read].bandwidth_Bps")
            .value == doctest::Approx(3276.8));
}

TEST_CASE("results: what is cut, mixed with other lines or without its heading is told by line") {
  const ToolResults elbencho = results_of("elbencho_cut.txt");
  REQUIRE(elbencho.runs.size() == 1);
  CHECK(value_of(elbencho, "write: 4 threads, 128 KiB, depth 1, sequential",
                 "io[write].bandwidth_Bps")
            .value == doctest::Approx(36 * 1.048576));
  CHECK(tells_of(elbencho.left_out, "line 5: not known"));
  CHECK(tells_of(elbencho.left_out, "READ of line 9: no throughput is told"));
  CHECK(refusal_of([] { results_of("ior_cut.txt"); }).find("ior_cut.txt:23:1: error: 11 columns") ==
        0);
  CHECK(refusal_of([] {
          results_of("darshan_cut.txt");
        }).find("darshan_cut.txt:3:1: error: the time that they took of the reads is not told") ==
        0);
  const ToolResults copies = results_of("nvbandwidth_cut.txt");
  CHECK(copies.runs.size() == 2);
  CHECK(tells_of(copies.left_out, "line 13: 2 of 3 numbers"));
  CHECK(tells_of(copies.left_out, "line 4: not known"));
  const std::string screen = output_of("elbencho.txt");
  CHECK(refusal_of([&] {
          read_results(screen.substr(screen.find("WRITE")), "x.txt");
        }).find("x.txt:1:1: error: how WRITE was run is not told") == 0);
  const std::string csv = output_of("elbencho.csv");
  CHECK(refusal_of([&] {
          read_results(csv.substr(csv.find('\n') + 1), "x.csv");
        }).find("a heading is missing") != std::string::npos);
  CHECK(refusal_of([] {
          read_results("{\"nvbandwidth\": {\"testcases\": [", "x.json");
        }).find("this is not whole JSON of nvbandwidth") != std::string::npos);
}

TEST_CASE("results: IOR's screen and JSON, repetitions as their mean and spread") {
  const ToolResults screen = results_of("ior.txt");
  const std::string title = "read: 8 threads, 1 MiB, depth 1, sequential, direct, one of 2 hosts";
  const MeasuredValue& read = value_of(screen, title, "io[read].bandwidth_Bps");
  CHECK(read.value == doctest::Approx((12010.51 + 12110.51) / 2 * 1.048576 / 2));
  CHECK(*read.spread == doctest::Approx(100 / std::sqrt(2.0) * 1.048576 / 2));
  CHECK(tells_of(screen.left_out, "a link is flapping"));
  const ToolResults json = results_of("ior.json");
  CHECK(value_of(json, "write: 16 threads, 4 KiB, depth 1, random", "io[write].iops").value ==
        105088);
  CHECK(tells_of(json.assumed, "page cache"));
}

TEST_CASE("results: nccl-tests and rccl-tests, machines and ranks counted") {
  const ToolResults nccl = results_of("nccl_tests.log");
  REQUIRE(nccl.runs.size() == 4);
  CHECK(value_of(nccl, "all-reduce of 1 MiB by 8 GPUs", "collectives[0].time_s").value == 40.20);
  CHECK(value_of(nccl, "all-reduce of 256 MiB by 8 GPUs", "collectives[0].bus_Bps").value ==
        427.06);
  CHECK(tells_of(nccl.left_out, "line 1: not known"));
  CHECK(tells_of(nccl.left_out, "line 24"));
  const ToolResults rccl = results_of("rccl_tests_cut.log");
  REQUIRE(rccl.runs.size() == 1);  // which collective it is, its bus bandwidth tells
  CHECK(value_of(rccl, "all-reduce of 1 MiB by 4 GPUs of 2 machines", "collectives[0].time_s")
            .value == 61);
  CHECK(sets(rccl, "workload.gpus=2"));
  CHECK(sets(rccl, "nodes=2"));
  CHECK(tells_of(rccl.left_out, "line 11: 2 wrong results"));
  CHECK(tells_of(rccl.left_out, "line 13: it is cut"));
}

TEST_CASE("results: ranks whose lines are lost are counted by threads and GPUs of the process") {
  std::string text = output_of("nccl_tests.log");
  const std::size_t from = text.find("#  Rank  3"), to = text.find("#\n", from);
  REQUIRE(to != std::string::npos);
  text.erase(from, to - from);
  const ToolResults cut = read_results(text, "cut.log");
  REQUIRE(cut.runs.size() == 4);
  CHECK(value_of(cut, "all-reduce of 1 MiB by 8 GPUs", "collectives[0].time_s").value == 40.20);
  CHECK(tells_of(cut.assumed, "8 GPUs of one machine took part"));
}

TEST_CASE("results: nvbandwidth's screen and JSON, each pair") {
  const ToolResults screen = results_of("nvbandwidth.txt");
  CHECK(screen.runs.size() == 3);
  CHECK(value_of(screen, "device_to_device_memcpy_read_ce",
                 "transfers[device_to_device_memcpy_write_ce].bandwidth_Bps[1][0]")
            .value == 386.90);
  CHECK(value_of(screen, "device_to_device_bidirectional_memcpy_read_ce",
                 "transfers[device_to_device_bidirectional_memcpy_write_ce_total]."
                 "bandwidth_Bps[0][1]")
            .value == 720.10);
  CHECK(tells_of(screen.left_out, "host_device_latency_sm"));
  const ToolResults json = results_of("nvbandwidth.json");
  CHECK(value_of(json, "host_to_device_memcpy_ce",
                 "transfers[host_to_device_memcpy_ce].bandwidth_Bps[0][1]")
            .value == 55.6441);
  CHECK(tells_of(json.left_out, "Waived"));
}

TEST_CASE("results: counters of Darshan, by file and in all") {
  const ToolResults files = results_of("darshan.txt");
  // eight processes at once, each for 96.5 s / 8
  CHECK(value_of(files, "read: 8 threads, 1 MiB, depth 1, sequential", "io[read].bandwidth_Bps")
            .value == doctest::Approx(67108.864 * 8 / 96.5));
  CHECK(tells_of(files.left_out, "1 counters of STDIO"));
  CHECK(tells_of(files.assumed, "that ran for 120.5 s"));
  const ToolResults total = results_of("darshan_total.txt");
  CHECK(total.runs.size() == 2);
  CHECK(value_of(total, "read: 16 threads, 112 KiB, depth 1, random", "io[read].bandwidth_Bps")
            .value == doctest::Approx(114688.0 * 16 / 800.5));
}

TEST_CASE("results: all samples become cases that validate reads and a machine can run") {
  for (const auto& entry : fs::directory_iterator(kResults)) {
    const std::string name = entry.path().filename().string();
    CAPTURE(name);
    if (name == "ior_cut.txt" || name == "darshan_cut.txt") continue;
    const ToolResults found = results_of(name);
    const std::string cases = results_cases(found, name, "nvidia-dgx-h100", {});
    const Validation read = parse_validation(cases, name + ".toml", own_catalog());
    CHECK(read.cases.size() == found.runs.size());
    for (const ValidationCase& one : read.cases)
      CHECK(parse_scenario(results_scenario(found, "nvidia-dgx-h100", {}), one.title, own_catalog(),
                           overrides_of(one))
                .system->gpus.size() == 8);
  }
}

TEST_CASE("results: a number at the end of a text may lack digits, and is not taken") {
  const auto values_of = [](const std::string& name, const std::string& until) {
    const std::string whole = output_of(name);
    const ToolResults found = read_results(whole.substr(0, whole.find(until)), name);
    CHECK(tells_of(found.left_out, "it is cut"));
    std::size_t count = 0;
    for (const MeasuredRun& run : found.runs) count += run.values.size();
    return count;
  };
  CHECK(values_of("elbencho.txt",
                  "0\n            Total MiB        :       65000       65536\n---") == 2);
  CHECK(values_of("nvbandwidth.txt", ".90       N/A") == 3);
  CHECK(values_of("nccl_tests.log", ".06       0   1098.2") == 3);
  const std::string total = output_of("darshan_total.txt");
  const std::string until = total.substr(0, total.find("0.5\ntotal_POSIX_F_WRITE"));
  CHECK(refusal_of([&] { read_results(until, "x.txt"); }).find("the time that they took") !=
        std::string::npos);
}

TEST_CASE("results: cut or changed anywhere, they give cases or a message") {
  for (const auto& entry : fs::directory_iterator(kResults)) {
    const std::string name = entry.path().filename().string();
    const std::string whole = output_of(name);
    for (std::size_t at = 0; at < whole.size(); at += 41) {
      std::string changed = whole;
      changed[at] = "9-.:{\n,#"[at % 8];
      for (const std::string& text : {whole.substr(0, at), changed}) {
        std::string done = "cases";
        try {
          results_cases(read_results(text, name), name, "a", {});
        } catch (const InputError& error) {
          done = error.problems().empty() ? "" : "a message";
        }
        CHECK(!done.empty());
      }
    }
  }
}
