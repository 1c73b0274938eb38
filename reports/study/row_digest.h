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

/// Finds in rows of results what no sweep writes: text where a number stands, a number that is not
/// finite, one below zero that is no difference, results of a point that failed.
class StrangeCells {
 public:
  /// \param columns  their names; one is "status"
  explicit StrangeCells(const std::vector<std::string>& columns);
  /// The first such cell of a row, in words; empty where all can be.
  std::string in(const std::vector<Cell>& cells) const;

 private:
  std::size_t status_;
  std::vector<const ResultColumn*> columns_;  ///< null: no result
};

}  // namespace gpufeed
