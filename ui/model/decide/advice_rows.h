// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ui/model/decide/advice.h"

namespace gpufeed::ui {

/// A change that helps, in words.
struct ChangeRow {
  std::string change;
  std::string why;    ///< what it acts on, and what would hold the job back then
  std::string gain;   ///< of the job's rate: "+29.9 %"
  std::string busy;   ///< GPUs, with it
  std::string price;  ///< "free", "+3,610", "not known"
  std::string power;  ///< W more
  std::string worth;  ///< gain for each 1000 USD; empty where it costs nothing more
};
/// Of `shown_changes`, in their order.
std::vector<ChangeRow> change_rows(const WhatIf& what_if);

/// "free", "+3,610 USD", "for the same price", "for an unknown price".
std::string price_in_words(const ChangeRow& row);

/// "Tried 65 changes: 42 make no difference beyond the noise of its own two runs, 5 are slower,
/// ...".
std::string tried_in_words(const Advice& advice);

/// What a tenth more of a resource gives, in words.
struct LeverRow {
  std::string resource;
  std::string gain;        ///< "+10 %", or "none"
  std::string limited_by;  ///< its parts
  double share = 0;        ///< of the largest gain, 0 to 1
};
/// The largest gain first.
std::vector<LeverRow> lever_rows(const Elasticity& elasticity);

/// What binds and what comes next, in a sentence.
std::string binding_in_words(const Elasticity& elasticity);

}  // namespace gpufeed::ui
