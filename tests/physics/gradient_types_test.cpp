// SPDX-License-Identifier: Apache-2.0
// What gradients travel in: by framework, precision policy and hook.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <string>

#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "sim/plan/make/make_plan.h"
#include "sim/simulate.h"
#include "tests/support/approx.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"

using namespace gpufeed;

namespace {

constexpr double kNumbers = 4e8;

/// Four V100, equally fast, with data that cost nothing.
Scenario typed_job(const std::string& keys, const std::string& tables = "") {
  return parse_scenario(
      "title = \"t\"\nsystem = \"nvidia-dgx1-v100\"\nrun = { max_steps = 60 }\n[workload]\n"
      "gpus = 4\nsamples = 4_000_000\n" +
          keys +
          "model = { title = \"m\", parameters = 400_000_000, input_size = \"1 B\" }\n"
          "dataset = { title = \"d\", samples = 4_000_000, sample_size = \"1 B\", "
          "samples_per_file = 1_000_000 }\n"
          "compute = [{ gpu = \"nvidia-v100-sxm2-16gb\", precision = \"fp16\", batch = 64, rate = "
          "\"400 samples/s\", source = \"s\", basis = \"measured\" }, { gpu = "
          "\"nvidia-v100-sxm2-16gb\", precision = \"fp32\", batch = 64, rate = \"130 samples/s\", "
          "source = \"s\", basis = \"measured\" }]\n"
          "[loader]\ndecode = \"none\"\norder = \"shards\"\n" +
          tables,
      "test.toml", own_catalog(), {parse_override("system.gpu[*].model.speed_spread=0 %")});
}

/// Bytes of a number of a gradient, by what a ring of four sends: 2 (N - 1) / N of all.
double number(const std::string& keys, const std::string& tables = "") {
  const Result result = simulate(typed_job(keys, "[exchange]\nalgorithm = \"ring\"\n" + tables));
  return result.exchange->sent_B / (1.5 * kNumbers);
}

const std::string kHalf = "precision = \"fp16\"\n", kSingle = "precision = \"fp32\"\n";
const std::string kPytorch = "framework = \"pytorch\"\n";

}  // namespace

TEST_CASE("gradients of autocast travel in fp32, those of a model in 16 bits in these") {
  CHECK(number(kPytorch + kSingle) == approx(4));
  CHECK(number(kPytorch + kHalf) == approx(4));
  CHECK(number("framework = \"horovod\"\n" + kHalf) == approx(4));
  CHECK(number(kPytorch + kHalf, "dtype = \"fp16\"\n") == approx(2));
  CHECK(number(kPytorch + kHalf, "dtype = \"bf16\"\n") == approx(2));
  CHECK(number(kPytorch + kHalf + "master_weights = false\n") == approx(2));
  // Who names no framework says all by the precision.
  CHECK(number(kSingle) == approx(4));
  CHECK(number(kHalf) == approx(2));
  CHECK(number(kHalf, "dtype = \"fp32\"\n") == approx(4));
}

TEST_CASE("hooks leave 16 bits, or their share, of what travels") {
  for (const char* hook : {"fp16_compress_hook", "bf16_compress_hook"})
    for (const std::string& precision : {kHalf, kSingle})
      CHECK(number(kPytorch + precision, fmt::format("hook = \"{}\"\n", hook)) == approx(2));
  CHECK(number(kPytorch + kSingle, "hook = \"powerSGD_hook\"\nhook_share = \"5 %\"\n") ==
        approx(0.2));
  CHECK(
      refusal_of([] { number(kSingle, "hook = \"powerSGD_hook\"\n"); })
          .find("exchange.hook_share is missing: how much powerSGD_hook leaves depends on its rank "
                "and the model; give it, such as \"5 %\"") != std::string::npos);
  CHECK(refusal_of([] {
          number(kSingle, "hook_share = \"5 %\"\n");
        }).find("exchange.hook_share is only of exchange.hook = \"powerSGD_hook\"; leave it out") !=
        std::string::npos);
}

TEST_CASE("replicas that share parameters gather these, and scatter gradients, each in its own") {
  // Two passes of the weights in fp16, one of gradients, each 1/2 of what summing sends.
  const std::string shared = "\n[parallel]\nshard = \"parameters\"\n";
  CHECK(number(kPytorch + kHalf, shared) == approx(2 + 2 / 2.0));
  CHECK(number(kPytorch + kHalf, "dtype = \"fp32\"\n" + shared) == approx(2 + 4 / 2.0));
}

TEST_CASE("mixed precision makes computing faster, and the exchange no shorter") {
  const auto alone = [](const std::string& keys) {
    return simulate(typed_job(kPytorch + keys)).exchange->alone_s;
  };
  CHECK(alone(kHalf) == approx(alone(kSingle)));
  CHECK(alone(kHalf + "master_weights = false\n") < 0.55 * alone(kSingle));
}

TEST_CASE("a part of what steps vary by does not grow with them") {
  constexpr double kShare = 0.02, kTime = 0.03;
  for (const double batches : {1.0, 9.0}) {
    const std::string keys =
        fmt::format("{}accumulate = {}\nstep_jitter = \"{} %\"\nstep_jitter_time = \"{} ms\"\n",
                    kHalf, batches, 100 * kShare, 1000 * kTime);
    const double step = batches * 64 / 400;
    // Of n batches that vary by themselves the share is 1/sqrt(n); the time is the step's.
    CHECK(make_plan(typed_job(keys)).step_jitter.value ==
          approx(std::sqrt(kShare * kShare / batches + kTime * kTime / (step * step))));
  }
}
