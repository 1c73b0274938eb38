// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

#include "sim/base/units.h"
#include "sim/model/fields/field.h"

namespace gpufeed {

/// What a step of a transformer goes to.
enum class StepPart {
  products,
  attention,
  passes,
  quantizing,
  recompute,
  head,
  host,
  tensor,
  experts,
  context,
  parameters,
  stages,
  bubble,
  gradients,
  optimizer
};
template <>
struct EnumNames<StepPart> {
  static constexpr auto names = words_of<StepPart>(
      {{StepPart::products, "matrix products"},
       {StepPart::attention, "attention"},
       {StepPart::passes, "norms, activations and sums in memory"},
       {StepPart::quantizing, "quantizing"},
       {StepPart::recompute, "computing again"},
       {StepPart::head, "output and loss"},
       {StepPart::host, "host, starting kernels"},
       {StepPart::tensor, "all-reduce of activations (tensor)"},
       {StepPart::experts, "all-to-all of tokens (expert)"},
       {StepPart::context, "gather of keys and values (context)"},
       {StepPart::parameters, "gather of parameters, scatter of gradients (shard)"},
       {StepPart::stages, "activations to the next stage"},
       {StepPart::bubble, "pipeline bubble"},
       {StepPart::gradients, "gradients of replicas"},
       {StepPart::optimizer, "optimizer"}});
};

/// Seconds of each part.
struct StepParts {
  std::array<Seconds, EnumNames<StepPart>::names.size()> time{};

  Seconds& operator[](StepPart part) { return time[static_cast<std::size_t>(part)]; }
  Seconds operator[](StepPart part) const { return time[static_cast<std::size_t>(part)]; }
  Seconds all() const {
    Seconds sum;
    for (const Seconds& one : time) sum += one;
    return sum;
  }
  StepParts operator*(double factor) const {
    StepParts out = *this;
    for (Seconds& one : out.time) one = one * factor;
    return out;
  }
  StepParts& operator+=(const StepParts& other) {
    for (std::size_t i = 0; i < time.size(); ++i) time[i] += other.time[i];
    return *this;
  }
};

}  // namespace gpufeed
