// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace gpufeed::cli {

class Options;

/// What a command may take: `--limit-time` and `--limit-memory`. A limit that is reached ends the
/// command with the status of wrong input and a message that says how far it came; what has been
/// written stays.
struct Limits {
  std::optional<std::string> time;
  std::optional<std::string> memory;
};

/// From here on they hold. \throws UsageError
void set_limits(const Limits& limits, const Options& options);

/// Of a command that was asked by SIGALRM to tidy up, and has.
[[noreturn]] void end_where_time_is_up();
/// Of a command that got no memory or thread: ends it, as its limit says, where there is one.
void end_where_memory_is_limited();

/// What a limit says when it is reached. Safe in any thread.
void note_progress(std::int64_t finished, std::int64_t of);

/// From here on Ctrl-C, kill and the end of `--limit-time` do not end the process at once, but ask
/// it to: whatever still runs after 0.8 s, or at the second time, is ended.
void end_in_good_order();
bool asked_to_end();
/// Ends the process as it was asked to.
[[noreturn]] void end_as_asked();

}  // namespace gpufeed::cli
