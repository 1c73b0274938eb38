// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sim/model/facts/fact.h"

namespace gpufeed {

/// What holds a job, or a part of it, back: a stage of the way of its data, what sets the rate of
/// one, a resource that there could be more of, or a time in which GPUs stand still.
enum class LimiterCode : std::uint8_t {
  // stages of training
  drives,
  store,
  network,
  pcie_and_sockets,
  cpu_decode,
  loader_workers,
  loader_process,
  host_to_device_copy,
  host_memory,
  gpu_decode,
  gpu_compute,
  gradient_exchange,
  // times
  checkpoints,
  start_of_epochs,
  // what sets a stage
  parts,
  storage_parts,
  cores,
  cores_with_smt,
  process_of_gpu,
  workers_of_gpu,
  threads_of_batches,
  threads_and_readers_of_batches,
  gpu_processors,
  nvjpg_engines,
  nvdec_engines,
  in_compute_rate,
  // resources beside stages
  storage_latency,
  pcie,
  socket_links,
  memory,
  nvlink,
  staged_copies,
  exchange_latency,
  cpu_cores,
  core_speed,
  // of work that trains nothing
  requests_under_way,
  gpu_links,
  starting,
  computing,
  quantizing,
  saving_of_rank,
  loading_of_rank,
  // what sets the rate of a copy
  copying_through_host_memory,
  half_after_half,
  forwarding,
  core_copies,
  thread_reads,
  // what sets a step of a pipeline
  given_rate,
  servers,
  given_copy_rate,
  step,
  step_at_given_rate,
  step_by_servers,
  step_at_given_copy_rate,
  // parts of a decoder's step, in the order of StepPart
  step_products,
  step_attention,
  step_passes,
  step_quantizing,
  step_recompute,
  step_head,
  step_host,
  step_tensor,
  step_experts,
  step_context,
  step_parameters,
  step_stages,
  step_bubble,
  step_gradients,
  step_optimizer
};

template <>
struct FactForms<LimiterCode> {
  using enum LimiterCode;
  using Form = FactForm<LimiterCode>;
  static constexpr std::array all{
      Form{drives, "drives"},
      Form{store, "store"},
      Form{network, "network"},
      Form{pcie_and_sockets, "pcie_and_sockets"},
      Form{cpu_decode, "cpu_decode"},
      Form{loader_workers, "loader_workers"},
      Form{loader_process, "loader_process"},
      Form{host_to_device_copy, "host_to_device_copy"},
      Form{host_memory, "host_memory"},
      Form{gpu_decode, "gpu_decode"},
      Form{gpu_compute, "gpu_compute"},
      Form{gradient_exchange, "gradient_exchange"},
      Form{checkpoints, "checkpoints"},
      Form{start_of_epochs, "start_of_epochs"},
      Form{parts, "parts", {"parts"}},
      Form{storage_parts, "storage_parts", {"parts", "limit"}},
      Form{cores, "cores", {"cores"}},
      Form{cores_with_smt, "cores_with_smt", {"cores"}},
      Form{process_of_gpu, "process_of_gpu"},
      Form{workers_of_gpu, "workers_of_gpu", {"workers"}},
      Form{threads_of_batches, "threads_of_batches", {"threads", "batches"}},
      Form{threads_and_readers_of_batches,
           "threads_and_readers_of_batches",
           {"threads", "readers", "batches"}},
      Form{gpu_processors, "gpu_processors"},
      Form{nvjpg_engines, "nvjpg_engines"},
      Form{nvdec_engines, "nvdec_engines"},
      Form{in_compute_rate, "in_compute_rate"},
      Form{storage_latency, "storage_latency"},
      Form{pcie, "pcie"},
      Form{socket_links, "socket_links"},
      Form{memory, "memory"},
      Form{nvlink, "nvlink"},
      Form{staged_copies, "staged_copies"},
      Form{exchange_latency, "exchange_latency"},
      Form{cpu_cores, "cpu_cores"},
      Form{core_speed, "core_speed"},
      Form{requests_under_way, "requests_under_way"},
      Form{gpu_links, "gpu_links"},
      Form{starting, "starting"},
      Form{computing, "computing"},
      Form{quantizing, "quantizing"},
      Form{saving_of_rank, "saving_of_rank"},
      Form{loading_of_rank, "loading_of_rank"},
      Form{copying_through_host_memory, "copying_through_host_memory"},
      Form{half_after_half, "half_after_half"},
      Form{forwarding, "forwarding", {"gpu"}},
      Form{core_copies, "core_copies"},
      Form{thread_reads, "thread_reads"},
      Form{given_rate, "given_rate"},
      Form{servers, "servers", {"servers"}},
      Form{given_copy_rate, "given_copy_rate"},
      Form{step, "step", {"step", "parts"}},
      Form{step_at_given_rate, "step_at_given_rate", {"step"}},
      Form{step_by_servers, "step_by_servers", {"step", "servers"}},
      Form{step_at_given_copy_rate, "step_at_given_copy_rate", {"step"}},
      Form{step_products, "step_products"},
      Form{step_attention, "step_attention"},
      Form{step_passes, "step_passes"},
      Form{step_quantizing, "step_quantizing"},
      Form{step_recompute, "step_recompute"},
      Form{step_head, "step_head"},
      Form{step_host, "step_host"},
      Form{step_tensor, "step_tensor"},
      Form{step_experts, "step_experts"},
      Form{step_context, "step_context"},
      Form{step_parameters, "step_parameters"},
      Form{step_stages, "step_stages"},
      Form{step_bubble, "step_bubble"},
      Form{step_gradients, "step_gradients"},
      Form{step_optimizer, "step_optimizer"}};
};
static_assert(has_all(FactForms<LimiterCode>::all, LimiterCode::step_optimizer));
static_assert(units_fit(FactForms<LimiterCode>::all));
using Limiter = Fact<LimiterCode>;

}  // namespace gpufeed
