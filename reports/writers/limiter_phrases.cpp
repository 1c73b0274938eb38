// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/phrase.h"
#include "reports/writers/phrase_book.h"

namespace gpufeed {

template <>
struct Phrases<LimiterCode> {
  using enum LimiterCode;
  using Row = Phrase<LimiterCode>;
  static constexpr std::array all{
      Row{drives, "drives"},
      Row{store, "store"},
      Row{network, "network"},
      Row{pcie_and_sockets, "PCIe and sockets"},
      Row{cpu_decode, "CPU decode"},
      Row{loader_workers, "loader workers"},
      Row{loader_process, "loader process"},
      Row{host_to_device_copy, "host-to-device copy"},
      Row{host_memory, "host memory"},
      Row{gpu_decode, "GPU decode"},
      Row{gpu_compute, "GPU compute"},
      Row{gradient_exchange, "gradient exchange"},
      Row{checkpoints, "checkpoints"},
      Row{start_of_epochs, "start of epochs"},
      Row{decode_cores, "decode cores"},
      Row{compute_and_exchange, "GPU compute and gradient exchange"},
      Row{decode_and_compute, "GPU decode and compute"},
      Row{decode_compute_and_exchange, "GPU decode, compute and gradient exchange"},
      Row{slowest_compute, "the slowest GPU's compute"},
      Row{before_step, "what comes before each step"},
      Row{parts, "{parts}"},
      Row{storage_parts, "{parts} ({limit})"},
      Row{cores, "{cores:core|cores}"},
      Row{cores_with_smt, "{cores:core|cores} with SMT"},
      Row{process_of_gpu, "the own process of each GPU"},
      Row{workers_of_gpu, "{workers:loader worker|loader workers} per GPU"},
      Row{threads_of_batches, "{threads:thread|threads} x {batches:batch|batches} per GPU"},
      Row{threads_and_readers_of_batches,
          "{threads:thread|threads}, {readers:reader|readers} x {batches:batch|batches} per GPU"},
      Row{gpu_processors, "GPU processors"},
      Row{nvjpg_engines, "NVJPG engines"},
      Row{nvdec_engines, "NVDEC engines"},
      Row{in_compute_rate, "included in the compute rate"},
      Row{storage_latency, "storage latency"},
      Row{pcie, "PCIe"},
      Row{socket_links, "socket links"},
      Row{memory, "memory"},
      Row{nvlink, "NVLink"},
      Row{staged_copies, "staged copies"},
      Row{exchange_latency, "exchange latency"},
      Row{cpu_cores, "cores"},
      Row{core_speed, "core speed"},
      Row{requests_under_way, "requests under way"},
      Row{gpu_links, "links between GPUs"},
      Row{starting, "starting"},
      Row{computing, "computing"},
      Row{quantizing, "quantizing"},
      Row{saving_of_rank, "writing in each rank"},
      Row{loading_of_rank, "reading in each rank"},
      Row{copying_through_host_memory, "copying through host memory"},
      Row{half_after_half, "one half of its way after the other"},
      Row{forwarding, "storing and forwarding in {gpu}"},
      Row{core_copies, "what one core copies"},
      Row{thread_reads, "what one thread reads"},
      Row{given_rate, "its own rate"},
      Row{servers, "its {servers} servers"},
      Row{given_copy_rate, "the copy rate given"},
      Row{step, "{step}: {parts}"},
      Row{step_at_given_rate, "{step}: its own rate"},
      Row{step_by_servers, "{step}: its {servers} servers"},
      Row{step_at_given_copy_rate, "{step}: the copy rate given"},
      Row{step_products, "matrix products"},
      Row{step_attention, "attention"},
      Row{step_passes, "norms, activations and sums in memory"},
      Row{step_quantizing, "quantizing"},
      Row{step_recompute, "computing again"},
      Row{step_head, "output and loss"},
      Row{step_host, "host, starting kernels"},
      Row{step_tensor, "all-reduce of activations (tensor)"},
      Row{step_experts, "all-to-all of tokens (expert)"},
      Row{step_context, "gather of keys and values (context)"},
      Row{step_parameters, "gather of parameters, scatter of gradients (shard)"},
      Row{step_stages, "activations to the next stage"},
      Row{step_bubble, "pipeline bubble"},
      Row{step_gradients, "gradients of replicas"},
      Row{step_optimizer, "optimizer"}};
};
static_assert(is_complete<LimiterCode>());

std::string sentence(const Limiter& limiter) { return sentence_of(limiter); }

}  // namespace gpufeed
