// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace gpufeed::ui {

/// The texts that a scenario had, one for each finished edit.
class History {
 public:
  explicit History(std::string text = "") : texts_{std::move(text)} {}

  const std::string& now() const { return texts_[at_]; }
  /// Makes `text` the present one; what was undone before is gone. No step where nothing changes.
  void push(std::string text);
  bool can_undo() const { return at_ > 0; }
  bool can_redo() const { return at_ + 1 < texts_.size(); }
  /// \return whether there was anything to go back, or forth, to
  bool undo();
  bool redo();

 private:
  std::vector<std::string> texts_;
  std::size_t at_ = 0;
};

}  // namespace gpufeed::ui
