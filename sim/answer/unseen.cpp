// SPDX-License-Identifier: Apache-2.0
#include "sim/answer/unseen.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

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
/// \source  MLPerf Storage v1.0 and v3.0 (tests/validation/cases)
constexpr std::array<std::string_view, 4> kStoresSeen{"lustre", "nfs", "nvme", "weka"};
/// \source  tests/validation/cases/page_cache_own.toml
constexpr Bytes kSmallestCacheSeen{262144000};
/// Linux refreshes a cgroup's counters every two seconds (physics.md, page cache).
constexpr Seconds kSteadyEpoch{4};
/// A share of the GPUs' time that matters, as how well GPUs are known to keep pace.
constexpr double kMatters = 0.05;

class Unseen {
 public:
  Unseen(const Scenario& scenario, const Plan& plan, const Result& result)
      : scenario_(scenario), plan_(plan), result_(result) {}

  std::vector<std::string> all() {
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

  template <class... Args>
  void say(fmt::format_string<Args...> text, Args&&... args) {
    out_.push_back(fmt::format(text, std::forward<Args>(args)...));
  }

  double largest_share(double GpuShare::*part) const {
    double most = 0;
    for (const auto& group : result_.gpus) most = std::max(most, group.share.*part);
    return most;
  }

  void sizes() {
    const std::int64_t gpus = gpus_per_node(scenario_);
    if (emulates()) {
      if (gpus > kMostEmulatedSeen)
        say("{} accelerators on a host are outside what was seen: measured hosts have at most {}",
            gpus, kMostEmulatedSeen);
      if (result_.nodes > kMostHostsSeen)
        say("{} hosts with accelerators are outside what was seen: measured are at most {}",
            result_.nodes, kMostHostsSeen);
      return;
    }
    if (plan_.synchronous && result_.nodes > kMostNodesSeen)
      say("{} nodes that wait for one another are outside what was seen: rows measured on several "
          "nodes have at most {}",
          result_.nodes, kMostNodesSeen);
    if (trains() && result_.exchange && gpus > kMostGpusOfNodeSeen)
      say("{} GPUs in a node are outside what was seen: measured nodes have at most {}", gpus,
          kMostGpusOfNodeSeen);
  }

  /// What no measured job does, in one sentence.
  void kinds() {
    std::vector<std::string> what;
    const auto& parallel = scenario_.parallel;
    if (trains() && parallel && parallel->tensor * parallel->pipeline > 1)
      what.emplace_back("models split over GPUs");
    if (trains() && parallel && parallel->shard != Sharding::none)
      what.emplace_back("replicas that share what they hold");
    if (!plan_.synchronous) what.emplace_back("GPUs that do not wait for one another");
    // Where rates include a node's own part, what is left between nodes is called a torus.
    if (result_.exchange && plan_.algorithm == Algorithm::torus && !plan_.exchange_included)
      what.emplace_back("gradients summed by torus");
    if (std::ranges::any_of(plan_.gpus, [](const GpuPlan& gpu) {
          return gpu.decode_in_compute.value + gpu.decode_by_engine.value > 0;
        }))
      what.emplace_back("decoding on GPUs");
    if (result_.checkpoint && result_.checkpoint->count > 0 && result_.checkpoint->share > kMatters)
      what.emplace_back("what checkpoints cost");
    if (!what.empty())
      say("outside what was seen, for no job with it was measured: {}", fmt::join(what, "; "));
  }

  void contention() {
    const auto& gpus = scenario_.system->gpus;
    if (!trains() || gpus.empty() || !gpus.front().model->collectives) return;
    const CollectiveLibrary& library = **gpus.front().model->collectives;
    if (plan_.overlap.value == 0 || library.contention.value == 0 ||
        library.provenance_of("contention").basis != Basis::estimate ||
        largest_share(&GpuShare::exchange) < kMatters)
      return;
    say("sums of gradients beside computing are outside what was seen on {}: that they hold it up "
        "as on older GPUs is an estimate",
        gpus.front().model->generation.value_or(gpus.front().model.name));
  }

  void store() {
    const Store* store = find_store(scenario_, scenario_.data.at);
    if (!store || !store->protocol) return;
    const std::string& family = (*store->protocol)->family;
    if (!family.empty() && !std::ranges::count(kStoresSeen, family))
      say("a store read over {} is outside what was seen: measured jobs read over {}", family,
          fmt::join(kStoresSeen, ", "));
  }

  void cache() {
    const CacheUse& cache = result_.cache;
    if (cache.memory_B > 0 && cache.memory_B < kSmallestCacheSeen.value &&
        cache.share_of_data < 1 && cache.hit_rate > kMatters)
      say("a page cache of {} is outside what was seen (250 MiB and more): it may keep more",
          text(Bytes{cache.memory_B}, 3));
    if (scenario_.loader.cache_limit == CacheLimit::cgroup && cache.share_of_data < 1 &&
        cache.hit_rate > kMatters && result_.epoch_s > 0 && result_.epoch_s < kSteadyEpoch.value)
      say("what a cgroup's page cache keeps in epochs of {} is up to twice as much, by chance: "
          "Linux "
          "frees it by counters of up to 2 s ago",
          text(Seconds{result_.epoch_s}, 2));
  }

  const Scenario& scenario_;
  const Plan& plan_;
  const Result& result_;
  std::vector<std::string> out_;
};

}  // namespace

std::vector<std::string> what_no_job_showed(const Scenario& scenario, const Plan& plan,
                                            const Result& result) {
  return Unseen(scenario, plan, result).all();
}

}  // namespace gpufeed
