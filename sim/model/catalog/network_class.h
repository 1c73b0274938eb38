// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "sim/model/fields/field.h"

namespace gpufeed {

/// What most of a network's work is: networks of one class attain about the same of a GPU's peaks.
/// convolution: dense, of 3 x 3 and more (VGG, U-Net). bottleneck: much of it of 1 x 1 (ResNet-50).
/// branches: of many sizes, side by side or one after the other, whose outputs are copied together
/// (Inception, DenseNet). depthwise: each channel by itself. volumes: in three dimensions.
/// attention: transformers. recurrent: step by step along a sequence. detection: convolutions under
/// many small layers and losses. embedding: tables of vectors, looked up.
enum class NetworkClass {
  convolution,
  bottleneck,
  branches,
  depthwise,
  volumes,
  attention,
  recurrent,
  detection,
  embedding
};
template <>
struct EnumNames<NetworkClass> {
  static constexpr std::array<std::string_view, 9> names{"convolution", "bottleneck", "branches",
                                                         "depthwise",   "volumes",    "attention",
                                                         "recurrent",   "detection",  "embedding"};
};

}  // namespace gpufeed
