// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "sim/model/fields/entry.h"

namespace gpufeed {

/// What a number of a gradient is, as it travels.
enum class GradientType { fp32, fp16, bf16 };
template <>
struct EnumNames<GradientType> {
  static constexpr std::array<std::string_view, 3> names{"fp32", "fp16", "bf16"};
};

/// What trains a network on the GPUs, as far as its steps go: PyTorch, TensorFlow with Horovod, ...
struct Framework : Entry {
  static constexpr std::string_view kKind = "framework";
  Seconds step_start;
  Ratio step_jitter{0.0};
  Seconds step_jitter_time;
  Ratio overlap{0.0};
  std::optional<Bytes> bucket;
  std::optional<Bytes> first_bucket;
  std::optional<GradientType> mixed_gradients;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    entry_fields(visit);
    visit(
        key("step_start", &Framework::step_start,
            "fixed part of a step, whatever the batch: launches, optimizer, its own work; carries "
            "rates to batches at which nobody measured")
            .needed()
            .between(0_s, 10_s));
    visit(key("step_jitter", &Framework::step_jitter,
              "workload.step_jitter where a scenario does not say it")
              .between(0_percent, 100_percent));
    visit(
        key("step_jitter_time", &Framework::step_jitter_time, "workload.step_jitter_time, likewise")
            .between(0_s, 10_s));
    visit(key("overlap", &Framework::overlap, "exchange.overlap, likewise")
              .between(0_percent, 100_percent));
    visit(key("bucket", &Framework::bucket, "exchange.bucket, likewise").between(1_kB, 1_TB));
    visit(key("first_bucket", &Framework::first_bucket, "exchange.first_bucket, likewise")
              .between(1_kB, 1_TB));
    visit(key("mixed_gradients", &Framework::mixed_gradients,
              "exchange.dtype where products are in 16 bits or fewer and weights are kept in fp32 "
              "(autocast); default: as workload.precision"));
  }
};

}  // namespace gpufeed
