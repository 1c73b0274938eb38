// SPDX-License-Identifier: Apache-2.0
#include "sim/base/diagnostics.h"

#include <algorithm>
#include <utility>

namespace gpufeed {
namespace {

std::string listing(const std::vector<Problem>& problems) {
  std::string out;
  for (const auto& problem : problems) out += line_of(problem) + '\n';
  return out;
}

}  // namespace

InputError::InputError(std::vector<Problem> problems)
    : std::runtime_error(listing(problems)), problems_(std::move(problems)) {}

void Diagnostics::throw_if_any() const {
  if (problems_.empty()) return;
  const auto as_told = [](const Problem& one) { return std::pair(one.where, sentence(one)); };
  auto sorted = problems_;
  std::ranges::stable_sort(sorted, {}, as_told);
  const auto same = [&](const Problem& one, const Problem& other) {
    return as_told(one) == as_told(other);
  };
  sorted.erase(std::unique(sorted.begin(), sorted.end(), same), sorted.end());
  throw InputError(std::move(sorted));
}

}  // namespace gpufeed
