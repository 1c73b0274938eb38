// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "reports/html/gantt.h"
#include "reports/writers/layout.h"

namespace gpufeed::html {
namespace {

using cluster::Answer;
using cluster::JobBar;

constexpr std::size_t kMostBars = 2000;
constexpr std::size_t kMostRows = 60;  ///< of nodes, in a map of how full they are
constexpr std::size_t kColumns = 120;  ///< of its time
constexpr double kGap = 0.05;          ///< above and below a row's lanes

class Maker {
 public:
  explicit Maker(const Answer& answer) : answer_(answer) {
    out_.start_s = answer.load.empty() ? 0 : answer.load.front().start_s;
    out_.length_s = std::max(1e-9, answer.totals.makespan_s);
    std::vector<const cluster::JobGroup*> users;
    for (const auto& user : answer.users) users.push_back(&user);
    std::ranges::stable_sort(users, std::ranges::greater{},
                             [](const auto* user) { return user->allocated_gpu_h; });
    for (std::size_t i = 0; i < std::min(users.size(), Gantt::kUserColors); ++i)
      colors_[users[i]->name] = i;
    out_.users.assign(colors_.begin(), colors_.end());
    out_.has_others = answer.users.size() > Gantt::kUserColors;
  }

  Gantt make() {
    std::size_t bars = 0;
    for (const JobBar& bar : answer_.bars) bars += bar.nodes.size();
    out_.is_map = bars > kMostBars || answer_.node_gpus.size() > kMostRows;
    out_.note = out_.is_map ? "Rows are nodes, or as many neighbors; the darker, the more of "
                              "their GPUs jobs hold."
                            : "Rows are nodes, and lanes in them GPUs. An edge below: others "
                              "on the same store or link held the job back.";
    if (out_.is_map)
      add_map();
    else
      add_lanes();
    return std::move(out_);
  }

 private:
  double place(double date) const {
    return std::clamp((date - out_.start_s) / out_.length_s, 0.0, 1.0);
  }

  void add_lanes() {
    for (std::size_t n = 0; n < answer_.node_gpus.size(); ++n)
      out_.rows.push_back(fmt::format("node {}", n));
    for (const JobBar& bar : answer_.bars)
      for (std::size_t p = 0; p < bar.nodes.size(); ++p)
        add(bar, static_cast<std::size_t>(bar.nodes[p]), bar.gpus[p]);
  }

  /// GPUs that lie side by side are one piece; a job without any is a line at the foot.
  void add(const JobBar& bar, std::size_t node, const std::vector<int>& gpus) {
    constexpr double kLine = 2 * kGap;
    const double lane = (1 - 2 * kGap) / std::max(1, answer_.node_gpus[node]);
    const double top = static_cast<double>(node) + kGap;
    if (gpus.empty()) return add(bar, top + 1 - 2 * kLine, kLine);
    std::vector<int> sorted = gpus;
    std::ranges::sort(sorted);
    for (std::size_t i = 0; i < sorted.size();) {
      std::size_t end = i + 1;
      while (end < sorted.size() && sorted[end] == sorted[end - 1] + 1) ++end;
      add(bar, top + lane * sorted[i], lane * static_cast<double>(end - i));
      i = end;
    }
  }

  void add(const JobBar& bar, double top, double height) {
    const cluster::JobAnswer& job = answer_.jobs[bar.job];
    const bool held_back = !job.held_back_by.empty();
    const auto color = colors_.find(job.user);
    out_.pieces.push_back(
        {place(bar.start_s), place(bar.end_s), top, height,
         color == colors_.end() ? Gantt::kUserColors : color->second, bar.finished ? 1 : 0.5,
         held_back,
         fmt::format("{}{}, {} from {}{}{}", job.id, job.user.empty() ? "" : " of " + job.user,
                     time_text(bar.end_s - bar.start_s),
                     bar.start_s > 0 ? time_text(bar.start_s) : "0",
                     bar.finished ? "" : ", then stopped or not done",
                     held_back ? fmt::format("; held back by {}", job.held_back_by) : "")});
  }

  void add_map() {
    const std::size_t nodes = answer_.node_gpus.size();
    const std::size_t each = (nodes + kMostRows - 1) / kMostRows;
    const std::size_t rows = (nodes + each - 1) / each;
    std::vector<double> held(rows * kColumns, 0.0);
    std::vector<double> gpus(rows, 0.0);
    for (std::size_t n = 0; n < nodes; ++n) gpus[n / each] += answer_.node_gpus[n];
    const double column = out_.length_s / kColumns;
    for (const JobBar& bar : answer_.bars)
      for (std::size_t p = 0; p < bar.nodes.size(); ++p) {
        const std::size_t row = static_cast<std::size_t>(bar.nodes[p]) / each;
        const auto first = static_cast<std::size_t>(
            std::clamp(std::floor((bar.start_s - out_.start_s) / column), 0.0, kColumns - 1.0));
        for (std::size_t c = first; c < kColumns; ++c) {
          const double from = out_.start_s + column * static_cast<double>(c);
          if (from >= bar.end_s) break;
          const double part = std::min(bar.end_s, from + column) - std::max(bar.start_s, from);
          held[row * kColumns + c] +=
              std::max(0.0, part / column) * bar.share * static_cast<double>(bar.gpus[p].size());
        }
      }
    for (std::size_t row = 0; row < rows; ++row) {
      const std::size_t last = std::min(nodes, (row + 1) * each) - 1;
      out_.rows.push_back(each == 1 ? fmt::format("node {}", row)
                                    : fmt::format("nodes {} to {}", row * each, last));
      for (std::size_t c = 0; c < kColumns; ++c) {
        const double part = gpus[row] > 0 ? std::min(1.0, held[row * kColumns + c] / gpus[row]) : 0;
        if (part > 0.005)
          out_.pieces.push_back({static_cast<double>(c) / kColumns,
                                 static_cast<double>(c + 1) / kColumns,
                                 static_cast<double>(row) + kGap, 1 - 2 * kGap, 0, part, false,
                                 fmt::format("{:.0f} % held", 100 * part)});
      }
    }
  }

  const Answer& answer_;
  Gantt out_;
  std::map<std::string, std::size_t> colors_;
};

}  // namespace

Gantt gantt_of(const Answer& answer) { return Maker(answer).make(); }

}  // namespace gpufeed::html
