// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "sim/model/result/result.h"

namespace gpufeed::ui {

/// What a GPU's time can go to.
struct TimeKind {
  std::string_view key;  ///< of the shares, and of the bars of a time line
  std::string_view words;
  std::string_view help;
  double GpuShare::*share;
  std::size_t color;  ///< number of its color; the same on every picture
  bool pale;          ///< dark text stands on it
};

inline constexpr std::array kTimeKinds{
    TimeKind{"compute", "computing", "The GPU computes.", &GpuShare::compute, 0, false},
    TimeKind{"gpu_decode", "decoding on the GPU",
             "The GPU decodes instead of computing, or waits for its decoding engines.",
             &GpuShare::gpu_decode, 7, true},
    TimeKind{"storage", "waits for storage", "Waiting for data: while the next batch was read.",
             &GpuShare::storage, 1, false},
    TimeKind{"decode", "waits for decoding", "Waiting for data: while the next batch was decoded.",
             &GpuShare::decode, 2, true},
    TimeKind{"copy", "waits for copies", "Waiting while the next batch is copied to the GPU.",
             &GpuShare::copy, 3, true},
    TimeKind{"exchange", "waits for gradients",
             "Waiting for gradients of the other GPUs (all-reduce).", &GpuShare::exchange, 4, true},
    TimeKind{"barrier", "waits for stragglers", "Waiting for a GPU that computes longer.",
             &GpuShare::barrier, 5, true},
    TimeKind{"checkpoint", "waits for checkpoints", "Standing still while the state is saved.",
             &GpuShare::checkpoint, 6, false}};

/// The kind with a key; null where there is none.
inline const TimeKind* time_kind(std::string_view key) {
  for (const TimeKind& kind : kTimeKinds)
    if (kind.key == key) return &kind;
  return nullptr;
}

}  // namespace gpufeed::ui
