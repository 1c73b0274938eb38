// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "sim/base/problem.h"

namespace gpufeed {

/// The user's input is wrong. `what()` lists every problem, one `place: error: sentence` a line.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::vector<Problem> problems);
  const std::vector<Problem>& problems() const { return problems_; }

 private:
  std::vector<Problem> problems_;
};

/// Collects the problems of the user's input, so that all are reported in one go.
class Diagnostics {
 public:
  /// A problem that has no code of its own.
  template <class... Args>
  void error(const Location& where, fmt::format_string<Args...> format, Args&&... args) {
    problems_.push_back({where, fmt::format(format, std::forward<Args>(args)...)});
  }
  template <class... Args>
  void error(ProblemCode code, const Location& where, fmt::format_string<Args...> format,
             Args&&... args) {
    error(where, format, std::forward<Args>(args)...);
    problems_.back().code = code;
  }
  /// The same of what stands at `subject`, behind which the sentence goes on.
  /// \return it, to say more of it before the next is reported
  template <class... Args>
  Problem& refuse(KeyPath subject, const Location& where, fmt::format_string<Args...> format,
                  Args&&... args) {
    error(where, format, std::forward<Args>(args)...);
    Problem& one = problems_.back();
    one.subject = std::move(subject);
    one.of_subject = true;
    return one;
  }
  template <class... Args>
  Problem& refuse(ProblemCode code, KeyPath subject, const Location& where,
                  fmt::format_string<Args...> format, Args&&... args) {
    Problem& one = refuse(std::move(subject), where, format, std::forward<Args>(args)...);
    one.code = code;
    return one;
  }
  void add(Problem problem) { problems_.push_back(std::move(problem)); }
  /// Those of others, too.
  void add(const std::vector<Problem>& problems) {
    problems_.insert(problems_.end(), problems.begin(), problems.end());
  }
  bool empty() const { return problems_.empty(); }
  std::size_t count() const { return problems_.size(); }
  const std::vector<Problem>& problems() const { return problems_; }

  /// \throws InputError  if anything was reported: sorted by place, each problem once
  void throw_if_any() const;

 private:
  std::vector<Problem> problems_;
};

}  // namespace gpufeed
