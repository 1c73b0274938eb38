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

/// What samples show: a network takes one of them. positions: of board games.
enum class Content { images, volumes, video, audio, text, tables, positions };
template <>
struct EnumNames<Content> {
  static constexpr std::array<std::string_view, 7> names{"images", "volumes", "video",    "audio",
                                                         "text",   "tables",  "positions"};
};

/// What samples are compressed by, so far as GPUs have decoders of it.
enum class Codec { jpeg, h264, h265 };
template <>
struct EnumNames<Codec> {
  static constexpr std::array<std::string_view, 3> names{"jpeg", "h264", "h265"};
};

}  // namespace gpufeed
