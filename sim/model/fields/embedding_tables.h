// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/fields/entry.h"

namespace gpufeed {

/// Tables of vectors, of which a sample takes some of each and sums them (DLRM). Their gradients
/// are those of the rows that were taken, which the optimizer changes at once: none are kept or
/// summed over all rows.
struct EmbeddingTables {
  std::int64_t count = 0;
  std::int64_t rows = 0;
  std::int64_t dimension = 0;
  double pooling = 1;

  double parameters() const { return static_cast<double>(rows) * static_cast<double>(dimension); }
  /// Numbers that a sample's sums have.
  double pooled() const { return static_cast<double>(count) * static_cast<double>(dimension); }

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("count", &EmbeddingTables::count, "how many").needed().between(1, 1000000));
    visit(key("rows", &EmbeddingTables::rows, "of all of them together (num_embeddings)")
              .needed()
              .between(1, 1000000000000));
    visit(key("dimension", &EmbeddingTables::dimension, "numbers of a row (embedding_dim)")
              .needed()
              .between(1, 1000000));
    visit(key("pooling", &EmbeddingTables::pooling,
              "rows of a table that a sample sums, mean, 1 to 1000000 (multi-hot)"));
  }
};

}  // namespace gpufeed
