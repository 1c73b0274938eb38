// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <thread>

namespace gpufeed::cli {

std::int64_t number_in(const Options& options, const std::string& option, std::string_view text,
                       std::int64_t most) {
  std::int64_t number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc{} && rest == text.data() + text.size() && number >= 1 && number <= most)
    return number;
  throw options.error(
      fmt::format("{} must be a whole number from 1 to {}; found \"{}\"", option, most, text));
}

void add_jobs_option(Options& options, std::string_view things, std::optional<std::string>& jobs) {
  options.value("--jobs", "N", jobs, fmt::format("{} at a time; default: one a core", things))
      .seldom();
}

unsigned jobs_in(const Options& options, const std::optional<std::string>& jobs) {
  constexpr std::int64_t kMost = 4096;
  if (jobs) return static_cast<unsigned>(number_in(options, "--jobs", *jobs, kMost));
  return std::max(1U, std::thread::hardware_concurrency());
}

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace gpufeed::cli
