// SPDX-License-Identifier: Apache-2.0
#include "sim/kinds/matmul/matmul.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/answer/without_training.h"
#include "sim/kinds/matmul/product.h"
#include "sim/model/gpu_memory.h"
#include "sim/model/scenario.h"
#include "sim/model/step_estimate.h"
#include "sim/topology/graph.h"

namespace gpufeed {
namespace {

std::string_view largest_part(const ProductCost& cost) {
  const std::array<std::pair<Seconds, std::string_view>, 4> parts{{{cost.start, "starting"},
                                                                   {cost.compute, "computing"},
                                                                   {cost.memory, "memory"},
                                                                   {cost.quantize, "quantizing"}}};
  return std::ranges::max_element(parts, {}, [](const auto& part) { return part.first; })->second;
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
    result.products.push_back({shape.m, shape.n, shape.k, cost.all().value, rate, rate / peak.value,
                               std::string(largest_part(cost))});
    large = large || flop > kLargestSeenFlop;
    unlike = unlike || !is_like_those_timed(shape);
  }
  if (large)
    result.warnings.emplace_back(
        "products of more than 2 TFLOP are outside what their times were seen for: GPUs that are "
        "short of power clock down, and take up to twice as long");
  if (unlike)
    result.warnings.emplace_back(
        "products of these shapes are outside what their times were seen for: m up to 32,768, n of "
        "256 to 65,536 and k of 256 to 16,384 were timed");
  if (keys.precision != "bf16" && keys.precision != "fp16" && keys.precision != "fp8")
    result.warnings.push_back(fmt::format(
        "products in {} are outside what their times were seen for: bf16 and fp8 were timed",
        keys.precision));
  const ProductTime& last = result.products.back();
  result.bottleneck.resource = last.limited_by;
  result.bottleneck.why =
      fmt::format("{}; the last product attains {} of the peak of {}", last.limited_by,
                  text(Ratio{last.share_of_peak}, 2), gpu.name);
  return result;
}

}  // namespace gpufeed
