// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace gpufeed {

/// A place in the user's input. Line and column count from 1; 0 means the whole file or option.
struct Location {
  std::string file;
  int line = 0;
  int column = 0;

  auto operator<=>(const Location&) const = default;
};

/// `file:line:column`, or the file alone where no line is known.
std::string text(const Location& where);

struct Problem {
  Location where;
  std::string message;

  auto operator<=>(const Problem&) const = default;
};

/// The user's input is wrong. `what()` lists every problem, one `place: error: message` a line.
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
  template <class... Args>
  void error(const Location& where, fmt::format_string<Args...> format, Args&&... args) {
    problems_.push_back({where, fmt::format(format, std::forward<Args>(args)...)});
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
