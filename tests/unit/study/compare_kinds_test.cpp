// SPDX-License-Identifier: Apache-2.0
// Scenarios side by side that do not train: each kind by figures of its own.
#include "reports/study/compare.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "reports/writers/comparison_text.h"
#include "tests/support/rated.h"

using namespace gpufeed;

namespace {

/// Of a kind that trains nothing: no throughput, but figures of its own.
Result untrained(WorkloadKind kind) {
  Result result = rated(std::numeric_limits<double>::infinity(), 0, "");
  result.kind = kind;
  result.time_to_first_result_s = result.time_to_result_s = std::numeric_limits<double>::infinity();
  return result;
}

Result saved(double save_Bps, double load_Bps) {
  Result result = untrained(kind_of<kind::Checkpointing>);
  result.checkpointing.emplace();
  result.checkpointing->save.rank0_Bps = result.checkpointing->save.slowest_Bps = save_Bps;
  result.checkpointing->load.rank0_Bps = result.checkpointing->load.slowest_Bps = load_Bps;
  result.checkpointing->save.slowest_s = 1e12 / save_Bps;
  result.checkpointing->load.slowest_s = 1e12 / load_Bps;
  return result;
}

/// The verdict on a result and a copy that is changed.
template <class Change>
std::string against_changed(const Result& result, const Change& change) {
  Result other = result;
  change(other);
  return verdicts_of(compared({"a", "b"}, {result, other})).at(0);
}

bool has(const std::string& text, const std::string& what) {
  return text.find(what) != std::string::npos;
}

}  // namespace

TEST_CASE("checkpointing is compared by what saving and loading take") {
  const std::string text = to_text(compared({"a", "b"}, {saved(20e9, 40e9), saved(40e9, 40e9)}));
  CHECK(has(text, "save by rank 0                20 GB/s                            40 GB/s"));
  CHECK(has(text, "time to save                  50 s                               25 s"));
  CHECK(has(text, "B against A: better in save by rank 0 (100 % more), save by the slowest rank "));
  CHECK(has(text, "equal in load by rank 0"));
  CHECK_FALSE(has(text, "samples"));
  CHECK_FALSE(has(text, "beats"));
}

TEST_CASE("every kind that trains nothing is judged by figures of its own") {
  Result io = untrained(kind_of<kind::Io>);
  io.io = {{"read", 1000, 4e6, 1e-3}};
  CHECK(has(against_changed(io, [](Result& r) { r.io[0].latency_mean_s = 5e-4; }),
            "better in read mean latency (50 % less); equal in read requests, read bandwidth"));
  Result transfers = untrained(kind_of<kind::Transfers>);
  transfers.transfers.emplace_back().test = "host_to_device";
  transfers.transfers[0].sum_Bps = 1e10;
  transfers.copies = {{"gpu0", "gpu1", "", 1, 1e10, {}}};
  CHECK(has(against_changed(transfers, [](Result& r) { r.copies[0].bandwidth_Bps = 2e10; }),
            "better in gpu0 -> gpu1 (100 % more); equal in sum of host_to_device"));
  Result collective = untrained(kind_of<kind::Collective>);
  collective.collectives = {{"all-reduce", 1e3, 1e-5, 1e8, 1e8, "ring", ""},
                            {"all-reduce", 1e6, 1e-4, 1e10, 1e10, "ring", ""}};
  CHECK(has(
      against_changed(collective, [](Result& r) { r.collectives[0].time_s = 2e-5; }),
      "worse in time of all-reduce of 1 kB (100 % more); equal in bus rate of all-reduce of 1 MB"));
  Result matmul = untrained(kind_of<kind::Matmul>);
  matmul.products = {{64, 64, 64, 1e-6, 1e12, 0.5}};
  CHECK(has(against_changed(matmul, [](Result& r) { r.products[0].flop_per_s = 2e12; }),
            "better in 64 x 64 x 64 (100 % more)"));
  Result pipeline = untrained(kind_of<kind::Pipeline>);
  pipeline.pipeline.emplace().copy_s = 60;
  pipeline.time_to_first_result_s = 100;
  pipeline.time_to_result_s = 200;
  CHECK(has(against_changed(pipeline, [](Result& r) { r.time_to_result_s = 100; }),
            "better in time to result (50 % less)"));
}

TEST_CASE("a service is judged by its latencies, not by the requests that arrive") {
  Result served = untrained(kind_of<kind::Inference>);
  served.throughput_samples_per_s = 1500;
  served.serving.emplace().latency_mean_s = 0.03;
  served.serving->latency_p99_s = 0.04;
  served.serving->cold_start_s = 1;
  served.serving->capacity_requests_per_s = 2000;
  served.serving->latency_uncertainty = 0.01;
  const std::string text = against_changed(served, [](Result& r) {
    r.throughput_samples_per_s = 1500.1;
    r.serving->latency_mean_s *= 1.01;  // within what may be chance
    r.serving->latency_p99_s *= 1.1;
  });
  CHECK(has(text,
            "worse in latency of 99 % (10 % more); equal in requests answered, requests at "
            "most, cold start, mean latency"));
}

TEST_CASE("work of two kinds has nothing to be held against each other by") {
  const auto verdicts = verdicts_of(
      compared({"a", "b", "c"}, {rated(100, 0.01, ""), saved(1e9, 1e9), rated(200, 0.01, "")}));
  REQUIRE(verdicts.size() == 3);
  CHECK(verdicts[0].starts_with("C beats A by 100 %"));
  CHECK(verdicts[1] == "A and B have no figure in common");
}
