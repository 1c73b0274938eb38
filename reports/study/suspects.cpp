// SPDX-License-Identifier: Apache-2.0
#include "reports/study/suspects.h"

#include <algorithm>
#include <array>
#include <optional>

#include "sim/base/join_ids.h"
#include "sim/base/labels/label_text.h"
#include "sim/kinds/training/training.h"
#include "sim/plan/make/make_plan.h"

namespace gpufeed {
namespace {

/// How a lever may be off on a real machine. Bounds are our judgment of what happens: a link
/// trained at a quarter of its lanes, a port at a tenth of its rate, a container with a twentieth
/// of the cores, a store that twenty others use; and the other way what data sheets understate.
struct Doubt {
  Lever lever;
  std::string_view name;
  double least, most;
  std::string_view check;
};

constexpr std::array kDoubts{
    Doubt{Lever::storage, "what storage delivers", 0.05, 2,
          "read the data set's own files with fio or elbencho, from all nodes at the same time and "
          "with as many readers as there are loader workers"},
    Doubt{Lever::storage_latency, "how soon storage answers (1 over its latency)", 0.02, 3,
          "r_await of iostat -x, or avg RTT of nfsiostat, during training"},
    Doubt{Lever::network, "what network ports carry", 0.1, 1.2,
          "ethtool or ibstat for each port's speed, then iperf3 or ib_write_bw between all nodes "
          "and the store at the same time"},
    Doubt{Lever::pcie, "what PCIe links carry", 0.2, 1.1,
          "lspci -vv: LnkSta beside LnkCap; nvbandwidth for the GPUs"},
    Doubt{Lever::socket_link, "what the links between sockets carry", 0.2, 1.3,
          "numastat -p of the loaders, and training once under numactl beside the GPUs"},
    Doubt{Lever::memory, "what host memory delivers", 0.2, 1.3,
          "STREAM on all cores; dmidecode -t memory for channels without a module"},
    Doubt{Lever::nvlink, "what NVLink carries", 0.05, 1.3,
          "all_reduce_perf of nccl-tests; NCCL_DEBUG=INFO says which way is taken"},
    Doubt{Lever::staged_copies, "what copies between GPUs through host memory attain", 0.2, 1.5,
          "p2pBandwidthLatencyTest of the CUDA samples, and all_reduce_perf of nccl-tests, beside "
          "the same with the GPUs of one socket"},
    Doubt{Lever::exchange_latency, "how soon an exchange of gradients begins (1 over its latency)",
          0.05, 2, "all_reduce_perf -b 8 -e 8K of nccl-tests: the time of the smallest sizes"},
    Doubt{Lever::cores, "how many cores the loaders have", 0.03, 1.5,
          "nproc within the job; cpu.max and cpuset of its cgroup; other programs in top"},
    Doubt{Lever::core_speed, "how fast a core decodes and augments", 0.1, 3,
          "time the transforms of one worker alone over a thousand samples"},
    Doubt{Lever::workers, "how many batches are made at the same time", 0.05, 4,
          "num_workers or num_threads of the loader as it runs: py-spy dump, or ps"},
    Doubt{Lever::process, "how fast a process takes batches over from its workers", 0.1, 4,
          "py-spy top of the training process: time in the thread that pins memory or collates"},
    Doubt{
        Lever::gpu_decode, "how fast the GPUs decode", 0.2, 2,
        "nvidia-smi dmon -s u: the columns dec and jpg during training; progressive JPEGs go past "
        "the engines"},
    Doubt{Lever::compute, "how fast a GPU computes", 0.2, 2,
          "train on one batch that stays on the GPU: the rate without any loading; nvidia-smi -q "
          "-d PERFORMANCE for throttling"}};

std::string parts_in_words(const Doubt& doubt, const Plan& plan) {
  if (doubt.lever == Lever::storage) return join_ids(texts_of(plan.graph.labels_of(plan.sources)));
  const auto busiest = busiest_of(doubt.lever, plan);
  return busiest ? text_of(plan.resource(*busiest).label) : "";
}

/// Less of the page cache than the machine's memory would leave it.
std::optional<Suspect> cache_doubt(const Scenario& scenario, const Plan& plan) {
  if (plan.cache.value <= 0 || plan.hit_rate() <= 0) return {};
  return Suspect{"how much the page cache keeps",
                 "",
                 0.01,
                 2,
                 "free -h during training: buff/cache; memory.max of the job's cgroup; fincore "
                 "on some files",
                 [&scenario, cache = plan.cache](double factor) {
                   Scenario other = scenario;
                   other.loader.cache_memory = cache * factor;
                   return simulate_shifted(other, {});
                 }};
}

}  // namespace

std::vector<Suspect> suspects_of(const Scenario& scenario) {
  const Plan plan = make_plan(scenario);
  const std::vector<Lever> used = levers_of(plan);
  std::vector<Suspect> suspects;
  for (const Doubt& doubt : kDoubts)
    if (std::ranges::count(used, doubt.lever))
      suspects.push_back({std::string(doubt.name), parts_in_words(doubt, plan), doubt.least,
                          doubt.most, std::string(doubt.check),
                          [&scenario, lever = doubt.lever](double factor) {
                            return simulate_shifted(scenario, {{lever, factor}});
                          }});
  if (auto cache = cache_doubt(scenario, plan)) suspects.push_back(std::move(*cache));
  return suspects;
}

}  // namespace gpufeed
