// SPDX-License-Identifier: Apache-2.0
#include "sim/model/kernels/product.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace gpufeed {
namespace {

constexpr double kResultBytes = 2;   ///< 16 bits, also of products in fp8
constexpr double kPartialBytes = 4;  ///< sums of parts, in fp32

struct Tile {
  double side;
  double attained;  ///< of what large ones attain
};

struct Size {
  double m, n, k;
};

/// Of the product cut into tiles, and along k into so many parts.
Seconds computing(const Size& size, const Tile& tile, double parts, const Gpu& gpu,
                  FlopRate attained) {
  const auto sms = static_cast<double>(*gpu.sms);
  const double tiles = std::ceil(size.m / tile.side) * std::ceil(size.n / tile.side);
  const double waves = std::ceil(tiles * parts / sms);
  const double terms = std::ceil(size.k / parts) + static_cast<double>((*gpu.kernels)->tile_steps);
  const double flop = waves * 2 * tile.side * tile.side * terms;
  const Seconds time{flop * sms / (attained.value * tile.attained)};
  if (parts == 1) return time;
  return time + Bytes{parts * size.m * size.n * kPartialBytes} / *gpu.memory_bandwidth;
}

Seconds quickest(const Size& size, const Gpu& gpu, FlopRate attained) {
  constexpr std::array<Tile, 2> kTiles{{{128, 1}, {64, 0.5}}};
  constexpr std::array<double, 5> kParts{1, 2, 4, 8, 16};
  Seconds best{std::numeric_limits<double>::infinity()};
  for (const Tile& tile : kTiles)
    for (const double parts : kParts)
      best = std::min(best, computing(size, tile, parts, gpu, attained));
  return best;
}

}  // namespace

Seconds ProductCost::all() const {
  return start + Seconds{std::cbrt(std::pow(compute.value, 3) + std::pow(memory.value, 3))} +
         quantize;
}

ProductCost product_cost(const ProductShape& shape, const Gpu& gpu, FlopRate peak, double bytes,
                         bool quantize) {
  const KernelLibrary& kernels = **gpu.kernels;
  const Size size{static_cast<double>(shape.m), static_cast<double>(shape.n),
                  static_cast<double>(shape.k)};
  const Ratio share = gpu.matmul_share.value_or(kernels.share);
  const double inputs = (size.m + size.n) * size.k * bytes;
  ProductCost out;
  out.start = kernels.start * (quantize ? 2 : 1);
  out.compute = quickest(size, gpu, {peak.value * share.value});
  out.memory = Bytes{inputs + size.m * size.n * kResultBytes} /
               (*gpu.memory_bandwidth * kernels.memory_share.value);
  if (quantize)
    out.quantize =
        kernels.row_time * size.m + Bytes{size.m * size.k * (kResultBytes + bytes)} /
                                        (*gpu.memory_bandwidth * kernels.quantize_share.value);
  return out;
}

}  // namespace gpufeed
