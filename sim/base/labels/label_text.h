// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/base/labels/label.h"

namespace gpufeed {

// What labels say, for those who read them from a file or write for people:
// `tests/unit/layers_test` lets neither graph, plan nor job include this.

struct LabelText {
  static const std::string& of(const Label& label) { return label.text_; }
};

inline const std::string& text_of(const Label& label) { return LabelText::of(label); }
std::vector<std::string> texts_of(const std::vector<Label>& labels);

}  // namespace gpufeed
