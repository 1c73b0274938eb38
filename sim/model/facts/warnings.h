// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sim/model/facts/fact.h"

namespace gpufeed {

/// What the reader of a result must know. A new one is a line in both lists here, a phrase in
/// reports/writers/warning_phrases.cpp, a case in sim/range/widening.h, and the place that raises
/// it.
enum class WarningCode : std::uint8_t {
  system_doubt,
  leaf_switch_too_large,
  huge_pages_without_effect,
  rate_estimated,
  rate_estimated_beyond,
  step_unseen,
  rate_of_other_batch,
  rate_of_other_batch_by_line,
  forward_by_two_batches,
  forward_by_line,
  forward_in_proportion,
  forward_with_exchange,
  serving_unseen,
  pipeline_unseen,
  collectives_between_nodes_by_library,
  collectives_between_nodes_by_links,
  collectives_unseen_over_pcie,
  collectives_unseen_without_library,
  collectives_unseen_on_generation,
  collectives_unseen_gpus_per_node,
  collectives_unseen_size,
  products_too_large,
  products_of_unseen_shape,
  products_of_unseen_precision,
  replay_keeps_by_lru,
  replay_write_latency_unknown,
  replay_without_parity_reads,
  queue_depth_without_effect,
  queue_depth_of_client,
  drive_figure_unknown,
  store_write_figures_unknown,
  copies_by_host_memory,
  drives_halved,
  checkpointing_hosts_unseen,
  no_checkpoint,
  target_of_synchronous_training,
  stopped_early,
  stopped_too_early_to_tell,
  accelerators_of_host_unseen,
  hosts_unseen,
  nodes_unseen,
  gpus_of_node_unseen,
  split_models_unseen,
  sharding_unseen,
  asynchronous_unseen,
  torus_unseen,
  gpu_decode_unseen,
  checkpoint_cost_unseen,
  contention_estimated,
  protocol_unseen,
  software_of_store_unknown,
  cores_of_store_unknown,
  small_cache_unseen,
  cgroup_cache_by_chance,
  gpu_memory_short,
  gpu_memory_short_but_with,
  samples_shorter_than_sequence,
  samples_longer_than_sequence
};

template <>
struct FactForms<WarningCode> {
  using enum WarningCode;
  using enum FactUnit;
  using Form = FactForm<WarningCode>;
  static constexpr std::array all{
      Form{system_doubt, "system_doubt", {"doubt"}},
      Form{leaf_switch_too_large,
           "leaf_switch_too_large",
           {"ports", Argument{"bandwidth_bps", bits_per_s}, "most_ports",
            Argument{"most_bps", bits_per_s}}},
      Form{huge_pages_without_effect, "huge_pages_without_effect", {"place"}},
      Form{rate_estimated, "rate_estimated", {"model", "gpu", "precision", "source"}},
      Form{rate_estimated_beyond,
           "rate_estimated_beyond",
           {"model", "gpu", "precision", "source", "beyond", "class", "generation", "maker"}},
      Form{step_unseen, "step_unseen", {"outside"}},
      Form{rate_of_other_batch, "rate_of_other_batch", {"gpu", "batch", "known_batch"}},
      Form{rate_of_other_batch_by_line,
           "rate_of_other_batch_by_line",
           {"gpu", "batch", "known_batch", "source"}},
      Form{forward_by_two_batches, "forward_by_two_batches", {"gpu", "known_batch"}},
      Form{forward_by_line, "forward_by_line", {"gpu", "known_batch", "source"}},
      Form{forward_in_proportion, "forward_in_proportion", {"gpu", "known_batch"}},
      Form{forward_with_exchange, "forward_with_exchange", {"gpu"}},
      Form{serving_unseen, "serving_unseen"},
      Form{pipeline_unseen, "pipeline_unseen"},
      Form{collectives_between_nodes_by_library, "collectives_between_nodes_by_library"},
      Form{collectives_between_nodes_by_links, "collectives_between_nodes_by_links"},
      Form{collectives_unseen_over_pcie, "collectives_unseen_over_pcie"},
      Form{collectives_unseen_without_library, "collectives_unseen_without_library"},
      Form{collectives_unseen_on_generation, "collectives_unseen_on_generation", {"generation"}},
      Form{collectives_unseen_gpus_per_node, "collectives_unseen_gpus_per_node", {"gpus"}},
      Form{collectives_unseen_size, "collectives_unseen_size", {Argument{"most_B", bytes}}},
      Form{products_too_large, "products_too_large"},
      Form{products_of_unseen_shape, "products_of_unseen_shape"},
      Form{products_of_unseen_precision, "products_of_unseen_precision", {"precision"}},
      Form{replay_keeps_by_lru, "replay_keeps_by_lru"},
      Form{replay_write_latency_unknown, "replay_write_latency_unknown", {"store"}},
      Form{replay_without_parity_reads, "replay_without_parity_reads"},
      Form{queue_depth_without_effect, "queue_depth_without_effect", {"queue_depth"}},
      Form{queue_depth_of_client, "queue_depth_of_client", {"queue_depth", "protocol"}},
      Form{drive_figure_unknown, "drive_figure_unknown", {"key", "drive", "instead"}},
      Form{store_write_figures_unknown, "store_write_figures_unknown", {"store"}},
      Form{copies_by_host_memory, "copies_by_host_memory"},
      Form{drives_halved, "drives_halved"},
      Form{checkpointing_hosts_unseen, "checkpointing_hosts_unseen", {"hosts", "most"}},
      Form{no_checkpoint, "no_checkpoint", {"steps"}},
      Form{target_of_synchronous_training, "target_of_synchronous_training"},
      Form{stopped_early, "stopped_early", {"steps", "precision", "uncertainty"}},
      Form{stopped_too_early_to_tell, "stopped_too_early_to_tell", {"steps", "precision"}},
      Form{accelerators_of_host_unseen, "accelerators_of_host_unseen", {"accelerators", "most"}},
      Form{hosts_unseen, "hosts_unseen", {"hosts", "most"}},
      Form{nodes_unseen, "nodes_unseen", {"nodes", "most"}},
      Form{gpus_of_node_unseen, "gpus_of_node_unseen", {"gpus", "most"}},
      Form{split_models_unseen, "split_models_unseen"},
      Form{sharding_unseen, "sharding_unseen"},
      Form{asynchronous_unseen, "asynchronous_unseen"},
      Form{torus_unseen, "torus_unseen"},
      Form{gpu_decode_unseen, "gpu_decode_unseen"},
      Form{checkpoint_cost_unseen, "checkpoint_cost_unseen", {"share"}},
      Form{contention_estimated, "contention_estimated", {"generation"}},
      Form{protocol_unseen, "protocol_unseen", {"family", "seen"}},
      Form{software_of_store_unknown, "software_of_store_unknown", {"store"}},
      Form{cores_of_store_unknown, "cores_of_store_unknown", {"store", "software"}},
      Form{small_cache_unseen,
           "small_cache_unseen",
           {Argument{"memory_B", bytes}, Argument{"least_B", bytes}}},
      Form{cgroup_cache_by_chance, "cgroup_cache_by_chance", {Argument{"epoch_s", seconds}}},
      Form{gpu_memory_short,
           "gpu_memory_short",
           {Argument{"typical_B", bytes}, Argument{"memory_B", bytes}}},
      Form{gpu_memory_short_but_with,
           "gpu_memory_short_but_with",
           {Argument{"typical_B", bytes}, Argument{"memory_B", bytes}, "settings"}},
      Form{samples_shorter_than_sequence,
           "samples_shorter_than_sequence",
           {"dataset", "tokens", "sequence", "filling"}},
      Form{samples_longer_than_sequence,
           "samples_longer_than_sequence",
           {"dataset", "tokens", "sequence"}}};
};
static_assert(has_all(FactForms<WarningCode>::all, WarningCode::samples_longer_than_sequence));
static_assert(units_fit(FactForms<WarningCode>::all));
using Warning = Fact<WarningCode>;

/// What is taken where the scenario does not say it.
enum class AssumptionCode : std::uint8_t { no_framework, no_framework_but_jitter };
template <>
struct FactForms<AssumptionCode> {
  using enum AssumptionCode;
  using Form = FactForm<AssumptionCode>;
  static constexpr std::array all{
      Form{no_framework, "no_framework", {"usual", "gain"}},
      Form{no_framework_but_jitter, "no_framework_but_jitter", {"usual", "gain"}}};
};
static_assert(has_all(FactForms<AssumptionCode>::all, AssumptionCode::no_framework_but_jitter));
static_assert(units_fit(FactForms<AssumptionCode>::all));
using Assumption = Fact<AssumptionCode>;

}  // namespace gpufeed
