// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "reports/html/lane_axis.h"
#include "reports/html/markup.h"
#include "reports/html/pictures.h"
#include "reports/writers/activities.h"
#include "reports/writers/layout.h"

namespace gpufeed::html {
namespace {

constexpr std::size_t kMostLanes = 32;  ///< GPUs that are drawn
constexpr int kLane = 20;

const ActivityText& activity_of(const Interval& bar) {
  return *std::ranges::find(kActivityTexts, bar.kind, &ActivityText::key);
}

class Lanes {
 public:
  explicit Lanes(const TimelineStretch& stretch)
      : stretch_(stretch),
        lanes_(std::min(stretch.gpus.size(), kMostLanes)),
        length_(stretch.end_s - stretch.start_s) {}

  std::string markup() const {
    const auto height = static_cast<int>(lanes_) * kLane;
    std::string names;
    std::string bars;
    for (std::size_t g = 0; g < lanes_; ++g) {
      names += element("div", stretch_.gpus[g].gpu);
      for (const Interval& bar : stretch_.gpus[g].intervals)
        bars += bar_markup(bar, static_cast<int>(g) * kLane);
    }
    return fmt::format(
        "<div class='lanes'><div class='names'>{}</div>\n<svg viewBox='0 0 {} {}' height='{}' "
        "preserveAspectRatio='none' role='img' aria-label='{}'>{}</svg>\n<div class='axis'>{}</div>"
        "</div>\n",
        names, kLaneWidth, height, height, escaped("Time line, " + stretch_.name), bars, axis());
  }

 private:
  double place(double date) const { return (date - stretch_.start_s) / length_; }

  std::string bar_markup(const Interval& bar, int y) const {
    const ActivityText& activity = activity_of(bar);
    const double from = kLaneWidth * place(bar.start_s);
    return fmt::format(
        "<rect class='{}' x='{:.1f}' y='{}' width='{:.1f}' height='{}'><title>step {}: {}, {}, "
        "from {}</title></rect>",
        activity.key, from, y + 1, kLaneWidth * place(bar.end_s) - from, kLane - 2, bar.step,
        activity.whole, time_text(bar.end_s - bar.start_s), place_text(bar.start_s));
  }

  std::string axis() const {
    return lane_axis([&](double place) { return place_text(stretch_.start_s + place * length_); });
  }

  std::string place_text(double date) const {
    return date > 0 ? time_text(date, stretch_.end_s) : "0";
  }

  const TimelineStretch& stretch_;
  const std::size_t lanes_;
  const double length_;
};

/// Longer or shorter, without a script.
std::string zoom(const std::string& id) {
  std::string out;
  for (const auto& [times, words] : {std::pair{1, "all"}, {4, "4 times"}, {16, "16 times"}})
    out += fmt::format(
        "<input class='z{0}' type='radio' name='{1}' id='{1}-{0}'{2}/><label for='{1}-{0}'>{3}"
        "</label>\n",
        times, id, times == 1 ? " checked=''" : "", words);
  return out;
}

Table sums_of(const TimelineStretch& stretch) {
  Table table{"What each GPU did, in all these steps", {"GPU"}, {}, 1};
  for (const ActivityText& activity : kActivityTexts) table.columns.emplace_back(activity.whole);
  for (const TimelineGpu& gpu : stretch.gpus) {
    std::vector<std::string> row{gpu.gpu};
    for (const ActivityText& activity : kActivityTexts) {
      double sum = 0;
      for (const Interval& bar : gpu.intervals)
        if (bar.kind == activity.key) sum += bar.end_s - bar.start_s;
      row.push_back(sum > 0 ? time_text(sum, stretch.end_s - stretch.start_s) : "0");
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string legend_of(const std::vector<TimelineStretch>& stretches) {
  std::set<std::string_view> used;
  for (const auto& stretch : stretches)
    for (const auto& gpu : stretch.gpus)
      for (const auto& bar : gpu.intervals) used.insert(bar.kind);
  std::string legend;
  for (const ActivityText& activity : kActivityTexts)
    if (used.contains(activity.key)) legend += legend_entry(activity.key, activity.whole);
  return "<p class='legend'>" + legend + "</p>\n";
}

}  // namespace

std::string timeline_picture(const Result& result, std::string_view id) {
  if (result.timeline.empty()) return "";
  std::string out = legend_of(result.timeline);
  int number = 0;
  for (const TimelineStretch& stretch : result.timeline) {
    const std::string name = fmt::format("{}-lanes{}", id, ++number);
    out +=
        element("h3", fmt::format("{}: {} steps from number {} on, {}", stretch.name, stretch.steps,
                                  stretch.first_step, time_text(stretch.end_s - stretch.start_s)));
    if (stretch.gpus.size() > kMostLanes)
      out += element("p", fmt::format("The first {} of {} GPUs are drawn; the table has all.",
                                      kMostLanes, stretch.gpus.size()));
    out += "<div class='zoomable'><span class='dim'>Length: </span>" + zoom(name) +
           scrolling("Time line, " + stretch.name, Lanes(stretch).markup()) + "</div>\n" +
           folded("The numbers", sums_of(stretch).markup());
  }
  return out;
}

}  // namespace gpufeed::html
