// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace gpufeed::ui {

/// One thing that may be seen on a real run, as a user fills it in.
struct SeenField {
  std::string key;    ///< of the file that `gpufeed simulate --observed` takes
  std::string label;  ///< "GPU utilization"
  std::string help;
  std::string hint;    ///< "55 %"
  std::string unit;    ///< that a bare number gets; empty: none
  std::string value;   ///< empty: it was not seen
  std::string spread;  ///< empty: 5 % of the value
};

/// All that may be seen of work that runs epochs, nothing filled in.
std::vector<SeenField> seen_fields();

/// What is filled in, as a file of observations.
std::string observed_text(const std::vector<SeenField>& fields);

}  // namespace gpufeed::ui
