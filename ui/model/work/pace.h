// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <deque>
#include <optional>

#include "ui/model/work/session.h"

namespace gpufeed::ui {

/// The median of the last so many values.
class Recent {
 public:
  explicit Recent(std::size_t most) : most_(most) {}
  void add(double value);
  std::size_t count() const { return values_.size(); }
  /// Nothing before the first.
  std::optional<double> median() const;

 private:
  std::size_t most_;
  std::deque<double> values_;
};

/// How fast the window is, as it measures itself.
class Pace {
 public:
  /// After a frame has reached the screen: counts the time from an edit to the first frame that
  /// shows its answer. Edits that others overtook, and those without an answer, do not count.
  void shown(const Session& session);
  /// What building a frame took. \param seconds  of our code: without waiting and swapping
  void drawn(double seconds) { frames_.add(seconds); }

  const Recent& edits() const { return edits_; }
  const Recent& frames() const { return frames_; }

 private:
  Recent edits_{15};
  Recent frames_{60};
  std::uint64_t counted_ = 0;  ///< edits that were answered, or overtaken
};

}  // namespace gpufeed::ui
