// SPDX-License-Identifier: Apache-2.0
// What of a large model one GPU holds: whole, divided among replicas, computed again.
#include "sim/model/gpu_memory.h"

#include <doctest/doctest.h>

#include "sim/model/scenario.h"
#include "tests/support/approx.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"

using namespace gpufeed;

namespace {

constexpr double kParameters = 1e9;
constexpr double kActivations = 800e6;  // of a sample, in bf16
constexpr double kBlocks = 10;
constexpr double kPassedOn = 5e6;  ///< of 10 MB in fp32

/// Eight A100 of 80 GB train a billion parameters in bf16 with Adam.
std::string job(const std::string& workload, const std::string& tables) {
  return "title = \"t\"\nsystem = \"aws-p4de.24xlarge\"\n[workload]\n"
         "dataset = { title = \"d\", samples = 1000000, sample_size = \"8 kB\" }\n"
         "precision = \"bf16\"\noptimizer = \"adam\"\nbatch_per_gpu = 1\n" +
         workload +
         "[workload.model]\ntitle = \"m\"\nparameters = 1_000_000_000\ninput_size = \"8 kB\"\n"
         "class = \"attention\"\nmultiply_adds = 1_000_000_000_000\nactivation_size = \"1600 MB\"\n"
         "blocks = 10\nblock_output = \"10 MB\"\n"
         "[loader]\ndecode = \"none\"\n" +
         tables;
}

GpuMemory held(const std::string& workload, const std::string& tables) {
  return gpu_memory(parse_scenario(job(workload, tables), "test.toml", own_catalog()));
}

}  // namespace

TEST_CASE("replicas divide what their sharding says, and nothing else") {
  // bf16: 2 B of weights, 4 of their copies, 2 of gradients, 8 of Adam's two numbers.
  CHECK(held("", "").fixed().value == approx(16 * kParameters));
  const auto sharded = [](const std::string& what) {
    return held("", "[parallel]\nshard = \"" + what + "\"\n").fixed().value;
  };
  CHECK(sharded("none") == approx(16 * kParameters));
  CHECK(sharded("optimizer") == approx((2 + 2 + 12.0 / 8) * kParameters));
  CHECK(sharded("gradients") == approx((2 + 14.0 / 8) * kParameters));
  CHECK(sharded("parameters") == approx(16.0 / 8 * kParameters));
}

TEST_CASE("GPUs that hold a model together hold equal parts, whose replicas divide the rest") {
  const std::string split = "[parallel]\ntensor = 2\npipeline = 2\nmicro_batches = 4\n";
  const auto alone = held("", split);
  CHECK(alone.fixed().value == approx(16.0 / 4 * kParameters));
  // Two of four micro-batches are under way at once.
  CHECK(alone.activations.value == approx(kActivations * 2 / 4));
  const auto shared = held("", split + "shard = \"optimizer\"\n");
  CHECK(shared.fixed().value == approx((4 + 12.0 / 2) / 4 * kParameters));
}

TEST_CASE("what is computed again is held for one block alone") {
  CHECK(held("", "").activations.value == approx(kActivations));
  CHECK(held("recompute = true\n", "").activations.value ==
        approx(kBlocks * kPassedOn + kActivations / kBlocks));
}

TEST_CASE("what does not fit fits sharded; sharing with nobody is refused") {
  const auto refusal = [](const std::string& workload, const std::string& tables) {
    return refusal_of([&] { parse_scenario(job(workload, tables), "test.toml", own_catalog()); });
  };
  std::string large = job("", "");
  large.replace(large.find("1_000_000_000\n"), 13, "9_000_000_000");
  const auto of_large = [&](const std::string& tables) {
    return refusal_of([&] { parse_scenario(large + tables, "test.toml", own_catalog()); });
  };
  CHECK(of_large("").find("takes 144 GB for parameters, gradients and adam") != std::string::npos);
  CHECK(of_large("[parallel]\nshard = \"parameters\"\n") == "accepted");
  CHECK(refusal("gpus = 1\n", "[parallel]\nshard = \"optimizer\"\n") ==
        "test.toml:20:1: error: parallel.shard: there is one replica, which has nobody to share "
        "with; leave it out\n");
}
