// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/model/facts/layouts.h"
#include "sim/model/facts/limiters.h"
#include "sim/model/fields/field.h"
#include "sim/model/fields/told.h"

namespace gpufeed {

/// What part of a step a GPU spends on something, in the mean of all.
struct StepPartTime {
  Limiter part;
  double time_s = 0;
  double share = 0;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(told("name", &StepPartTime::part, "deprecated: part, in words"));
    visit(key("time_s", &StepPartTime::time_s, "of a step").as_time());
    visit(key("share", &StepPartTime::share, "the same over the step, 0 to 1"));
    visit(key("part", &StepPartTime::part, "what for"));
  }
};

/// What a GPU holds.
enum class HeldPart { weights, gradients, optimizer, gathered, activations, logits };
template <>
struct EnumNames<HeldPart> {
  static constexpr auto names = words_of<HeldPart>({{HeldPart::weights, "weights"},
                                                    {HeldPart::gradients, "gradients"},
                                                    {HeldPart::optimizer, "optimizer"},
                                                    {HeldPart::gathered, "gathered parameters"},
                                                    {HeldPart::activations, "activations"},
                                                    {HeldPart::logits, "logits"}});
};

/// What the fullest GPU of a job holds of something.
struct MemoryPart {
  HeldPart name{};
  double size_B = 0;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("name", &MemoryPart::name, "what"));
    visit(key("size_B", &MemoryPart::size_B, "how much"));
  }
};

/// A step of a model that is given by its architecture: how it is split, what it goes to, and what
/// the GPUs hold.
struct TransformerSummary {
  std::vector<SplitOver> layout;
  double replicas = 1;
  double micro_batch = 1;
  double micro_batches = 1;
  double step_s = 0;
  double tokens_per_gpu_s = 0;
  double model_flop_utilization = 0;
  std::vector<StepPartTime> parts;
  double memory_floor_B = 0;
  double memory_typical_B = 0;
  double gpu_memory_B = 0;
  std::vector<MemoryPart> memory;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using T = TransformerSummary;
    visit(told("layout", &T::layout, "deprecated: layout_codes, in words"));
    visit(key("layout_codes", &T::layout, "over what its GPUs are split"));
    visit(key("replicas", &T::replicas, "of the model, each with samples of its own"));
    visit(key("micro_batch", &T::micro_batch, "samples of each"));
    visit(key("micro_batches", &T::micro_batches, "that a replica takes in a step"));
    visit(key("step_s", &T::step_s, "of GPUs that never wait for data").as_time());
    visit(key("tokens_per_gpu_s", &T::tokens_per_gpu_s, "tokens a second of one, likewise")
              .as_rate());
    visit(key("model_flop_utilization", &T::model_flop_utilization,
              "FLOP of forward and backward passes, nothing computed again, over the peak of the "
              "products' format, 0 to 1"));
    visit(key("parts", &T::parts, "what a step goes to, the largest first"));
    visit(key("memory_floor_B", &T::memory_floor_B, "sum of what the fullest GPU holds"));
    visit(key("memory_typical_B", &T::memory_typical_B,
              "with what allocator and libraries take beside it"));
    visit(key("gpu_memory_B", &T::gpu_memory_B, "what a GPU has"));
    visit(key("memory", &T::memory, "what the fullest holds"));
  }
};

}  // namespace gpufeed
