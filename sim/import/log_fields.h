// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace gpufeed {

struct LoggedJobs;

/// Nothing where the text is no finite number.
std::optional<double> log_number(std::string_view text);

/// "2024-05-01T12:00:00", or with a space between, as seconds; nothing where it is none.
std::optional<double> log_date(std::string_view text);

/// "2-03:04:05", "03:04:05" or "04:05" as seconds; nothing where it is none.
std::optional<double> log_length(std::string_view text);

/// "64G", "512000M" as bytes; Slurm counts by 1024, and without a letter in M.
std::optional<double> log_bytes(std::string_view text);

/// What stands between the character and its like.
std::vector<std::string_view> log_fields(std::string_view text, char apart);

/// The first arrives at 0, and they stand in the order of their arrival.
void put_in_order(LoggedJobs& made);

}  // namespace gpufeed
