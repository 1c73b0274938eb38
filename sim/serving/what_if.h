// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/model/serving/answer.h"
#include "sim/model/serving/document.h"

namespace gpufeed::serving {

/// A scenario with more or less of one thing.
struct Change {
  std::string words;
  std::string set;  ///< as --set takes it; empty: no one key says it
  Document document;
  bool has_price = true;  ///< false: nobody says what it costs, such as a faster store
};

/// A drive, memory, a store or a GPU more, one less, a larger or smaller token budget, reading from
/// tiers only where that is faster. \param now  the answer of the scenario as it is
std::vector<Change> changes_of(const Document& document, const Answer& now);

/// What comes of a change.
WhatIf row_of(const Change& change, const Answer& now, const Answer& then);

}  // namespace gpufeed::serving
