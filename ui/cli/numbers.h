// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ui/cli/options.h"

namespace gpufeed::cli {

/// A whole number from 1 to `most`. \throws UsageError  naming the option
std::int64_t number_in(const Options& options, const std::string& option, std::string_view text,
                       std::int64_t most);

/// Declares `--jobs N`: how many `things` ("points") at a time.
void add_jobs_option(Options& options, std::string_view things, std::optional<std::string>& jobs);
/// What `--jobs` says; one a core where it is not given. \throws UsageError
unsigned jobs_in(const Options& options, const std::optional<std::string>& jobs);

/// "1 socket", "2 sockets".
std::string counted(std::size_t count, std::string_view what);

}  // namespace gpufeed::cli
