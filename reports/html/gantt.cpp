// SPDX-License-Identifier: Apache-2.0
#include "reports/html/gantt.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "reports/html/markup.h"
#include "reports/writers/layout.h"

namespace gpufeed::html {
namespace {

using cluster::Answer;
using cluster::JobBar;

constexpr std::size_t kMostBars = 2000;
constexpr std::size_t kMostRows = 60;   ///< of nodes, in a map of how full they are
constexpr std::size_t kColumns = 120;   ///< of its time
constexpr std::size_t kUserColors = 5;  ///< that are a user's own
constexpr double kLaneWidth = 10000;    ///< of the lanes, in units of theirs
constexpr double kLane = 20;            ///< height of a node

class Gantt {
 public:
  explicit Gantt(const Answer& answer)
      : answer_(answer),
        start_(answer.load.empty() ? 0 : answer.load.front().start_s),
        length_(std::max(1e-9, answer.totals.makespan_s)) {
    std::vector<const cluster::JobGroup*> users;
    for (const auto& user : answer.users) users.push_back(&user);
    std::ranges::stable_sort(users, std::ranges::greater{},
                             [](const auto* user) { return user->allocated_gpu_h; });
    for (std::size_t i = 0; i < std::min(users.size(), kUserColors); ++i)
      colors_[users[i]->name] = fmt::format("series{}", i);
  }

  std::string markup() const {
    std::size_t bars = 0;
    for (const JobBar& bar : answer_.bars) bars += bar.nodes.size();
    const bool as_map = bars > kMostBars || answer_.node_gpus.size() > kMostRows;
    std::string out = as_map ? "" : legend();
    out +=
        element("p", as_map ? "Rows are nodes, or as many neighbors; the darker, the more of "
                              "their GPUs jobs hold."
                            : "Rows are nodes, and lanes in them GPUs. A dark edge below: others "
                              "on the same store or link held the job back.");
    return out + scrolling("Jobs on nodes over time", as_map ? map() : lanes());
  }

 private:
  double place(double date) const {
    return kLaneWidth * std::clamp((date - start_) / length_, 0.0, 1.0);
  }

  std::string frame(const std::string& names, double height, const std::string& drawn) const {
    return fmt::format(
        "<div class='lanes'><div class='names'>{}</div>\n<svg viewBox='0 0 {} {}' height='{}' "
        "preserveAspectRatio='none' role='img' aria-label='Jobs on nodes over time'>{}</svg>\n"
        "<div class='axis'>{}</div></div>\n",
        names, kLaneWidth, height, height, drawn, axis());
  }

  std::string axis() const {
    constexpr int kMarks = 4;
    std::string out;
    for (int i = 0; i <= kMarks; ++i) {
      const double part = static_cast<double>(i) / kMarks;
      const std::string shift = i == 0        ? ""
                                : i == kMarks ? ";transform:translateX(-100%)"
                                              : ";transform:translateX(-50%)";
      const double date = start_ + part * length_;
      out += fmt::format("<span style='left:{}%{}'>{}</span>", 100 * part, shift,
                         date > 0 ? time_text(date) : "0");
    }
    return out;
  }

  std::string color_of(const std::string& user) const {
    const auto known = colors_.find(user);
    return known == colors_.end() ? "series5" : known->second;
  }

  std::string legend() const {
    std::string out;
    for (const auto& [user, color] : colors_)
      out += legend_entry(color, user.empty() ? "nobody named" : user);
    if (answer_.users.size() > kUserColors) out += legend_entry("series5", "other users");
    return out.empty() ? out : "<p class='legend'>" + out + "</p>\n";
  }

  std::string lanes() const {
    std::string names;
    for (std::size_t n = 0; n < answer_.node_gpus.size(); ++n)
      names += element("div", fmt::format("node {}", n));
    std::string drawn;
    for (const JobBar& bar : answer_.bars)
      for (std::size_t p = 0; p < bar.nodes.size(); ++p)
        add(drawn, bar, static_cast<std::size_t>(bar.nodes[p]), bar.gpus[p]);
    return frame(names, kLane * static_cast<double>(answer_.node_gpus.size()), drawn);
  }

  /// GPUs that lie side by side are one rectangle; a job without any is a line at the foot.
  void add(std::string& out, const JobBar& bar, std::size_t node,
           const std::vector<int>& gpus) const {
    const double lane = (kLane - 2) / std::max(1, answer_.node_gpus[node]);
    const double top = kLane * static_cast<double>(node) + 1;
    if (gpus.empty()) return add(out, bar, top + kLane - 4, 2);
    std::vector<int> sorted = gpus;
    std::ranges::sort(sorted);
    for (std::size_t i = 0; i < sorted.size();) {
      std::size_t end = i + 1;
      while (end < sorted.size() && sorted[end] == sorted[end - 1] + 1) ++end;
      add(out, bar, top + lane * sorted[i], lane * static_cast<double>(end - i));
      i = end;
    }
  }

  void add(std::string& out, const JobBar& bar, double top, double height) const {
    const cluster::JobAnswer& job = answer_.jobs[bar.job];
    const double from = place(bar.start_s);
    const double width = place(bar.end_s) - from;
    const bool held_back = !job.held_back_by.empty();
    const std::string words = fmt::format(
        "{}{}, {} from {}{}{}", job.id, job.user.empty() ? "" : " of " + job.user,
        time_text(bar.end_s - bar.start_s), bar.start_s > 0 ? time_text(bar.start_s) : "0",
        bar.finished ? "" : ", then stopped or not done",
        held_back ? fmt::format("; held back by {}", job.held_back_by) : "");
    out += fmt::format(
        "<rect class='{}' stroke-width='0' fill-opacity='{}' x='{:.1f}' y='{:.2f}' width='{:.1f}' "
        "height='{:.2f}'><title>{}</title></rect>",
        color_of(job.user), bar.finished ? 1 : 0.5, from, top, width, height * 0.94,
        escaped(words));
    if (held_back)
      out += fmt::format(
          "<rect fill='currentColor' x='{:.1f}' y='{:.2f}' width='{:.1f}' height='{:.2f}'/>", from,
          top + height * 0.74, width, height * 0.2);
  }

  std::string map() const {
    const std::size_t nodes = answer_.node_gpus.size();
    const std::size_t each = (nodes + kMostRows - 1) / kMostRows;
    const std::size_t rows = (nodes + each - 1) / each;
    std::vector<double> held(rows * kColumns, 0.0);
    std::vector<double> gpus(rows, 0.0);
    for (std::size_t n = 0; n < nodes; ++n) gpus[n / each] += answer_.node_gpus[n];
    const double column = length_ / kColumns;
    for (const JobBar& bar : answer_.bars)
      for (std::size_t p = 0; p < bar.nodes.size(); ++p) {
        const std::size_t row = static_cast<std::size_t>(bar.nodes[p]) / each;
        const auto first = static_cast<std::size_t>(
            std::clamp(std::floor((bar.start_s - start_) / column), 0.0, kColumns - 1.0));
        for (std::size_t c = first; c < kColumns; ++c) {
          const double from = start_ + column * static_cast<double>(c);
          if (from >= bar.end_s) break;
          const double part = std::min(bar.end_s, from + column) - std::max(bar.start_s, from);
          held[row * kColumns + c] +=
              std::max(0.0, part / column) * bar.share * static_cast<double>(bar.gpus[p].size());
        }
      }
    std::string names;
    std::string drawn;
    for (std::size_t row = 0; row < rows; ++row) {
      const std::size_t last = std::min(nodes, (row + 1) * each) - 1;
      names += element("div", each == 1 ? fmt::format("node {}", row)
                                        : fmt::format("nodes {} to {}", row * each, last));
      for (std::size_t c = 0; c < kColumns; ++c) {
        const double part = gpus[row] > 0 ? std::min(1.0, held[row * kColumns + c] / gpus[row]) : 0;
        if (part > 0.005)
          drawn += fmt::format(
              "<rect class='compute' fill-opacity='{:.2f}' x='{:.1f}' y='{:.1f}' width='{:.1f}' "
              "height='{}'><title>{:.0f} % held</title></rect>",
              part, kLaneWidth / kColumns * static_cast<double>(c),
              kLane * static_cast<double>(row) + 1, kLaneWidth / kColumns, kLane - 2, 100 * part);
      }
    }
    return frame(names, kLane * static_cast<double>(rows), drawn);
  }

  const Answer& answer_;
  double start_, length_;
  std::map<std::string, std::string> colors_;  ///< class of a user
};

}  // namespace

std::string gantt_chart(const Answer& answer) { return Gantt(answer).markup(); }

}  // namespace gpufeed::html
