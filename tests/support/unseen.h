// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include "sim/model/result/result.h"

/// Those warnings of a result that say that no measurement is like it.
inline std::vector<gpufeed::Warning> unseen_in(const gpufeed::Result& result) {
  using enum gpufeed::WarningCode;
  constexpr std::array kUnseen{
      accelerators_of_host_unseen,
      asynchronous_unseen,
      checkpoint_cost_unseen,
      checkpointing_hosts_unseen,
      collectives_between_nodes_by_library,
      collectives_between_nodes_by_links,
      collectives_unseen_gpus_per_node,
      collectives_unseen_on_generation,
      collectives_unseen_over_pcie,
      collectives_unseen_size,
      collectives_unseen_without_library,
      contention_estimated,
      cores_of_store_unknown,
      gpu_decode_unseen,
      gpus_of_node_unseen,
      hosts_unseen,
      nodes_unseen,
      pipeline_unseen,
      products_of_unseen_precision,
      products_of_unseen_shape,
      products_too_large,
      protocol_unseen,
      serving_unseen,
      sharding_unseen,
      small_cache_unseen,
      software_of_store_unknown,
      split_models_unseen,
      torus_unseen,
  };
  std::vector<gpufeed::Warning> out;
  std::ranges::copy_if(result.warnings, std::back_inserter(out), [&](const auto& warning) {
    return std::ranges::count(kUnseen, warning.code) > 0;
  });
  return out;
}
