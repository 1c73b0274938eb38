// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "reports/writers/layout.h"
#include "reports/writers/phrases.h"
#include "reports/writers/text.h"
#include "sim/base/units.h"

namespace gpufeed {
namespace {

constexpr std::size_t kNumbers = 4;  ///< columns of a row's number

/// What stands between title and bottleneck: one line, right-aligned columns.
std::string figures(std::string_view rate, std::string_view busy, std::string_view copy_in,
                    std::string_view first, std::string_view all) {
  return fmt::format("{:>11}{:>9}{:>10}{:>14}{:>10}  ", rate, busy, copy_in, first, all);
}

std::string trimmed(std::string line) {
  line.resize(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

/// One row, as many lines as its longest cell needs.
std::string row(std::size_t number, std::size_t title_width, const Result& result) {
  const std::string middle =
      figures(text_number(result.throughput_samples_per_s), percent(result.accelerator_utilization),
              copy_in_time(result), first_result_time(result), total_time(result));
  const auto titles = lines_of(result.title, title_width);
  const auto reasons =
      lines_of(result.bottleneck.resource, kScreenWidth - kNumbers - title_width - middle.size());
  std::string out;
  for (std::size_t i = 0; i < std::max(titles.size(), reasons.size()); ++i)
    out +=
        trimmed(fmt::format("{:>2}  {:<{}}{:<{}}{}", i == 0 ? std::to_string(number) : "",
                            i < titles.size() ? titles[i] : "", title_width, i == 0 ? middle : "",
                            middle.size(), i < reasons.size() ? reasons[i] : ""));
  return out;
}

/// The longest title's, if that leaves the bottlenecks enough.
std::size_t width_of_titles(const std::vector<Result>& results) {
  constexpr std::size_t kMostForBottlenecks = 20;
  std::size_t titles = std::string_view("Scenario").size();
  std::size_t bottlenecks = std::string_view("bottleneck").size();
  for (const auto& result : results) {
    titles = std::max(titles, result.title.size());
    bottlenecks = std::max(bottlenecks, result.bottleneck.resource.size());
  }
  const std::size_t middle = figures("", "", "", "", "").size();
  const std::size_t rest = kScreenWidth - kNumbers - middle;
  return std::min(titles, rest - std::min(bottlenecks, kMostForBottlenecks));
}

}  // namespace

std::string to_table(const std::vector<Result>& results) {
  const std::size_t title_width = width_of_titles(results);
  const std::string indent(kNumbers + title_width, ' ');
  std::string out = trimmed(indent + figures("", "GPUs", "", "first result", "time to"));
  out += trimmed(fmt::format("{:<4}{:<{}}{}bottleneck", "", "Scenario", title_width,
                             figures("samples/s", "busy", "copy-in", "after", "result")));
  for (std::size_t i = 0; i < results.size(); ++i) out += row(i + 1, title_width, results[i]);
  return out;
}

std::string to_reasons(const std::vector<Result>& results) {
  std::string out;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Result& result = results[i];
    const std::string why =
        fmt::format("{}. Data density {}", result.bottleneck.why, density_text(result));
    out += labeled(fmt::format("{:>2}", i + 1), why, kNumbers);
  }
  return out;
}

}  // namespace gpufeed
