// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpufeed::html {

struct BarPart {
  double share = 0;   ///< of the bar's whole length, 0 to 1
  std::string color;  ///< class
  std::string words;  ///< shown where one points at it
};

/// A name, a bar, which grows with the page, and what it says in words.
struct BarRow {
  std::string label;
  std::string note;  ///< small, below it
  std::vector<BarPart> parts;
  std::string value;
};

std::string bar_row(const BarRow& row);

}  // namespace gpufeed::html
