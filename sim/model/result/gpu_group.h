// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/model/fields/field.h"

namespace gpufeed {

/// Where the time of a GPU goes; the shares add up to 1.
struct GpuShare {
  double compute = 0, gpu_decode = 0, storage = 0, decode = 0, copy = 0, exchange = 0, barrier = 0,
         checkpoint = 0;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("compute", &GpuShare::compute, "computing"));
    visit(key("gpu_decode", &GpuShare::gpu_decode,
              "decoding on the GPU and not computing: its processors decode, or what computes "
              "waits for its decoding engines, its own or of the GPU that holds up the step"));
    visit(key("storage", &GpuShare::storage,
              "waiting for the loader, its own or of the GPU that holds up the step: the part that "
              "the batch spent being read"));
    visit(key("decode", &GpuShare::decode,
              "waiting for the loader, so: the part that the batch spent being decoded"));
    visit(key("copy", &GpuShare::copy, "waiting while the next batch is copied in, so"));
    visit(key("exchange", &GpuShare::exchange, "waiting for gradients"));
    visit(key("barrier", &GpuShare::barrier, "waiting for a GPU that computes longer"));
    visit(key("checkpoint", &GpuShare::checkpoint, "standing still while the state is saved"));
  }
};

/// GPUs that spend their time alike.
struct GpuGroup {
  std::string group;
  std::int64_t count = 0;
  GpuShare share;
  std::vector<std::int64_t> numbers = {};

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("group", &GpuGroup::group, "ids"));
    visit(key("count", &GpuGroup::count, "how many"));
    visit(key("share", &GpuGroup::share, "of the time of one GPU, 0 to 1"));
    visit(key("numbers", &GpuGroup::numbers, "those of the first node, by their number from 0"));
  }
};

}  // namespace gpufeed
