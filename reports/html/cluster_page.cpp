// SPDX-License-Identifier: Apache-2.0
#include "reports/html/cluster_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/html/gantt.h"
#include "reports/html/markup.h"
#include "reports/writers/cluster_text.h"
#include "reports/writers/layout.h"
#include "sim/base/units.h"

namespace gpufeed::html {
namespace {

using cluster::Answer;
using cluster::JobGroup;
using cluster::LoadSlice;

constexpr double kHour = 3600;
constexpr std::size_t kPoints = 80;  ///< of a line

/// Means over stretches that a line has room for.
template <class Value>
Series line_of(const std::string& name, const Answer& answer, std::string_view unit,
               Value&& value_of) {
  Series series{name, {}, true};
  const std::size_t each = (answer.load.size() + kPoints - 1) / kPoints;
  for (std::size_t i = 0; i < answer.load.size(); i += each) {
    const std::size_t end = std::min(answer.load.size(), i + each);
    double mean = 0;
    for (std::size_t j = i; j < end; ++j)
      mean += value_of(answer.load[j]) / static_cast<double>(end - i);
    const double from = answer.load[i].start_s;
    const double to = answer.load[end - 1].end_s;
    series.points.push_back(
        {(from + to) / 2 / kHour, mean,
         fmt::format("{}: {} {}, {} h to {} h", name, text_number(mean, 3), unit,
                     text_number(from / kHour, 4), text_number(to / kHour, 4))});
  }
  return series;
}

std::string load_markup(const Answer& answer) {
  std::string out;
  for (const HeadedChart& one : load_charts(answer))
    out += element("h3", one.heading) + one.chart.markup();
  return out;
}

Table groups_table(const std::string& title, const std::string& what,
                   const std::vector<JobGroup>& groups) {
  const bool powered = !groups.empty() && groups.front().energy_kWh;
  Table table{title,
              {what, "jobs", "mean wait", "median", "95 %", "turnaround", "allocated GPU-h", "busy",
               "useful"},
              {},
              1};
  if (powered) table.columns.insert(table.columns.end(), {"kWh", "USD"});
  for (const JobGroup& one : groups) {
    table.rows.push_back({one.name.empty() ? "(nobody)" : one.name, std::to_string(one.jobs),
                          time_text(one.wait_s.mean), time_text(one.wait_s.median),
                          time_text(one.wait_s.p95), time_text(one.turnaround_s.mean),
                          text_number(one.allocated_gpu_h, 4), text_number(one.busy_gpu_h, 4),
                          text_number(one.useful_gpu_h, 4)});
    if (!powered) continue;
    table.rows.back().push_back(text_number(*one.energy_kWh, 4));
    table.rows.back().push_back(text_number(*one.cost_USD, 4));
  }
  return table;
}

std::string cards(const Answer& answer) {
  const auto& totals = answer.totals;
  const auto part = [&](double hours) {
    return percent(totals.capacity_gpu_h > 0 ? hours / totals.capacity_gpu_h : 0);
  };
  const auto hours = [](double value) { return text_number(value, 4) + " GPU-hours"; };
  std::string out = card("Jobs done", std::to_string(totals.jobs_done),
                         fmt::format("in {}, {} an hour", time_text(totals.makespan_s),
                                     text_number(totals.jobs_per_h, 3))) +
                    card("Allocated", part(totals.allocated_gpu_h), hours(totals.allocated_gpu_h)) +
                    card("Truly busy", part(totals.busy_gpu_h), hours(totals.busy_gpu_h)) +
                    card("Useful", part(totals.useful_gpu_h), hours(totals.useful_gpu_h)) +
                    card("Mean wait", time_text(answer.wait_s.mean),
                         fmt::format("median {}, 95 % within {}", time_text(answer.wait_s.median),
                                     time_text(answer.wait_s.p95)));
  for (const auto& value : answer.repeated)
    if (value.name == "mean_wait_s")
      out += card("Mean wait of repeats", time_text(value.mean),
                  fmt::format("{} to {}, with {} more", time_text(value.least),
                              time_text(value.most), answer.repeats));
  return "<div class='cards'>" + out + "</div>\n";
}

}  // namespace

std::vector<HeadedChart> load_charts(const Answer& answer) {
  if (answer.load.empty()) return {};
  std::vector<HeadedChart> out;
  if (!answer.stores.empty()) {
    Chart stores{"Load of each store over time", "hours", "% of its bandwidth", {}, {}, false};
    for (std::size_t s = 0; s < answer.stores.size(); ++s) {
      const auto& store = answer.stores[s];
      stores.series.push_back(line_of(store.name, answer, "%", [&](const LoadSlice& slice) {
        return 100 * slice.stores_Bps[s] / store.bandwidth_Bps;
      }));
    }
    out.push_back({"Load of each store", std::move(stores)});
  }
  Chart queue{"Jobs that wait over time", "hours", "jobs", {}, {}, false};
  queue.series.push_back(
      line_of("waiting", answer, "jobs", [](const LoadSlice& slice) { return slice.waiting; }));
  out.push_back({"Queue", std::move(queue)});
  Chart gpus{"GPUs that jobs hold over time", "hours", "GPUs", {}, {}, false};
  gpus.series.push_back(line_of("allocated", answer, "GPUs",
                                [](const LoadSlice& slice) { return slice.allocated_gpus; }));
  out.push_back({"GPUs held", std::move(gpus)});
  return out;
}

std::string to_html(const Answer& answer, const PageHead& head) {
  std::string body = cards(answer);
  body += section("gantt", "Jobs on nodes", gantt_chart(answer));
  body += section("load", "Over time", load_markup(answer));
  body += section("groups", "By user and by size",
                  groups_table("By user", "user", answer.users).markup() +
                      groups_table("By GPUs of a job", "GPUs", answer.sizes).markup());
  return page(head, body + section("text", "As text", element("pre", to_text(answer))));
}

}  // namespace gpufeed::html
