// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace gpufeed::cli {

/// A line of `width` columns at most: bar, count, rate, time left.
/// \param begun  how many were finished when the clock was started, `elapsed` ago
std::string progress_line(std::int64_t finished, std::int64_t of, std::int64_t begun,
                          std::chrono::duration<double> elapsed, std::size_t width);

/// A bar on standard error that is drawn over again and again; nothing where that is no terminal.
class ProgressBar {
 public:
  ProgressBar();
  ~ProgressBar() { clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(std::int64_t finished, std::int64_t of);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  bool on_terminal_;
  bool drawn_ = false;
  Clock::time_point start_ = Clock::now();
  std::optional<std::int64_t> begun_;
};

}  // namespace gpufeed::cli
