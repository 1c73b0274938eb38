// SPDX-License-Identifier: Apache-2.0
#include "ui/model/show/cluster_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/writers/layout.h"
#include "sim/base/units.h"

namespace gpufeed::ui {
namespace {

using cluster::Answer;
using cluster::JobGroup;
using cluster::RepeatedValue;

std::string number(double value) { return text_number(value, 4); }

std::vector<ServingCard> cards_of(const Answer& answer) {
  const auto& totals = answer.totals;
  const auto hours = [&](const char* name, double value) {
    return ServingCard{
        name, percent(totals.capacity_gpu_h > 0 ? value / totals.capacity_gpu_h : 0),
        fmt::format("{} of {} GPU-hours", number(value), number(totals.capacity_gpu_h))};
  };
  std::string refused;
  if (totals.jobs_refused > 0) refused = fmt::format("; {} refused", totals.jobs_refused);
  std::vector<ServingCard> out{
      {"Jobs done", text_number(static_cast<double>(totals.jobs_done), 15),
       fmt::format("in {}, {} an hour{}", time_text(totals.makespan_s), number(totals.jobs_per_h),
                   refused)},
      {"Mean wait", time_text(totals.mean_wait_s),
       fmt::format("median {}, 95 % within {}", time_text(answer.wait_s.median),
                   time_text(answer.wait_s.p95))},
      {"Mean turnaround", time_text(totals.mean_turnaround_s),
       fmt::format("slower by others on stores and links: {}",
                   percent(totals.mean_interference - 1))},
      hours("Allocated", totals.allocated_gpu_h),
      hours("Truly busy", totals.busy_gpu_h),
      hours("Useful", totals.useful_gpu_h)};
  const auto repeated = std::ranges::find(answer.repeated, "mean_wait_s", &RepeatedValue::name);
  if (repeated != answer.repeated.end())
    out[1].note =
        fmt::format("{} in {} runs: {} to {}", time_text(repeated->mean), answer.repeats + 1,
                    time_text(repeated->least), time_text(repeated->most));
  return out;
}

ServingTable groups_of(const std::string& title, const std::vector<JobGroup>& groups) {
  ServingTable table{title,
                     {"", "jobs", "mean wait", "95 %", "turnaround", "allocated GPU-h", "useful"}};
  for (const JobGroup& one : groups)
    table.rows.push_back({one.name.empty() ? "(nobody)" : one.name, std::to_string(one.jobs),
                          time_text(one.wait_s.mean), time_text(one.wait_s.p95),
                          time_text(one.turnaround_s.mean), number(one.allocated_gpu_h),
                          number(one.useful_gpu_h)});
  return table;
}

ServingTable stores_of(const Answer& answer) {
  ServingTable table{"Stores", {"", "bandwidth", "read", "mean load", "full for", "held back"}};
  for (const auto& one : answer.stores)
    table.rows.push_back({one.name, text(Bandwidth{one.bandwidth_Bps}, 3),
                          text(Bytes{one.bytes}, 3), percent(one.mean_load), time_text(one.full_s),
                          fmt::format("{} jobs", one.jobs_slowed)});
  return table;
}

}  // namespace

ClusterPage cluster_page(const Answer& answer) {
  ClusterPage page{cards_of(answer), html::gantt_of(answer), html::load_charts(answer), {}};
  if (!answer.stores.empty()) page.tables.push_back(stores_of(answer));
  page.tables.push_back(groups_of("By user", answer.users));
  page.tables.push_back(groups_of("By GPUs of a job", answer.sizes));
  return page;
}

}  // namespace gpufeed::ui
