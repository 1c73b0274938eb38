// SPDX-License-Identifier: Apache-2.0
#include "ui/model/decide/chart.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "reports/writers/key_words.h"
#include "ui/model/build/words.h"

namespace gpufeed::ui {
namespace {

struct Number {
  double value = 0;
  std::string unit;
};

std::optional<Number> number_of(const std::string& text) {
  Number out;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, out.value);
  if (error != std::errc{}) return {};
  out.unit.assign(rest, end);
  return out;
}

/// The numbers that texts are, where they can stand on one proportional axis.
std::vector<double> proportional(const std::vector<std::string>& texts) {
  constexpr double kWidest = 20;
  std::vector<double> numbers;
  std::string unit;
  for (const auto& text : texts) {
    const auto number = number_of(text);
    if (!number || (!numbers.empty() && number->unit != unit)) return {};
    unit = number->unit;
    numbers.push_back(number->value);
  }
  const auto [low, high] = std::ranges::minmax(numbers);
  const bool near = low >= 0 && high > low && (low == 0 || high <= kWidest * low);
  return near && std::ranges::is_sorted(numbers) ? numbers : std::vector<double>{};
}

std::vector<std::string> texts_of(const SweepAxis& axis) {
  std::vector<std::string> texts;
  for (const auto& value : axis.values) texts.push_back(without_quotes(value));
  return texts;
}

}  // namespace

Chart chart_of(const SweepJob& job, const std::vector<SweptPoint>& points, const Figure& figure) {
  Chart chart;
  if (job.axes.empty()) return chart;
  chart.x_name = key_as_title(job.axes.front().parameter.path);
  chart.x_texts = texts_of(job.axes.front());
  chart.x = proportional(chart.x_texts);
  for (std::size_t i = chart.x.size(); i < chart.x_texts.size(); ++i)
    chart.x.push_back(static_cast<double>(i));
  const bool two = job.axes.size() > 1;
  if (two) chart.line_name = key_as_title(job.axes[1].parameter.path);
  chart.lines.resize(two ? job.axes[1].values.size() : 1);
  for (std::size_t line = 0; two && line < chart.lines.size(); ++line)
    chart.lines[line].name = without_quotes(job.axes[1].values[line]);
  for (std::size_t point = 0; point < points.size(); ++point) {
    const auto at = job.at(point);
    std::optional<double> y;
    auto& line = chart.lines[two ? at[1] : 0];
    if (points[point].result) y = figure.of(*points[point].result);
    const bool failed = points[point].state == SweptPoint::State::failed;
    line.failed = failed && (line.points.empty() || line.failed);
    line.points.push_back({chart.x[at[0]], y, point});
    if (!y) continue;
    const bool first = chart.high == 0 && chart.low == 0;
    chart.low = first ? *y : std::min(chart.low, *y);
    chart.high = std::max(chart.high, *y);
  }
  return chart;
}

std::vector<double> ticks_to(double high, int steps) {
  if (!(high > 0) || !std::isfinite(high)) return {0, 1};
  const double rough = high / steps;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {5.0, 2.0, 1.0})
    if (factor * power >= rough) step = factor * power;
  std::vector<double> ticks;
  for (int i = 0; ticks.empty() || ticks.back() < high * (1 - 1e-12); ++i)
    ticks.push_back(i * step);
  return ticks;
}

}  // namespace gpufeed::ui
