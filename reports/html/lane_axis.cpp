// SPDX-License-Identifier: Apache-2.0
#include "reports/html/lane_axis.h"

#include <fmt/format.h>

namespace gpufeed::html {

std::string lane_axis(const std::function<std::string(double)>& words) {
  constexpr int kMarks = 4;
  std::string out;
  for (int i = 0; i <= kMarks; ++i) {
    const double place = static_cast<double>(i) / kMarks;
    const std::string shift = i == 0        ? ""
                              : i == kMarks ? ";transform:translateX(-100%)"
                                            : ";transform:translateX(-50%)";
    out += fmt::format("<span style='left:{}%{}'>{}</span>", 100 * place, shift, words(place));
  }
  return out;
}

}  // namespace gpufeed::html
