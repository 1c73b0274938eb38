// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/model/fields/mechanism.h"

namespace gpufeed {

/// A line of the ledger of first contacts: what was measured where nothing of its source had been
/// seen, and what was predicted then. Discrepancies are learned from such lines alone.
struct FirstContact {
  std::string source;  ///< one publication of one team
  std::string system;
  Mechanism mechanism = Mechanism::rate_on_one_node;
  Steps steps;
  double measured = 0;  ///< above 0, in the unit of `predicted`
  double predicted = 0;
  std::string version;  ///< of gpufeed, or its commit
  std::string date;     ///< of the prediction: 2026-11-27
  /// The error counts so many times: 1, or more where the source had taught what predicts it.
  double counts = 1;
  double parameters = 0;  ///< deviation of ln(predicted) by the scenario's own values
  std::string notes;      ///< in what else it is unlike what was measured before; feeds nothing
};

}  // namespace gpufeed
