// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "ui/cli/options.h"

namespace gpufeed::cli {

/// What a command may take: `--limit-time` and `--limit-memory`. A limit that is reached ends the
/// command with a message and the status of wrong input; what has been written stays.
struct Limits {
  std::optional<std::string> time;
  std::optional<std::string> memory;

  void add_to(Options& options);
  /// From here on they hold, for the processes that the command starts too: each may take as much
  /// memory. \throws UsageError
  void set(const Options& options) const;
};

/// From here on Ctrl-C, kill and the end of `--limit-time` do not end the process at once, but ask
/// it to: whatever still runs after 0.8 s, or at the second time, is ended.
void end_in_good_order();
bool asked_to_end();
/// Ends the process as it was asked to.
[[noreturn]] void end_as_asked();

}  // namespace gpufeed::cli
