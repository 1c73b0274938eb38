// SPDX-License-Identifier: Apache-2.0
// Gradients of several batches that are summed before one exchange.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "sim/plan/limits/stages.h"
#include "sim/plan/make/make_plan.h"
#include "sim/simulate.h"
#include "tests/support/approx.h"
#include "tests/support/catalog.h"

using namespace gpufeed;

namespace {

constexpr double kSummedBatch = 64;
constexpr double kSummedRate = 400;
constexpr double kOneBatch = kSummedBatch / kSummedRate;  ///< of a batch, in seconds

/// Two V100, equally fast, with data that cost nothing.
Scenario summing_job(const std::string& keys, const std::string& tables = "") {
  return parse_scenario(
      "title = \"t\"\nsystem = \"nvidia-dgx1-v100\"\n[workload]\ngpus = 2\nprecision = "
      "\"fp16\"\nsamples = 4_000_000\n" +
          keys +
          "model = { title = \"m\", parameters = 400_000_000, input_size = \"1 B\" }\n"
          "dataset = { title = \"d\", samples = 4_000_000, sample_size = \"1 B\", "
          "samples_per_file = 1_000_000 }\n"
          "compute = [{ gpu = \"nvidia-v100-sxm2-16gb\", precision = \"fp16\", batch = 64, rate = "
          "\"400 samples/s\", source = \"s\", basis = \"measured\" }]\n"
          "[loader]\ndecode = \"none\"\norder = \"shards\"\n" +
          tables,
      "test.toml", own_catalog(),
      {parse_override("system.gpu[*].model.speed_spread=0 %"),
       parse_override("system.gpu[*].model.collectives.contention=0 %")});
}

double summing_step(const Scenario& scenario) {
  return undisturbed_step(make_plan(scenario)).value;
}

std::string summing_refusal(const std::string& keys, const std::string& tables = "") {
  try {
    summing_job(keys, tables);
  } catch (const InputError& error) {
    return sentence(error.problems().front());
  }
  return "";
}

}  // namespace

TEST_CASE("a step of n batches computes n times and exchanges once") {
  const double exchange = exchange_time(make_plan(summing_job(""))).value;
  REQUIRE(exchange > 0.005);
  for (const int n : {1, 2, 7}) {
    const std::string keys = fmt::format("accumulate = {}\n", n);
    CHECK(summing_step(summing_job(keys)) == approx(n * kOneBatch + exchange));
    // Gradients leave in the backward pass of the last batch alone.
    for (const double overlap : {0.03, 0.67})
      CHECK(summing_step(summing_job(
                keys, fmt::format("[exchange]\noverlap = \"{} %\"\n", 100 * overlap))) ==
            approx(n * kOneBatch + std::max(0.0, exchange - overlap * kOneBatch)));
    CHECK(make_plan(summing_job(keys)).global_batch() == 2 * n * kSummedBatch);
  }
}

TEST_CASE("a step of n batches varies by what one does over the root of n") {
  constexpr double kJitter = 0.1;
  const double exchange = exchange_time(make_plan(summing_job(""))).value;
  for (const double n : {1.0, 4.0, 25.0}) {
    const Result result = simulate(
        summing_job(fmt::format("accumulate = {}\nstep_jitter = \"{} %\"\n", n, 100 * kJitter)));
    // The slower of two normal times of a standard deviation s is later by s / sqrt(pi).
    const double step =
        n * kOneBatch * (1 + kJitter / std::sqrt(n) / std::sqrt(std::numbers::pi)) + exchange;
    CHECK(result.throughput_samples_per_s ==
          doctest::Approx(2 * n * kSummedBatch / step).epsilon(0.006));
  }
}

TEST_CASE("memory holds one batch of those that are summed; a global batch is shared by all") {
  const Scenario shared = summing_job("global_batch = 1536\naccumulate = 12\n");
  CHECK(shared.workload.get<kind::Training>().batch_per_gpu.value == 64);
  CHECK(summing_refusal("global_batch = 1000\naccumulate = 12\n") ==
        "workload.global_batch is 1000, which 2 GPUs cannot share equally in 12 batches each; the "
        "nearest that they can is 1008");
  CHECK(summing_refusal("accumulate = 3_000_000\n").find("accumulate") != std::string::npos);
  CHECK(summing_refusal("accumulate = 40_000\n") ==
        "one step of all GPUs takes 5120000 samples, but there are only 4000000; lower "
        "workload.batch_per_gpu or workload.gpus");
  CHECK(summing_refusal("accumulate = 2\n", "[parallel]\nshard = \"gradients\"\n") ==
        "workload.accumulate is 2: what [parallel] lets travel for every batch is not simulated "
        "for several in a step; leave it out, or all of [parallel] but shard = \"optimizer\"");
  CHECK(summing_refusal("accumulate = 2\n", "[parallel]\nshard = \"optimizer\"\n") == "");
}
