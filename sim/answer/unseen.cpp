// SPDX-License-Identifier: Apache-2.0
#include "sim/answer/unseen.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "sim/model/compute.h"
#include "sim/model/find_part.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

/// \source  MLPerf Training v0.6, ResNet-50 on 130 DGX-1 (tests/validation/cases)
constexpr std::int64_t kMostNodesSeen = 130;
/// \source  MLPerf Training v0.6, ResNet-50 on DGX-2 (tests/validation/cases)
constexpr std::int64_t kMostGpusOfNodeSeen = 16;
/// Accelerators of a host, and hosts.
/// \source  MLPerf Storage v1.0, ResNet-50 (tests/validation/cases)
constexpr std::int64_t kMostEmulatedSeen = 140;
constexpr std::int64_t kMostHostsSeen = 66;
/// Families of protocols over which measured jobs read.
/// \source  MLPerf Storage v1.0 and v3.0, gcsfuse (tests/validation/cases)
constexpr std::array<std::string_view, 5> kStoresSeen{"gcs", "lustre", "nfs", "nvme", "weka"};
/// \source  tests/validation/cases/page_cache_own.toml
constexpr Bytes kSmallestCacheSeen{262144000};
/// Linux refreshes a cgroup's counters every two seconds (physics.md, page cache).
constexpr Seconds kSteadyEpoch{4};
/// A share of the GPUs' time that matters, as how well GPUs are known to keep pace.
constexpr double kMatters = 0.05;
/// Times a measured batch: law and measurement have parted by then (physics.md, Steps).
constexpr double kFarBatch = 4;

using enum WarningCode;

/// Whether what it delivers follows from its drives and ports, and was not stated or measured.
bool from_hardware_alone(const Store& store) {
  return store.model->provenance_of("read_bandwidth").basis == Basis::estimate;
}

/// Whether no measured job read over its family of protocols.
bool is_strange(const Store& store) {
  if (!store.protocol) return false;
  const std::string& family = (*store.protocol)->family;
  return !family.empty() && !std::ranges::count(kStoresSeen, family);
}

class UnseenFinder {
 public:
  UnseenFinder(const Scenario& scenario, const Plan& plan, const Result& result)
      : scenario_(scenario), plan_(plan), result_(result) {}

  Unseen all() {
    rates();
    sizes();
    kinds();
    contention();
    store();
    cache();
    return std::move(out_);
  }

 private:
  bool trains() const { return plan_.kind == kind_of<kind::Training>; }
  bool emulates() const { return plan_.kind == kind_of<kind::Emulated>; }

  template <WarningCode code, class... Arguments>
  void say(Arguments&&... arguments) {
    out_.warnings.push_back(fact<code>(std::forward<Arguments>(arguments)...));
  }

  /// The steps of computing that no warning is alone with. What a model does not say of itself is
  /// none: most first contacts of estimated steps lacked it.
  void rates() {
    const auto* computes = scenario_.workload.find<ComputesModel>();
    if (!computes || !trains()) return;
    if (std::ranges::any_of(computes->step_lines, [](const StepLine& line) {
          return line.likeness >= Likeness::other_generation;
        }))
      out_.steps.push_back(Step::likeness);
    const auto rows = compute_rows(*computes, scenario_.system->gpus.front().model.name);
    if (rows.empty()) return;
    const auto batch = static_cast<double>(scenario_.workload.get<RunsEpochs>().batch_per_gpu);
    const double off = std::max(static_cast<double>(rows.front().batch) / batch,
                                batch / static_cast<double>(rows.back().batch));
    if (off > kFarBatch) out_.steps.push_back(Step::batch);
  }

  double largest_share(double GpuShare::*part) const {
    double most = 0;
    for (const auto& group : result_.gpus) most = std::max(most, group.share.*part);
    return most;
  }

  void sizes() {
    const std::int64_t gpus = gpus_per_node(scenario_);
    if (emulates()) {
      if (gpus > kMostEmulatedSeen) say<accelerators_of_host_unseen>(gpus, kMostEmulatedSeen);
      if (result_.nodes > kMostHostsSeen) say<hosts_unseen>(result_.nodes, kMostHostsSeen);
      return;
    }
    if (plan_.synchronous && !plan_.whole_steps && result_.nodes > kMostNodesSeen)
      say<nodes_unseen>(result_.nodes, kMostNodesSeen);
    if (trains() && result_.exchange && gpus > kMostGpusOfNodeSeen)
      say<gpus_of_node_unseen>(gpus, kMostGpusOfNodeSeen);
  }

  /// What no measured job does.
  void kinds() {
    const auto& parallel = scenario_.parallel;
    const bool whole = plan_.whole_steps;  // of which many were measured
    if (trains() && !whole && parallel && parallel->tensor * parallel->pipeline > 1)
      say<split_models_unseen>();
    if (trains() && !whole && parallel && parallel->shard != Sharding::none) say<sharding_unseen>();
    if (!plan_.synchronous) say<asynchronous_unseen>();
    // Where rates include a node's own part, what is left between nodes is called a torus.
    if (result_.exchange && plan_.algorithm == Algorithm::torus && !plan_.exchange_included)
      say<torus_unseen>();
    if (std::ranges::any_of(plan_.gpus, [](const GpuPlan& gpu) {
          return gpu.decode_in_compute.value + gpu.decode_by_engine.value > 0;
        }))
      say<gpu_decode_unseen>();
    const auto& saved = result_.checkpoint;
    if (saved && saved->count > 0 && saved->share > kMatters)
      say<checkpoint_cost_unseen>(saved->share);
  }

  void contention() {
    const auto& gpus = scenario_.system->gpus;
    if (!trains() || gpus.empty() || !gpus.front().model->collectives) return;
    const CollectiveLibrary& library = **gpus.front().model->collectives;
    if (plan_.overlap.value == 0 || library.contention.value == 0 ||
        library.provenance_of("contention").basis != Basis::estimate ||
        largest_share(&GpuShare::exchange) < kMatters)
      return;
    say<contention_estimated>(generation_or_name(gpus.front().model));
  }

  void store() {
    const Store* store = find_store(scenario_, scenario_.data.at);
    if (!store) return;
    const bool matters =
        plan_.kind == kind_of<kind::Loader> || largest_share(&GpuShare::storage) > kMatters;
    if (matters && lacks_cores(*store)) return;
    if (is_strange(*store))
      say<protocol_unseen>((*store->protocol)->family,
                           std::vector<std::string>(kStoresSeen.begin(), kStoresSeen.end()));
    else if (matters && from_hardware_alone(*store))
      out_.steps.push_back(Step::store_hardware);
  }

  /// Of a store of servers, that nobody knows what its cores can do. \return whether that was said
  bool lacks_cores(const Store& store) {
    const auto& servers = store.of_servers;
    if (!servers || servers->read_core_s_per_GB) return false;
    if (servers->software.empty())
      say<software_of_store_unknown>(servers->name);
    else
      say<cores_of_store_unknown>(servers->name, servers->software);
    return true;
  }

  void cache() {
    const CacheUse& cache = result_.cache;
    if (cache.memory_B > 0 && cache.memory_B < kSmallestCacheSeen.value &&
        cache.share_of_data < 1 && cache.hit_rate > kMatters)
      say<small_cache_unseen>(Bytes{cache.memory_B}, kSmallestCacheSeen);
    if (scenario_.loader.cache_limit == CacheLimit::cgroup && cache.share_of_data < 1 &&
        cache.hit_rate > kMatters && result_.epoch_s > 0 && result_.epoch_s < kSteadyEpoch.value)
      say<cgroup_cache_by_chance>(Seconds{result_.epoch_s});
  }

  const Scenario& scenario_;
  const Plan& plan_;
  const Result& result_;
  Unseen out_;
};

}  // namespace

Unseen what_no_job_showed(const Scenario& scenario, const Plan& plan, const Result& result) {
  return UnseenFinder(scenario, plan, result).all();
}

Steps steps_of_store(const Store& store) {
  Steps out;
  if (is_strange(store))
    out.push_back(Step::store);
  else if (from_hardware_alone(store))
    out.push_back(Step::store_hardware);
  return out;
}

}  // namespace gpufeed
