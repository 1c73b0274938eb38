// SPDX-License-Identifier: Apache-2.0
// Steps of optimizers other than Adam's on the GPU, against sums by hand.
#include "sim/model/transformer/optimizer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>

#include "sim/model/transformer/memory.h"
#include "tests/support/approx.h"
#include "tests/support/decoders.h"
#include "tests/support/refusals.h"

using namespace gpufeed;

namespace {

constexpr double kAll = 8030261248, kTables = 2 * 128256.0 * 4096;  // of Llama 3 8B
constexpr double kMemory = 0.85 * 4.8e12;                           // B/s of an H200

TransformerJob llama(const std::string& optimizer, const std::string& workload = "",
                     const std::string& shard = "none") {
  std::string text =
      decoder_text("nvidia-dgx-h200", "llama-3-8b",
                   "precision = \"bf16\"\nbatch_per_gpu = 1\nrecompute = \"full\"\n" + workload,
                   "parallel = { shard = \"" + shard + "\" }");
  text.replace(text.find("\"adam\""), 6, '"' + optimizer + '"');
  return *transformer_job(parse_scenario(text, "test.toml", own_catalog()));
}

Seconds step_of(const TransformerJob& job) { return transformer_step(job)[StepPart::optimizer]; }

/// Five times X Xt, its square and its product with X, for all matrices of its 32 layers.
double orthogonalizing_flop() {
  struct Size {
    double m, n;
  };
  constexpr std::array<Size, 7> kMatrices{{{4096, 4096},
                                           {1024, 4096},
                                           {1024, 4096},
                                           {4096, 4096},
                                           {4096, 14336},
                                           {4096, 14336},
                                           {4096, 14336}}};
  double flop = 0;
  for (const auto& [m, n] : kMatrices) flop += 5 * 2 * (2 * m * m * n + m * m * m);
  return 32 * flop;
}

}  // namespace

TEST_CASE("Adafactor keeps a number of each row and column, and passes over 17 of a parameter") {
  const TransformerJob job = llama("adafactor");
  CHECK(step_of(job).value == approx((17 * 4 + 6) * kAll / kMemory).epsilon(1e-3));
  CHECK(transformer_memory(job).optimizer.value == approx(4 * kAll).epsilon(1e-3));
  const TransformerJob narrow = llama("adafactor", "master_weights = false\n");
  CHECK(step_of(narrow).value == approx(17 * 2 * kAll / kMemory).epsilon(1e-3));
  CHECK(transformer_memory(narrow).optimizer.value == 0);
}

TEST_CASE("Muon keeps one number of matrices and two of tables, and orthogonalizes the former") {
  const TransformerJob job = llama("muon");
  CHECK(transformer_memory(job).optimizer.value ==
        approx(8 * (kAll - kTables) + 12 * kTables).epsilon(1e-3));
  const double passes = (70 * (kAll - kTables) + 34 * kTables) / kMemory;
  // At what large products attain at most, and at two thirds of it, tiles and starts included
  const double products = orthogonalizing_flop() / (989e12 * 0.77);
  CHECK(step_of(job).value > passes + products);
  CHECK(step_of(job).value < passes + 1.5 * products);
  CHECK(products > 0.8);  // a second of it: not what passes alone would take
  CHECK(step_of(llama("muon", "", "optimizer")).value ==
        approx(step_of(job).value / 8).epsilon(1e-9));
}

TEST_CASE("Adam on the hosts takes what links and their memory take, and none of the GPU's") {
  const TransformerJob own = llama("adam", "", "gradients");
  const TransformerJob job = llama("adam", "offload_optimizer = true\n", "gradients");
  const double share = kAll / 8;  // of a GPU
  const GpuWays& ways = job.ways;
  // Gradients leave while the backward pass goes on.
  CHECK(step_of(job).value ==
        approx(36 * share / ways.host_memory.value + 2 * share / ways.host.value).epsilon(1e-3));
  CHECK(step_of(job) > step_of(own));
  CHECK(transformer_memory(job).optimizer.value == 0);
  CHECK(transformer_memory(job).gradients.value == 0);
  CHECK(offloaded_of_host(job).value == approx(16 * kAll).epsilon(1e-3));
  // Two sockets of 8 channels of 38.4 GB/s, shared by eight GPUs, at what copies attain of it
  CHECK(ways.host_memory.value > 0.6 * 2 * 307.2e9 / 8);
  CHECK(ways.host_memory.value < 2 * 307.2e9 / 8);
}

TEST_CASE("what hosts cannot take is refused with the reason, and proposed only where they can") {
  const auto why = [](const std::string& optimizer, const std::string& workload) {
    return refusal_of([&] { llama(optimizer, "offload_optimizer = true\n" + workload); });
  };
  CHECK(why("muon", "").find("hosts take steps of adam, not of muon") != std::string::npos);
  CHECK(why("adam", "lora = true\n").find("no LoRA") != std::string::npos);
  CHECK(why("adam", "master_weights = false\n").find("kept in fp32") != std::string::npos);
  TransformerJob job = llama("adam", "", "optimizer");
  CHECK(can_offload(job));
  job.ways.host_room = Bytes{15.9 * kAll};
  CHECK_FALSE(can_offload(job));
}
