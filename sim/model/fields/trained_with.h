// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/fields/enum_names.h"

namespace gpufeed {

/// What a measured training rate already contains.
enum class Includes { exchange, barrier };
template <>
struct EnumNames<Includes> {
  static constexpr std::array<std::string_view, 2> names{"exchange", "barrier"};
};

/// What a rate was measured with.
enum class TrainedWith { pytorch, tensorflow, mxnet, jax, other };
template <>
struct EnumNames<TrainedWith> {
  static constexpr std::array<std::string_view, 5> names{"pytorch", "tensorflow", "mxnet", "jax",
                                                         "other"};
};

}  // namespace gpufeed
