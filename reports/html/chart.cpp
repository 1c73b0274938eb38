// SPDX-License-Identifier: Apache-2.0
#include "reports/html/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "reports/html/markup.h"
#include "sim/base/units.h"

namespace gpufeed::html {
namespace {

constexpr double kLeft = 78, kTop = 26, kWidth = 560, kHeight = 260, kBelow = 52, kRight = 44;
constexpr std::size_t kColors = 6;

/// From the least to the most of an axis, and where its marks are.
struct Axis {
  double low = 0, high = 1, step = 1;

  double place(double value, double length) const { return (value - low) / (high - low) * length; }
};

/// Marks at 1, 2 or 5 times a power of ten, some five of them.
Axis axis_over(double low, double high) {
  if (high <= low) high = low + 1;
  const double rough = (high - low) / 5;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = power;
  for (const double factor : {2.0, 5.0, 10.0})
    if (step < rough) step = factor * power;
  return {std::floor(low / step) * step, std::ceil(high / step - 1e-9) * step, step};
}

class Drawer {
 public:
  explicit Drawer(const Chart& chart) : chart_(chart) {
    constexpr double kNone = std::numeric_limits<double>::infinity();
    double x_low = kNone, x_high = -kNone, y_low = 0, y_high = 0;
    for (const Series& series : chart.series)
      for (const ChartPoint& point : series.points) {
        x_low = std::min(x_low, point.x), x_high = std::max(x_high, point.x);
        y_low = std::min(y_low, point.y), y_high = std::max(y_high, point.y);
      }
    x_ = axis_over(chart.x_from_zero ? std::min(0.0, x_low) : x_low, x_high);
    if (!chart.categories.empty())
      x_ = {-0.5, static_cast<double>(chart.categories.size()) - 0.5, 1};
    y_ = axis_over(y_low, y_high);
  }

  std::string draw() const {
    std::string out = fmt::format(
        "<svg class='chart' role='img' aria-label='{}' viewBox='0 0 {} {}' style='width:100%;"
        "max-width:{}px;min-width:480px'>\n",
        escaped(chart_.name), kLeft + kWidth + kRight, kTop + kHeight + kBelow,
        1.3 * (kLeft + kWidth));
    out += y_marks() + x_marks();
    for (std::size_t s = 0; s < chart_.series.size(); ++s) out += series(s);
    return scrolling(chart_.name, out + "</svg>") + legend();
  }

 private:
  double x(double value) const { return kLeft + x_.place(value, kWidth); }
  double y(double value) const { return kTop + kHeight - y_.place(value, kHeight); }

  std::string y_marks() const {
    std::string out;
    for (double at = y_.low; at <= y_.high + y_.step / 2; at += y_.step)
      out += fmt::format(
          "<line class='grid' x1='{0}' x2='{1}' y1='{2:.1f}' y2='{2:.1f}'/><text class='dim' "
          "x='{3}' y='{4:.1f}' font-size='12' text-anchor='end'>{5}</text>\n",
          kLeft, kLeft + kWidth, y(at), kLeft - 8, y(at) + 4, text_number(at, 3));
    return out +
           fmt::format("<text x='0' y='12' font-size='12'>{}</text>\n", escaped(chart_.y_name));
  }

  std::string x_mark(double at, const std::string& words) const {
    return fmt::format(
        "<text class='dim' x='{:.1f}' y='{:.1f}' font-size='12' text-anchor='middle'>{}</text>\n",
        x(at), kTop + kHeight + 18, escaped(words));
  }

  std::string x_marks() const {
    std::string out;
    if (chart_.categories.empty())
      for (double at = x_.low; at <= x_.high + x_.step / 2; at += x_.step)
        out += x_mark(at, text_number(at, 3));
    // As many names as have room, each cut to it.
    const std::size_t every = chart_.categories.size() / 13 + 1;
    const auto letters = static_cast<std::size_t>(
        kWidth / 8 * static_cast<double>(every) /
        static_cast<double>(std::max<std::size_t>(1, chart_.categories.size())));
    for (std::size_t i = 0; i < chart_.categories.size(); i += every) {
      const std::string& name = chart_.categories[i];
      out += x_mark(static_cast<double>(i),
                    name.size() <= letters ? name : name.substr(0, letters - 1) + "…");
    }
    return out + fmt::format(
                     "<text x='{:.1f}' y='{:.1f}' font-size='12' text-anchor='middle'>{}</text>\n",
                     kLeft + kWidth / 2, kTop + kHeight + 42, escaped(chart_.x_name));
  }

  std::string series(std::size_t number) const {
    const Series& series = chart_.series[number];
    const std::size_t color = number % kColors;
    std::string line;
    std::string dots;
    for (const ChartPoint& point : series.points) {
      line += fmt::format("{:.1f},{:.1f} ", x(point.x), y(point.y));
      dots += fmt::format(
          "<circle class='series{}' cx='{:.1f}' cy='{:.1f}' r='{}'><title>{}</title></circle>\n",
          color, x(point.x), y(point.y), point.strong ? 6 : 4, escaped(point.words));
    }
    if (!series.line) return dots;
    return fmt::format("<polyline class='series{} line' points='{}'/>\n", color, line) + dots;
  }

  std::string legend() const {
    std::string out;
    for (std::size_t s = 0; s < chart_.series.size(); ++s)
      if (!chart_.series[s].name.empty())
        out += legend_entry(fmt::format("series{}", s % kColors), chart_.series[s].name);
    return out.empty() ? out : "<p class='legend'>" + out + "</p>\n";
  }

  const Chart& chart_;
  Axis x_, y_;
};

}  // namespace

std::string Chart::markup() const { return Drawer(*this).draw(); }

}  // namespace gpufeed::html
