// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sim/model/catalog/products.h"
#include "sim/model/serving/engine.h"

namespace gpufeed::serving {

/// What a step of a replica takes, of its parts in seconds; sim/serving/README.md has the formula.
struct StepLaw {
  double dense_read = 0;        ///< of weights that every step reads
  double expert_read = 0;       ///< of all experts
  double idle_expert = 1;       ///< chance that one token leaves an expert alone: 1 - k / E
  double product = 0;           ///< of a token
  double kv_read = 0;           ///< of a token of context
  double attention = 0;         ///< of a pair of tokens, at the rate over many
  double attention_tokens = 0;  ///< of which as many more take as long as starting a row
  double fixed = 0;             ///< host, layers, and what sums over GPUs take to start
  double sequence = 0;          ///< of each one in the batch
  double exchange = 0;          ///< of a token, summed over GPUs
  double slower = 1;            ///< all of it, than the law has it

  /// Attention of `x` tokens behind `y` others: 4 L heads hd x (y + x / 2) / (t F e).
  double chunk(double x, double y) const {
    const double s = x + y;
    return attention * x * (y + x / 2) * (s + attention_tokens) / s;
  }
  /// \param tokens  of the step; \param sequences  chunks, and requests that decode
  /// \param context  tokens that those see; \param chunks  sum of chunk()
  double seconds(double tokens, double sequences, double context, double chunks) const;
  /// Of `x` tokens behind `y` alone, in steps of `budget`.
  double prefill(double x, double y, double budget) const;
};

/// What a model takes on GPUs.
struct Sizes {
  double parameters = 0;
  double weights_read = 0;  ///< parameters less the table of the input
  double experts = 0;       ///< parameters of these
  double active = 0;        ///< parameters that a token is multiplied with
  double kv_bytes = 0;      ///< of a token, over all GPUs
  double weight_bytes = 0;  ///< of a parameter
};
/// \param kv_width  bytes of a number of the cache
Sizes sizes_of(const Architecture& architecture, double weight_bytes, double kv_width,
               double tensor);

StepLaw law_of(const Architecture& architecture, const Sizes& sizes, double peak, double bandwidth,
               double tensor, const ServingEngine& engine);

/// Blocks of kBlock tokens that GPUs hold beside the weights; below 0: not even those fit.
std::int64_t pool_blocks(const Sizes& sizes, double memory, double memory_share, double tensor,
                         const ServingEngine& engine);

}  // namespace gpufeed::serving
