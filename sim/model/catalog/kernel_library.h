// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/fields/entry.h"

namespace gpufeed {

/// A library of matrix products (cuBLAS, CUTLASS): what a product takes beside its FLOP and bytes.
struct KernelLibrary : Entry {
  static constexpr std::string_view kKind = "kernels";
  Seconds start;
  std::int64_t tile_steps = 0;
  Ratio share{1.0};
  Ratio memory_share{1.0};
  Seconds row_time;
  Ratio quantize_share{1.0};

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    entry_fields(visit);
    visit(key("start", &KernelLibrary::start, "of a kernel, whatever its size")
              .needed()
              .between(0_s, 1_s));
    visit(key("tile_steps", &KernelLibrary::tile_steps,
              "begin and end of a tile, as if its products had so many more terms")
              .needed()
              .between(0, 100000));
    visit(key("share", &KernelLibrary::share,
              "of a GPU's peak that whole tiles attain, where the GPU's matmul_share does not say "
              "it")
              .needed()
              .between(1_percent, 100_percent));
    visit(key("memory_share", &KernelLibrary::memory_share,
              "of the peak of a GPU's memory that products attain")
              .needed()
              .between(1_percent, 100_percent));
    visit(key("row_time", &KernelLibrary::row_time,
              "quantizing inputs to fp8: of every row, whatever its length")
              .between(0_s, 1_s));
    visit(key("quantize_share", &KernelLibrary::quantize_share,
              "of the peak of a GPU's memory that quantizing attains")
              .between(1_percent, 100_percent));
  }
};

}  // namespace gpufeed
