// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "sim/model/catalog/gpu.h"
#include "sim/model/kinds/matmul.h"

namespace gpufeed {

/// What a matrix product takes. Computing and moving go on at once, one hiding most of the other.
struct ProductCost {
  Seconds start;     ///< of its kernels
  Seconds compute;   ///< its tiles, in waves over the multiprocessors
  Seconds memory;    ///< reading both matrices and writing the result
  Seconds quantize;  ///< reading the left matrix in 16 bits and writing it in 8, a row at a time

  /// start + (compute^3 + memory^3)^(1/3) + quantize
  Seconds all() const;
};

/// On a GPU that says its `sms`, `kernels`, memory bandwidth and peak. In tiles of 128 x 128, or of
/// 64 x 64, which move twice as many bytes for a FLOP and attain half, and with sums over k cut
/// into 1 to 16 parts, whose results in fp32 are added up; of all these the quickest:
///   compute = ceil(tiles x parts / sms) x 2 side^2 (k / parts + tile_steps) x sms / (peak x share)
///   memory  = (bytes of both inputs and of the result in 16 bits) / (bandwidth x memory_share)
/// \param peak  of the GPU in the format of the product
/// \param bytes  of a number of the inputs
ProductCost product_cost(const ProductShape& shape, const Gpu& gpu, FlopRate peak, double bytes,
                         bool quantize);

}  // namespace gpufeed
