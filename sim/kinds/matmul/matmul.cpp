// SPDX-License-Identifier: Apache-2.0
#include "sim/kinds/matmul/matmul.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "sim/answer/without_training.h"
#include "sim/model/gpu_memory.h"
#include "sim/model/kernels/product.h"
#include "sim/model/scenario.h"
#include "sim/model/step_estimate.h"
#include "sim/topology/graph.h"

namespace gpufeed {
namespace {

Limiter largest_part(const ProductCost& cost) {
  using enum LimiterCode;
  const std::array times{
      std::pair{cost.start, fact<starting>()}, std::pair{cost.compute, fact<computing>()},
      std::pair{cost.memory, fact<memory>()}, std::pair{cost.quantize, fact<quantizing>()}};
  return std::ranges::max_element(times, {}, [](const auto& one) { return one.first; })->second;
}

/// Products larger than those of the measurements clock GPUs down where power is short.
constexpr double kLargestSeenFlop = 2e12;

/// \source  aiconfigurator, gemm_perf (hw_catalog/kernels/cublas.toml)
bool is_like_those_timed(const ProductShape& shape) {
  return shape.m <= 32768 && shape.n >= 256 && shape.n <= 65536 && shape.k >= 256 &&
         shape.k <= 16384;
}

}  // namespace

Result simulate_kind(const kind::Matmul& keys, const Scenario& scenario) {
  const Ref<Gpu>& gpu = scenario.system->gpus.front().model;
  const FlopRate peak = *peak_rate(*gpu, keys.precision);
  const Graph graph = build_graph(scenario, {});
  Result result =
      result_without_training(scenario, graph, ByResource<double>(graph.resources.size(), 0.0));
  result.workload = fmt::format("matrix products in {} on {}", keys.precision, gpu.name);
  bool large = false, unlike = false;
  for (const ProductShape& shape : keys.products) {
    const auto cost =
        product_cost(shape, *gpu, peak, bytes_per_number(keys.precision), keys.quantize);
    const double flop = 2.0 * static_cast<double>(shape.m) * static_cast<double>(shape.n) *
                        static_cast<double>(shape.k);
    const double rate = flop / cost.all().value;
    result.products.push_back(
        {shape.m, shape.n, shape.k, cost.all().value, rate, rate / peak.value, largest_part(cost)});
    large = large || flop > kLargestSeenFlop;
    unlike = unlike || !is_like_those_timed(shape);
  }
  using enum WarningCode;
  if (large) result.warnings.push_back(fact<products_too_large>());
  if (unlike) result.warnings.push_back(fact<products_of_unseen_shape>());
  if (keys.precision != "bf16" && keys.precision != "fp16" && keys.precision != "fp8")
    result.warnings.push_back(fact<products_of_unseen_precision>(keys.precision));
  const ProductTime& last = result.products.back();
  result.bottleneck.resource = last.limit;
  result.bottleneck.evidence = {
      evidence<EvidenceCode::attains_of_peak>(last.share_of_peak, gpu.name)};
  return result;
}

}  // namespace gpufeed
