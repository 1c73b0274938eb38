// SPDX-License-Identifier: Apache-2.0
#include "sim/base/diagnostics.h"

#include <algorithm>

#include "sim/base/printable.h"

namespace gpufeed {
namespace {

std::string listing(const std::vector<Problem>& problems) {
  std::string out;
  for (const auto& problem : problems)
    out +=
        fmt::format("{}: error: {}\n", printable(text(problem.where)), printable(problem.message));
  return out;
}

}  // namespace

std::string text(const Location& where) {
  if (where.line == 0) return where.file;
  return fmt::format("{}:{}:{}", where.file, where.line, where.column);
}

InputError::InputError(std::vector<Problem> problems)
    : std::runtime_error(listing(problems)), problems_(std::move(problems)) {}

void Diagnostics::throw_if_any() const {
  if (problems_.empty()) return;
  auto sorted = problems_;
  std::ranges::sort(sorted);
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  throw InputError(std::move(sorted));
}

}  // namespace gpufeed
