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

/// All that divide it, up to `most`.
std::vector<std::int64_t> divisors(std::int64_t of, std::int64_t most) {
  std::vector<std::int64_t> out;
  for (std::int64_t parts = 1; parts <= std::min(of, most); ++parts)
    if (of % parts == 0) out.push_back(parts);
  return out;
}

constexpr std::int64_t kMostAtOnce = 64;  ///< samples of a micro-batch

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
    for (const auto micro_batch : powers(kMostAtOnce, static_cast<std::int64_t>(of_replica))) {
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

/// The larger space, one key after the other.
class WholeSearch {
 public:
  WholeSearch(const TransformerJob& job, double samples)
      : job_(job), own_(job.architecture), samples_(samples) {
    job_.parallel.micro_batches = 1;
    job_.parallel.virtual_stages = 1;
    job_.parallel.shard_group.reset();
  }

  EveryLayout all() {
    for (const auto tensor : divisors(job_.ways.node_gpus, own_.heads)) {
      if (own_.heads % tensor != 0) continue;
      for (const auto pipeline : divisors(job_.gpus / tensor, own_.layers))
        for (const auto context : powers(kMostContext, job_.gpus / (tensor * pipeline)))
          if (std::fmod(job_.sequence, 2 * real(context)) == 0 &&
              job_.sequence >= kLeastTokens * real(context))
            split(tensor, pipeline, context);
    }
    std::ranges::stable_sort(out_.fit, std::greater{}, &ParallelLayout::samples_per_s);
    return std::move(out_);
  }

 private:
  static constexpr std::int64_t kMostContext = 64;
  static constexpr double kLeastTokens = 512;

  void split(std::int64_t tensor, std::int64_t pipeline, std::int64_t context) {
    job_.parallel.tensor = tensor;
    job_.parallel.sequence = tensor > 1;
    job_.parallel.pipeline = pipeline;
    job_.parallel.context = context;
    const bool evenly = own_.layers % pipeline == 0 && pipeline > 1;
    for (const auto parts : divisors(evenly ? own_.layers / pipeline : 1, own_.layers)) {
      job_.parallel.virtual_stages = parts;
      const std::int64_t experts = own_.experts > 0 ? own_.experts : 1;
      for (const auto expert : powers(own_.experts > 0 ? job_.gpus / pipeline : 1, experts)) {
        if ((job_.gpus / pipeline) % expert != 0) continue;
        job_.parallel.expert = expert;
        share();
      }
    }
  }

  void share() {
    for (const Sharding shard : {Sharding::none, Sharding::optimizer, Sharding::parameters}) {
      if (shard != Sharding::none && job_.sharing() <= 1) continue;
      job_.parallel.shard = shard;
      micro_batches();
      if (shard != Sharding::parameters) continue;
      const auto sharing = static_cast<std::int64_t>(job_.sharing());
      for (const auto group : powers(sharing - 1, sharing)) {
        if (group * job_.parallel.tensor < job_.ways.node_gpus) continue;
        job_.parallel.shard_group = group;
        micro_batches();
      }
      job_.parallel.shard_group.reset();
    }
  }

  void micro_batches() {
    const double of_replica = samples_ / job_.replicas();
    if (of_replica < 1 || of_replica != std::floor(of_replica)) return;
    for (const auto micro_batch : powers(kMostAtOnce, static_cast<std::int64_t>(of_replica))) {
      job_.micro_batch = real(micro_batch);
      job_.micro_batches = of_replica / job_.micro_batch;
      job_.parallel.micro_batch = micro_batch;
      if (job_.parallel.virtual_stages > 1 && std::fmod(job_.micro_batches, job_.pipeline()) != 0)
        continue;
      ++out_.tried;
      const Bytes memory = transformer_memory(job_).typical();
      if (memory <= job_.gpu.memory)
        out_.fit.push_back({job_, samples_ / transformer_step(job_).all().value, memory});
    }
  }

  TransformerJob job_;
  const Architecture own_;
  double samples_;
  EveryLayout out_;
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

EveryLayout every_layout(const TransformerJob& job, double samples) {
  return WholeSearch(job, samples).all();
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
