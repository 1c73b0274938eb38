// SPDX-License-Identifier: Apache-2.0
// The layouts of a decoder that fit, against all that are tried one by one.
#include "sim/model/transformer/layouts.h"

#include <doctest/doctest.h>

#include <cmath>

#include "sim/model/transformer/step.h"
#include "tests/support/catalog.h"

using namespace gpufeed;

namespace {

TransformerJob job_of(const std::string& model, int nodes) {
  return *transformer_job(parse_scenario(
      "nodes = " + std::to_string(nodes) +
          "\nsystem = \"nvidia-dgx-h100\"\n[workload]\nmodel = \"" + model +
          "\"\nprecision = \"bf16\"\noptimizer = \"adam\"\nglobal_batch = " +
          std::to_string(8 * nodes) +
          "\nrecompute = \"full\"\n[workload.dataset]\ntitle = \"d\"\nsource = \"t\"\nbasis = "
          "\"estimate\"\nsamples = 1000000\nsample_size = \"16 kB\"\ndecode_time = \"0 s\"\n"
          "[parallel]\nshard = \"parameters\"\n[loader]\ndecode = \"none\"\n",
      "t.toml", own_catalog()));
}

/// The fastest of a small space, by loops of its own.
double fastest_by_force(const TransformerJob& start, double samples) {
  double best = 0;
  for (const int tensor : {1, 2, 4, 8})
    for (const int pipeline : {1, 2, 4, 8, 16, 32, 64})
      for (const Sharding shard : {Sharding::none, Sharding::optimizer, Sharding::parameters})
        for (const Recompute recompute : {Recompute::none, Recompute::selective, Recompute::full})
          for (const int micro : {1, 2, 4, 8, 16, 32, 64}) {
            TransformerJob job = start;
            job.parallel.tensor = tensor;
            job.parallel.sequence = tensor > 1;
            job.parallel.pipeline = pipeline;
            job.parallel.shard = shard;
            job.training.recompute = recompute;
            const double replicas = static_cast<double>(job.gpus) / (tensor * pipeline);
            if (replicas < 1 || replicas != std::floor(replicas)) continue;
            if (job.architecture.layers % pipeline != 0) continue;
            if (shard == Sharding::parameters && pipeline > 1) continue;
            if (shard != Sharding::none && replicas == 1) continue;
            job.micro_batch = micro;
            job.micro_batches = samples / replicas / micro;
            if (job.micro_batches < pipeline || job.micro_batches != std::floor(job.micro_batches))
              continue;
            if (transformer_memory(job).typical() > job.gpu.memory) continue;
            best = std::max(best, samples / transformer_step(job).all().value);
          }
  return best;
}

}  // namespace

TEST_CASE("the first of the layouts that fit is the fastest there is") {
  for (const auto& one :
       {std::tuple("llama-3-8b", 1, 64.0), std::tuple("llama-3-70b", 16, 256.0)}) {
    const char* const model = std::get<0>(one);
    const double samples = std::get<2>(one);
    CAPTURE(model);
    const TransformerJob job = job_of(model, std::get<1>(one));
    const auto layouts = layouts_that_fit(job, samples);
    REQUIRE(!layouts.empty());
    CHECK(layouts.front().samples_per_s == doctest::Approx(fastest_by_force(job, samples)));
    for (const ParallelLayout& layout : layouts) {
      CHECK(layout.memory <= job.gpu.memory);
      CHECK(layout.samples_per_s <= layouts.front().samples_per_s);
    }
    const ParallelLayout& plain = plainest_of_fastest(layouts);
    CHECK(plain.samples_per_s >= 0.97 * layouts.front().samples_per_s);
  }
}

TEST_CASE("what one node cannot hold has no layout there") {
  CHECK(layouts_that_fit(job_of("llama-3-70b", 1), 8).empty());
  CHECK(!layouts_that_fit(job_of("llama-3-70b", 4), 32).empty());
}
