// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "sim/model/fields/entry.h"

namespace gpufeed {

/// The shape of a matrix product: m x k times k x n, 2 m n k FLOP. Of a dense layer, m is the
/// tokens or samples of a batch, k its inputs and n its outputs.
struct ProductShape {
  std::int64_t m = 1;
  std::int64_t n = 1;
  std::int64_t k = 1;
  Location where;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("m", &ProductShape::m, "rows of the left matrix: tokens, samples")
              .needed()
              .between(1, 100000000));
    visit(key("n", &ProductShape::n, "columns of the right matrix: outputs of a layer")
              .needed()
              .between(1, 100000000));
    visit(key("k", &ProductShape::k, "terms of each sum: inputs of a layer")
              .needed()
              .between(1, 100000000));
  }
};

namespace kind {

/// What a benchmark of matrix products prints.
struct Matmul {
  static constexpr std::string_view kName = "matmul";
  static constexpr std::array<std::string_view, 0> kTakes{};
  static constexpr std::array<std::string_view, 0> kLeaves{};

  std::vector<ProductShape> products;
  std::string precision = "bf16";
  bool quantize = false;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("product", &Matmul::products, "the shapes, one table each"));
    visit(key("precision", &Matmul::precision, "number format of the products"));
    visit(key("quantize", &Matmul::quantize,
              "fp8: the left matrix comes in 16 bits, and is quantized before each product"));
  }
};

}  // namespace kind
}  // namespace gpufeed
