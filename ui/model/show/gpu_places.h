// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/model/result/result.h"

namespace gpufeed {
struct Scenario;
}

namespace gpufeed::ui {

/// What of a language model a GPU has, each from 0.
struct GpuPlace {
  std::int64_t node = 0;
  std::int64_t tensor = 0;   ///< which part of every matrix
  std::int64_t context = 0;  ///< which part of a sample's tokens
  std::int64_t expert = 0;   ///< which part of the experts
  std::int64_t replica = 0;  ///< which samples
  std::int64_t stage = 0;    ///< which layers
  bool operator==(const GpuPlace&) const = default;
};

/// How a language model lies over its GPUs.
struct GpuPlaces {
  std::vector<GpuPlace> gpus;       ///< in the order of ranks, node after node
  std::int64_t of_node = 0;         ///< GPUs of a machine
  std::int64_t tensor = 1;          ///< neighbors that share every matrix
  std::int64_t stages = 1;          ///< of the pipeline
  std::int64_t replicas = 1;        ///< of the model
  std::vector<std::string> groups;  ///< "2 GPUs share every matrix, within a machine"
};

/// Tensor groups are neighbors; what shares the tokens of a sample comes next, then replicas, then
/// stages, as the step of a decoder counts them (sim/model/transformer). Nothing where the job is
/// no language model by its architecture.
GpuPlaces gpu_places(const Result& result, const Scenario& scenario);

}  // namespace gpufeed::ui
