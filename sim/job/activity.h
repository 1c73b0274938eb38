// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "sim/model/fields/field.h"

namespace gpufeed {

/// What a GPU does or waits for.
enum class Activity { compute, gpu_decode, storage, decode, copy, exchange, barrier, checkpoint };
inline constexpr std::size_t kActivities = 8;
template <>
struct EnumNames<Activity> {
  static constexpr std::array<std::string_view, kActivities> names{
      "compute", "gpu_decode", "storage", "decode", "copy", "exchange", "barrier", "checkpoint"};
};

/// Seconds by Activity.
using TimeSpent = std::array<double, kActivities>;

}  // namespace gpufeed
