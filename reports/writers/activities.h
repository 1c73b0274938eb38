// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "reports/writers/terms.h"
#include "sim/model/result/result.h"

namespace gpufeed {

/// What a GPU's time goes to, in the words that all reports use.
struct ActivityText {
  double GpuShare::*share;
  std::string_view key;    ///< as Interval::kind has it
  char letter;             ///< in the bars of a screen
  std::string_view words;  ///< after "waiting for", but for the first two
  std::string_view whole;
};

inline constexpr std::array<ActivityText, 8> kActivityTexts{{
    {&GpuShare::compute, "compute", '#', "computing", "computing"},
    {&GpuShare::gpu_decode, "gpu_decode", '=', "decoding on the GPU", "decoding on the GPU"},
    {&GpuShare::storage, "storage", 's', "storage", "waiting for storage"},
    {&GpuShare::decode, "decode", 'd', "decoding", "waiting for decoding"},
    {&GpuShare::copy, "copy", 'c', "copies", "waiting for copies"},
    {&GpuShare::exchange, "exchange", 'g', "gradients", "waiting for gradients"},
    {&GpuShare::barrier, "barrier", 'o', "stragglers", "waiting for stragglers"},
    {&GpuShare::checkpoint, "checkpoint", 'w', "writing checkpoints", "waiting for a checkpoint"},
}};
/// Of them, those that are work; the others are waits.
inline constexpr std::size_t kWorkActivities = 2;

}  // namespace gpufeed
