// SPDX-License-Identifier: Apache-2.0
#include "ui/model/work/problems.h"

#include "sim/base/diagnostics.h"
#include "ui/model/build/key_labels.h"

namespace gpufeed::ui {

std::vector<Problem> problems_of(const std::exception& error) {
  if (const auto* refused = dynamic_cast<const InputError*>(&error)) return refused->problems();
  return {{{}, error.what()}};
}

std::string shown_line(const Problem& problem) {
  return problem.where.file.empty() ? sentence(problem) : line_of(problem);
}

std::string shown_lines(const std::vector<Problem>& problems) {
  std::string out;
  for (const Problem& problem : problems) out += (out.empty() ? "" : "\n") + shown_line(problem);
  return out;
}

std::string first_sentence(const std::vector<Problem>& problems) {
  return problems.empty() ? "" : in_words(problems.front());
}

}  // namespace gpufeed::ui
