// SPDX-License-Identifier: Apache-2.0
#include "ui/model/show/gpu_places.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/model/compute.h"
#include "sim/model/scenario.h"

namespace gpufeed::ui {
namespace {

/// GPUs of one group: so many, each so far from the next.
struct Group {
  std::int64_t gpus = 1;
  std::int64_t stride = 1;
  const char* words;
};

std::string in_words(const Group& group, std::int64_t of_node) {
  const bool within = of_node % group.stride == 0 && of_node / group.stride % group.gpus == 0;
  return fmt::format("{} {}, {}", group.gpus, group.words,
                     within ? "within a machine" : "over several machines");
}

}  // namespace

GpuPlaces gpu_places(const Result& result, const Scenario& scenario) {
  GpuPlaces out;
  if (!result.transformer) return out;
  const Parallel split = scenario.parallel.value_or(Parallel{});
  out.of_node = gpus_per_node(scenario);
  const std::int64_t gpus = out.of_node * scenario.nodes;
  const std::int64_t shared = split.tensor * split.context;
  out.tensor = split.tensor;
  out.stages = split.pipeline;
  out.replicas = std::max<std::int64_t>(1, gpus / (shared * split.pipeline));
  for (std::int64_t rank = 0; rank < gpus; ++rank)
    out.gpus.push_back({rank / out.of_node, rank % split.tensor,
                        rank / split.tensor % split.context, rank % split.expert,
                        rank / shared % out.replicas,
                        rank / (shared * out.replicas) % split.pipeline});
  for (const Group& group :
       {Group{split.tensor, 1, "GPUs share every matrix (tensor)"},
        Group{split.context, split.tensor, "GPUs share the tokens of a sample (context)"},
        Group{split.expert, 1, "GPUs share the experts of a layer (expert)"},
        Group{out.replicas, shared, "replicas, each with samples of its own (data)"},
        Group{split.pipeline, shared * out.replicas, "stages, each with its layers (pipeline)"}})
    if (group.gpus > 1) out.groups.push_back(in_words(group, out.of_node));
  return out;
}

}  // namespace gpufeed::ui
