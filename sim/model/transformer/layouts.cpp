// SPDX-License-Identifier: Apache-2.0
#include "sim/model/transformer/layouts.h"

#include <algorithm>
#include <cmath>

#include "sim/model/transformer/step.h"

namespace gpufeed {
namespace {

/// 1, 2, 4 ... up to `most`, those that divide `of`.
std::vector<std::int64_t> powers(std::int64_t most, std::int64_t of) {
  std::vector<std::int64_t> out;
  for (std::int64_t parts = 1; parts <= most; parts *= 2)
    if (of % parts == 0) out.push_back(parts);
  return out;
}

class Search {
 public:
  Search(const TransformerJob& job, double samples) : job_(job), samples_(samples) {}

  std::vector<ParallelLayout> all() {
    const Architecture& own = job_.architecture;
    for (const auto tensor : powers(job_.ways.node_gpus, own.heads))
      for (const auto pipeline : powers(own.layers, own.layers))
        if (job_.gpus % (tensor * pipeline) == 0) split(tensor, pipeline);
    std::ranges::stable_sort(found_, std::greater{}, &ParallelLayout::samples_per_s);
    return std::move(found_);
  }

 private:
  void split(std::int64_t tensor, std::int64_t pipeline) {
    TransformerJob job = job_;
    job.parallel.tensor = tensor;
    job.parallel.sequence = tensor > 1;
    job.parallel.pipeline = pipeline;
    const Architecture& own = job.architecture;
    const std::int64_t most = own.experts > 0 ? job.gpus / pipeline : 1;
    for (const auto expert : powers(std::min(most, std::max<std::int64_t>(own.experts, 1)),
                                    std::max<std::int64_t>(own.experts, 1))) {
      if (own.experts > 0 && (job.gpus / pipeline) % expert != 0) continue;
      job.parallel.expert = expert;
      share(job);
    }
  }

  void share(TransformerJob job) {
    for (const Sharding shard : {Sharding::none, Sharding::optimizer, Sharding::parameters}) {
      if (shard != Sharding::none && job.sharing() <= 1) continue;
      if (shard == Sharding::parameters && job.parallel.pipeline > 1) continue;
      job.parallel.shard = shard;
      for (const Recompute recompute : {Recompute::none, Recompute::selective, Recompute::full}) {
        job.training.recompute = recompute;
        micro_batches(job);
      }
    }
  }

  void micro_batches(TransformerJob job) {
    const double of_replica = samples_ / job.replicas();
    if (of_replica < 1 || of_replica != std::floor(of_replica)) return;
    for (const auto micro_batch : powers(64, static_cast<std::int64_t>(of_replica))) {
      job.micro_batch = real(micro_batch);
      job.micro_batches = of_replica / job.micro_batch;
      if (job.micro_batches < job.pipeline()) return;
      job.parallel.micro_batch = micro_batch;
      const Bytes memory = transformer_memory(job).typical();
      if (memory > job.gpu.memory) return;  // larger ones take more
      found_.push_back({job, samples_ / transformer_step(job).all().value, memory});
    }
  }

  const TransformerJob& job_;
  double samples_;
  std::vector<ParallelLayout> found_;
};

/// How much there is to set up and to go wrong.
double intricacy(const TransformerJob& job) {
  const Parallel& split = job.parallel;
  return 4.0 * (split.pipeline > 1) + 2.0 * (split.tensor > 1) + 2.0 * (split.expert > 1) +
         0.5 * static_cast<double>(split.shard) + (job.training.recompute != Recompute::none);
}

}  // namespace

std::vector<ParallelLayout> layouts_that_fit(const TransformerJob& job, double samples) {
  return Search(job, samples).all();
}

const ParallelLayout& plainest_of_fastest(const std::vector<ParallelLayout>& layouts) {
  constexpr double kAlike = 0.97;
  const auto slower = std::ranges::find_if(layouts, [&](const ParallelLayout& one) {
    return one.samples_per_s < kAlike * layouts.front().samples_per_s;
  });
  return *std::min_element(layouts.begin(), slower,
                           [](const ParallelLayout& a, const ParallelLayout& b) {
                             return intricacy(a.job) < intricacy(b.job);
                           });
}

}  // namespace gpufeed
