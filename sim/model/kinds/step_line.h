// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.h"
#include "sim/model/fields/field.h"
#include "sim/model/fields/generation.h"

namespace gpufeed {

/// Which measured rates may be used. other_networks: as if nobody had measured this network or one
/// of its family (resnet-50 and resnet-152). other_gpus: as if nobody had measured anything on the
/// machine's GPUs, or on others with the same chip.
enum class LearnFrom { all, other_networks, other_gpus };
template <>
struct EnumNames<LearnFrom> {
  static constexpr std::array<std::string_view, 3> names{"all", "other-networks", "other-gpus"};
};

/// How near what an estimate was learned from is to what is estimated. facts_missing: as near, but
/// the model does not say all that a step depends on. other_generation: no GPU of this one's
/// generation was measured in the format. unlike: nor one of its maker, or no network of this one's
/// class.
enum class Likeness { alike, facts_missing, other_generation, unlike };

/// What a decoder has that no measured step had.
enum class UnseenStep { experts, windows, tensor_over_nodes, long_context, lora, optimizer };
template <>
struct EnumNames<UnseenStep> {
  static constexpr std::array<std::string_view, 6> names{
      "experts", "windows", "tensor-over-nodes", "long-context", "lora", "optimizer"};
};

/// In what an estimate is beyond what estimates were seen for: its network, or the generation of
/// its GPU.
enum class Beyond {
  class_unmeasured,
  class_unknown,
  activations_unknown,
  depthwise_unknown,
  generation_unknown,
  generation_unmeasured,
  maker_unmeasured
};
template <>
struct EnumNames<Beyond> {
  static constexpr auto names =
      words_of<Beyond>({{Beyond::class_unmeasured, "class-unmeasured"},
                        {Beyond::class_unknown, "class-unknown"},
                        {Beyond::activations_unknown, "activations-unknown"},
                        {Beyond::depthwise_unknown, "depthwise-unknown"},
                        {Beyond::generation_unknown, "generation-unknown"},
                        {Beyond::generation_unmeasured, "generation-unmeasured"},
                        {Beyond::maker_unmeasured, "maker-unmeasured"}});
};

/// Time of a training step of one GPU over the batch b: start + b x per_sample.
struct StepLine {
  std::string gpu;
  Seconds start;
  Seconds per_sample;
  std::string source;                         ///< what it was learned from
  std::vector<Beyond> beyond = {};            ///< none: estimates were seen for it
  std::optional<Generation> generation = {};  ///< of the GPU, where that is beyond
  Likeness likeness = Likeness::alike;
  /// Whether `start` is all of a step of this scenario, what its GPUs exchange in it included.
  bool whole_step = false;
  std::vector<UnseenStep> unseen = {};  ///< of a whole step
};

}  // namespace gpufeed
