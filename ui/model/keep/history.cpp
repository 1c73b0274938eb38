// SPDX-License-Identifier: Apache-2.0
#include "ui/model/keep/history.h"

#include <utility>

namespace gpufeed::ui {

void History::push(std::string text) {
  if (text == now()) return;
  texts_.resize(at_ + 1);
  texts_.push_back(std::move(text));
  ++at_;
}

bool History::undo() {
  if (!can_undo()) return false;
  --at_;
  return true;
}

bool History::redo() {
  if (!can_redo()) return false;
  ++at_;
  return true;
}

}  // namespace gpufeed::ui
