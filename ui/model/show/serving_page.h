// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/model/serving/answer.h"

namespace gpufeed::ui {

/// A figure with its name above and a note below.
struct ServingCard {
  std::string name;
  std::string value;
  std::string note;
  bool misses = false;  ///< the goal
};

struct ServingTable {
  std::string title;
  std::vector<std::string> heads;
  std::vector<std::vector<std::string>> rows = {};
};

/// What the window shows of an engine that serves a language model.
struct ServingPage {
  std::vector<ServingCard> cards;
  std::vector<ServingTable> tables;  ///< times, tiers where there are some, changes
  std::vector<std::string> words;    ///< what holds it back, what to mind, what the ranges are of
};

ServingPage serving_page(const serving::Answer& answer);

}  // namespace gpufeed::ui
