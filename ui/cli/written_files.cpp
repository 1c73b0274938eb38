// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/written_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace gpufeed::cli {
namespace {

/// Keys that the JSON of one verb alone has, early and at the top.
struct Sign {
  std::string_view verb;
  std::string_view one;
  std::string_view other;
};
constexpr std::array kAnswers{Sign{"whatif", "\"now\": {", "\"job_samples_per_s\":"},
                              Sign{"compare", "\"differences\": [", "\"values\": ["},
                              Sign{"recommend", "\"aim\":", "\"choices\":"},
                              Sign{"requests", "\"older_jobs\":", "\"policy\":"},
                              Sign{"simulate", "\"scheduler\": {", "\"placement\":"},
                              Sign{"simulate", "\"requests\":", "\"ttft"},
                              Sign{"check", "\"code\":", "\"fixes\":"},
                              Sign{"catalog list", "\"kind\":", "\"title\":"},
                              Sign{"validate", "\"mechanisms\":", "\"fit_cases\":"}};

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::optional<std::string> json_answer(std::string_view text) {
  if (has(text, "\"traceEvents\"") && has(text.substr(0, 200), "the first steps"))
    return "a timeline, which gpufeed simulate --trace wrote; a browser opens it (Perfetto)";
  const auto sign = std::ranges::find_if(
      kAnswers, [&](const Sign& one) { return has(text, one.one) && has(text, one.other); });
  if (sign == kAnswers.end()) return {};
  return fmt::format("the answer of gpufeed {}, as its --json writes it", sign->verb);
}

}  // namespace

std::optional<std::string> written_in_words(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  if (text.starts_with("SQLite format 3"))
    return "a sweep's results, which gpufeed sweep goes on from and merge joins";
  if (text.starts_with("scenario,table,row,column,value\n"))
    return "a result as a table, which gpufeed simulate --csv wrote";
  if (text.starts_with("point,") && has(text.substr(0, text.find('\n')), ",status,meets,"))
    return "a sweep's table, which gpufeed sweep --csv wrote";
  if ((text.starts_with("<!DOCTYPE html") || text.starts_with("<!doctype html")) &&
      has(text, "gpufeed"))
    return "a report, which a browser opens";
  if (text.starts_with("digraph \"")) return "a machine's graph, which simulate --dot wrote";
  const std::string_view first = text.substr(0, text.find('\n'));
  const bool read_again = first.ends_with(" fio.") || first.ends_with(" dlio.");
  if (first.starts_with("# ") && has(first, ", by gpufeed export ") && !read_again)
    return "a scenario for another tool, which gpufeed export wrote";
  if (text.starts_with("{") || text.starts_with("[")) return json_answer(text);
  constexpr std::size_t kHead = 400;
  if (has(text.substr(0, kHead), "\nSystem      ") && has(text.substr(0, kHead), "\nWorkload    "))
    return "what gpufeed simulate predicted, as its screen shows it";
  return {};
}

}  // namespace gpufeed::cli
