// SPDX-License-Identifier: Apache-2.0
#include <utility>
#include <vector>

#include "sim/answer/answer.h"

namespace gpufeed {
namespace {

/// Those who build the batches of a GPU; where they share them, those of each batch.
Limiter workers_of(const LoaderShape& loader) {
  using enum LimiterCode;
  if (loader.on_demand) return fact<process_of_gpu>();
  if (!loader.shared_batches) return fact<workers_of_gpu>(loader.batches_at_once);
  if (loader.readers_per_batch == loader.threads_per_batch)
    return fact<threads_of_batches>(loader.threads_per_batch, loader.batches_at_once);
  return fact<threads_and_readers_of_batches>(loader.threads_per_batch, loader.readers_per_batch,
                                              loader.batches_at_once);
}

Limiter engines_of(DecodeEngine engine) {
  using enum LimiterCode;
  if (engine == DecodeEngine::sms) return fact<gpu_processors>();
  return engine == DecodeEngine::nvjpg ? fact<nvjpg_engines>() : fact<nvdec_engines>();
}

Limiter sources_of(const Plan& plan, const PathStageLimit& stage) {
  using enum LimiterCode;
  auto labels = plan.graph.labels_of(plan.sources);
  if (plan.reads_through && is_of_store(plan, stage))
    labels = {plan.resource(*stage.resource).label};
  const auto limit = stage.resource ? plan.resource(*stage.resource).limit : std::nullopt;
  return limit ? fact<storage_parts>(std::move(labels), name_of(*limit))
               : fact<parts>(std::move(labels));
}

Limiter cores_of_loaders(const Plan& plan) {
  using enum LimiterCode;
  return cores_of(plan) > plan.physical_cores ? fact<cores_with_smt>(plan.physical_cores)
                                              : fact<cores>(plan.physical_cores);
}

/// Each stage by its name; of storage, by what it is.
Limiter name_of_stage(PathStage kind) {
  using enum LimiterCode;
  switch (kind) {
    case PathStage::storage:
      return fact<drives>();
    case PathStage::network:
      return fact<network>();
    case PathStage::pcie:
      return fact<pcie_and_sockets>();
    case PathStage::decode:
      return fact<cpu_decode>();
    case PathStage::workers:
      return fact<loader_workers>();
    case PathStage::process:
      return fact<loader_process>();
    case PathStage::copy:
      return fact<host_to_device_copy>();
    case PathStage::memory:
      return fact<host_memory>();
    case PathStage::gpu_decode:
      return fact<gpu_decode>();
    case PathStage::compute:
      return fact<gpu_compute>();
    case PathStage::exchange:
      return fact<gradient_exchange>();
  }
  return {};
}

}  // namespace

bool is_of_store(const Plan& plan, const PathStageLimit& stage) {
  return stage.resource && plan.resource(*stage.resource).kind == ResourceKind::array;
}

Limiter stage_name(const Plan& plan, PathStage kind) {
  if (kind != PathStage::storage) return name_of_stage(kind);
  const bool store = plan.reads_through
                         ? is_of_store(plan, stage_limits(plan, loads_of(plan)).front())
                         : plan.sources.front().kind == PartKind::store;
  return store ? fact<LimiterCode::store>() : name_of_stage(kind);
}

Limiter stage_limiter(const Plan& plan, const PathStageLimit& stage) {
  switch (stage.kind) {
    case PathStage::storage:
      return sources_of(plan, stage);
    case PathStage::decode:
      return cores_of_loaders(plan);
    case PathStage::workers:
      return workers_of(plan.loader);
    case PathStage::gpu_decode:
      return engines_of(plan.decode_engine);
    case PathStage::exchange:
      if (plan.exchange_included) return fact<LimiterCode::in_compute_rate>();
      break;
    default:
      break;
  }
  if (!stage.resource) return name_of_stage(stage.kind);
  return fact<LimiterCode::parts>(std::vector{plan.resource(*stage.resource).label});
}

}  // namespace gpufeed
