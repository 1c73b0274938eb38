// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sim/model/facts/warnings.h"
#include "sim/model/fields/mechanism.h"

namespace gpufeed {

/// The step by which what a warning says widens the prediction interval; of warnings that say
/// nothing of what was measured none. A new code does not compile before it stands here.
constexpr std::optional<Step> step_of(WarningCode code) {
  switch (code) {
    using enum WarningCode;
    case rate_of_other_batch:
    case rate_of_other_batch_by_line:
      return Step::batch;
    case accelerators_of_host_unseen:
    case hosts_unseen:
    case nodes_unseen:
    case gpus_of_node_unseen:
    case checkpointing_hosts_unseen:
    case collectives_unseen_gpus_per_node:
    case collectives_unseen_size:
    case products_too_large:
    case products_of_unseen_shape:
      return Step::size;
    case step_unseen:
    case collectives_unseen_on_generation:
      return Step::likeness;
    case split_models_unseen:
    case sharding_unseen:
      return Step::split;
    case serving_unseen:
    case pipeline_unseen:
    case collectives_between_nodes_by_library:
    case collectives_between_nodes_by_links:
    case collectives_unseen_over_pcie:
    case asynchronous_unseen:
    case torus_unseen:
    case gpu_decode_unseen:
      return Step::way;
    case protocol_unseen:
    case software_of_store_unknown:
    case cores_of_store_unknown:
      return Step::store;
    case small_cache_unseen:
    case cgroup_cache_by_chance:
      return Step::cache;
    case checkpoint_cost_unseen:
      return Step::checkpoints;
    case contention_estimated:
      return Step::contention;
    case collectives_unseen_without_library:
    case products_of_unseen_precision:
      return Step::format;
    case system_doubt:
    case leaf_switch_too_large:
    case huge_pages_without_effect:
    case rate_estimated:         // a mechanism of its own
    case rate_estimated_beyond:  // its likeness stands in the line of the step
    case forward_by_two_batches:
    case forward_by_line:
    case forward_in_proportion:
    case forward_with_exchange:
    case replay_keeps_by_lru:
    case replay_write_latency_unknown:
    case replay_without_parity_reads:
    case queue_depth_without_effect:
    case queue_depth_of_client:
    case drive_figure_unknown:
    case store_write_figures_unknown:
    case copies_by_host_memory:
    case drives_halved:
    case no_checkpoint:
    case target_of_synchronous_training:
    case stopped_early:
    case stopped_too_early_to_tell:
    case gpu_memory_short:
    case gpu_memory_short_but_with:
    case samples_shorter_than_sequence:
    case samples_longer_than_sequence:
      return {};
  }
  return {};
}

}  // namespace gpufeed
