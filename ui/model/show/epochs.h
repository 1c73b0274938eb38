// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/model/result/result.h"

namespace gpufeed::ui {

/// One question to the first epoch and to those after it.
struct EpochRow {
  std::string name;
  std::string help;
  std::string first;
  std::string later;
};

/// Time, rate and reads of the first epoch against later ones. Empty for work without epochs.
std::vector<EpochRow> epoch_rows(const Result& result);

/// In one sentence, how they differ.
std::string epochs_in_words(const Result& result);

}  // namespace gpufeed::ui
