// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "reports/study/sweep_store.h"
#include "sim/base/numbers/fnv.h"

namespace gpufeed {

/// What a row of results carries so that a change of it is seen: a number of all its cells, of the
/// names of its columns, and of the plan and the points that the file says it is of.
class RowDigest {
 public:
  /// \param columns  without that of the digest
  RowDigest(const StoreHead& head, const std::vector<std::string>& columns);
  /// \param cells  of each column
  std::string of(const std::vector<Cell>& cells) const;

 private:
  Fnv head_;
};

/// Of results by the names of their columns, what no sweep writes, in words: text where a number
/// stands, a number that is not finite, one below zero that is no difference, results of a point
/// that failed. Empty where all can be.
std::string strange_cell(const std::vector<std::string>& columns, const std::vector<Cell>& cells);

}  // namespace gpufeed
