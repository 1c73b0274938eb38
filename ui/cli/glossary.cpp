// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/glossary.h"

#include <sstream>

#include "reports/writers/layout.h"
#include "sim/base/diagnostics.h"
#include "sim/base/files/read_file.h"
#include "ui/places/places.h"

namespace gpufeed::cli {

std::string glossary() {
  constexpr std::size_t kMeaning = 28;  ///< column at which meanings begin
  Diagnostics problems;
  const auto text = read_text_file(glossary_file(), kMaxTextSize, problems, ReadAs::own);
  problems.throw_if_any();
  std::istringstream lines(text.value_or(""));
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t middle = line.find(" | ", 1);
    const bool row = line.starts_with("| ") && line.ends_with(" |") && middle + 3 < line.size();
    if (!row || line.starts_with("| ---")) continue;
    const std::string term = line.substr(2, middle - 2);
    const std::string meaning = line.substr(middle + 3, line.size() - middle - 5);
    out += term.size() + 2 <= kMeaning ? labeled(term, meaning, kMeaning)
                                       : term + "\n" + labeled("", meaning, kMeaning);
  }
  return out;
}

}  // namespace gpufeed::cli
