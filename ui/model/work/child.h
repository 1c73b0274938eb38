// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/problem.h"

namespace gpufeed::ui {

/// How work in a process of its own ended.
struct WorkEnd {
  bool good = false;
  std::string text;               ///< what the work returned
  std::vector<Problem> problems;  ///< else what was wrong; of a process that died without a place
};

/// Does `work` in a child process, so that it can be stopped at any moment and cannot take the
/// window down with it. It must start no threads and touch nothing of the screen.
/// \param stop  asked every few milliseconds
/// \return nothing where it was stopped
/// Under AddressSanitizer it is done here: what is stopped, then, ends first.
std::optional<WorkEnd> run_in_child(const std::function<std::string()>& work,
                                    const std::function<bool()>& stop);

}  // namespace gpufeed::ui
