// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace gpufeed {

/// What the user calls a part, a resource or a limit: shown, and compared with another label, but
/// never asked what it says, so that no name decides a number. Whoever writes for people takes its
/// text by `sim/base/labels/label_text.h`.
class Label {
 public:
  Label() = default;
  explicit Label(std::string text) : text_(std::move(text)) {}

  bool operator==(const Label&) const = default;

 private:
  friend struct LabelText;
  std::string text_;
};

/// "ssd0 media", "cpu0 memory": what lies inside a part, or is of it.
Label inside(const Label& part, std::string_view what);
/// "plx0 -> cpu0": the way from one part to the next.
Label link_label(const Label& from, const Label& to);

}  // namespace gpufeed
