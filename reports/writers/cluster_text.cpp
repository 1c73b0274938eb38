// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/cluster_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reports/writers/csv_line.h"
#include "reports/writers/layout.h"
#include "sim/base/units.h"

namespace gpufeed {
namespace {

using cluster::Answer;
using cluster::JobGroup;

constexpr std::size_t kIndent = 14;
constexpr std::size_t kMostRows = 6;  ///< of users, of sizes

std::string hours(double value) { return text_number(value, 4); }

std::string of_capacity(double part, const Answer& answer) {
  const double all = answer.totals.capacity_gpu_h;
  return fmt::format("{} ({})", hours(part), percent(all > 0 ? part / all : 0));
}

std::string words_of(const cluster::Policy& policy) {
  std::string out = fmt::format("{}, backfill {}, placement {}", name_of(policy.order),
                                name_of(policy.backfill), name_of(policy.placement));
  if (policy.split) out += ", jobs split";
  if (policy.storage_aware > 0)
    out += fmt::format(", stores asked for {} at most{}", percent(policy.storage_aware),
                       policy.storage_soft ? " where GPUs are wanted by others" : "");
  if (policy.preempt) out += ", with preemption";
  if (policy.reclaim != cluster::Reclaim::never)
    out += fmt::format(", quotas reclaimed from {}",
                       policy.reclaim == cluster::Reclaim::any ? "any" : "lower priority");
  return out;
}

std::string times_of(const cluster::Spread& spread) {
  return fmt::format("mean {}, median {}, 95 % within {}", time_text(spread.mean),
                     time_text(spread.median), time_text(spread.p95));
}

std::int64_t jobs_open(const Answer& answer) {
  return static_cast<std::int64_t>(answer.jobs.size()) - answer.totals.jobs_done -
         answer.totals.jobs_refused;
}

std::string gpu_hours(const Answer& answer) {
  const auto& totals = answer.totals;
  std::string out = labeled(
      "GPU-hours",
      fmt::format("{} there are; allocated {}; truly busy {}; useful {}",
                  hours(totals.capacity_gpu_h), of_capacity(totals.allocated_gpu_h, answer),
                  of_capacity(totals.busy_gpu_h, answer), of_capacity(totals.useful_gpu_h, answer)),
      kIndent);
  if (totals.allocated_gpu_h > 0)
    out += labeled(
        "Goodput",
        fmt::format("{} of what was allocated was useful{}", percent(answer.goodput),
                    jobs_open(answer) > 0 ? "; of jobs that are not done nothing counts" : ""),
        kIndent);
  if (totals.stranded_gpu_h > 0)
    out += labeled("Stranded",
                   of_capacity(totals.stranded_gpu_h, answer) +
                       " GPU-hours were free while a job waited for GPUs",
                   kIndent);
  if (totals.lost_gpu_h > 0)
    out += labeled("Lost",
                   of_capacity(totals.lost_gpu_h, answer) +
                       " GPU-hours of work that no checkpoint held when a job was stopped",
                   kIndent);
  return out;
}

/// What a store or a link cost those whom it held back.
template <class Use>
std::string slowed_text(const Use& use) {
  if (use.jobs_slowed == 0) return "nobody was slower because others used it";
  return fmt::format("{} jobs took longer than alone because others used it, {} GPU-hours in all",
                     use.jobs_slowed, hours(use.slowed_gpu_h));
}

std::string link_rows(const Answer& answer) {
  std::string out;
  for (const auto& link : answer.links)
    if (link.jobs_slowed > 0)
      out += labeled("Link",
                     fmt::format("of nodes {} to {}, {} each: {}", link.first_node,
                                 link.first_node + link.nodes - 1,
                                 text(Bandwidth{link.bandwidth_Bps}, 4), slowed_text(link)),
                     kIndent);
  return out;
}

std::string energy_rows(const Answer& answer) {
  if (!answer.energy) return "";
  const auto& use = *answer.energy;
  const auto part = [](double some, double all) { return percent(all > 0 ? some / all : 0); };
  std::string out =
      labeled("Energy",
              fmt::format("{} kWh; {} of it by nodes that no job had",
                          text_number(use.energy_kWh, 4), part(use.idle_kWh, use.energy_kWh)),
              kIndent);
  return out + labeled("Cost",
                       fmt::format("{} USD{}; {} of it for nodes that no job had",
                                   text_number(use.cost_USD, 4),
                                   use.electricity_alone ? ", electricity alone" : "",
                                   part(use.idle_cost_USD, use.cost_USD)),
                       kIndent);
}

std::string store_rows(const Answer& answer) {
  std::string out;
  for (const auto& store : answer.stores)
    out += labeled(
        "Store",
        fmt::format("{}, {}: {} read{}, mean load {}, full for {}; {}", store.name,
                    text(Bandwidth{store.bandwidth_Bps}, 4), text(Bytes{store.bytes}, 4),
                    store.written_bytes > 0
                        ? fmt::format(" and {} written", text(Bytes{store.written_bytes}, 4))
                        : "",
                    percent(store.mean_load), time_text(store.full_s), slowed_text(store)),
        kIndent);
  return out;
}

std::string repeat_rows(const Answer& answer) {
  std::string out;
  const auto add = [&](std::string_view name, std::string_view what, auto&& text_of) {
    for (const auto& value : answer.repeated)
      if (value.name == name)
        out += fmt::format("{}{} {} ({} to {})", out.empty() ? "" : "; ", what, text_of(value.mean),
                           text_of(value.least), text_of(value.most));
  };
  const auto time = [](double value) { return time_text(value); };
  add("mean_wait_s", "mean wait", time);
  add("allocated_share", "allocated", percent);
  add("jobs_per_h", "jobs an hour", [](double value) { return text_number(value, 3); });
  if (out.empty()) return "";
  return labeled("Repeats",
                 fmt::format("with {} more, {}lengths up to 0.1 % off: {}", answer.repeats,
                             answer.is_drawn ? "drawn anew, " : "", out),
                 kIndent);
}

std::string group_rows(std::string_view title, const std::vector<JobGroup>& groups) {
  if (groups.size() < 2) return "";
  const bool powered = groups.front().energy_kWh.has_value();
  std::string out =
      fmt::format("\n{:<12}{:>7}{:>12}{:>12}{:>12}{:>12}{:>10}{:>10}{:>10}{}\n", title, "jobs",
                  "mean wait", "median", "95 %", "turnaround", "allocated", "busy", "useful",
                  powered ? fmt::format("{:>9}{:>9}", "kWh", "USD") : "");
  for (std::size_t i = 0; i < std::min(groups.size(), kMostRows); ++i) {
    const JobGroup& one = groups[i];
    out += fmt::format("{:<12}{:>7}{:>12}{:>12}{:>12}{:>12}{:>10}{:>10}{:>10}{}\n",
                       clipped(one.name.empty() ? "(nobody)" : one.name, 11), one.jobs,
                       time_text(one.wait_s.mean), time_text(one.wait_s.median),
                       time_text(one.wait_s.p95), time_text(one.turnaround_s.mean),
                       hours(one.allocated_gpu_h), hours(one.busy_gpu_h), hours(one.useful_gpu_h),
                       powered ? fmt::format("{:>9}{:>9}", text_number(*one.energy_kWh, 4),
                                             text_number(*one.cost_USD, 4))
                               : "");
  }
  if (groups.size() > kMostRows)
    out += fmt::format("and {} more; --json has them all\n", groups.size() - kMostRows);
  return out;
}

std::string policy_row(const Answer& one) {
  return fmt::format("{:<30}{:>7}{:>12}{:>12}{:>12}{:>9}{:>9}{:>9}\n", clipped(one.name, 29),
                     one.totals.jobs_done, time_text(one.totals.mean_wait_s),
                     time_text(one.wait_s.p95), time_text(one.totals.makespan_s),
                     percent(one.totals.allocated_share), percent(one.totals.busy_share),
                     hours(one.totals.useful_gpu_h));
}

std::string policy_rows(const Answer& answer) {
  if (answer.policies.empty()) return "";
  std::string out =
      fmt::format("\n{:<30}{:>7}{:>12}{:>12}{:>12}{:>9}{:>9}{:>9}\n", "Schedulers", "done",
                  "mean wait", "95 %", "makespan", "alloc.", "busy", "useful");
  out += policy_row(answer);
  for (const Answer& other : answer.policies) out += policy_row(other);
  return out;
}

std::string change_rows(const Answer& answer) {
  if (answer.changes.empty()) return "";
  const auto points = [](double part) { return fmt::format("{:+.1f} %", 100 * part); };
  std::string out = fmt::format("\n{:<50}{:>9}{:>21}{:>11}{:>12}\n", "What else would give", "gain",
                                "range", "mean wait", "turnaround");
  for (const auto& one : answer.changes) {
    const bool chance = one.gain_least <= 0 && one.gain_most >= 0;
    out += fmt::format(
        "{:<50}{:>9}{:>21}{:>11}{:>12}\n", clipped(one.change, 49),
        chance ? "none" : points(one.gain),
        chance ? "" : fmt::format("{} to {}", points(one.gain_least), points(one.gain_most)),
        time_text(one.mean_wait_s), time_text(one.mean_turnaround_s));
  }
  return out;
}

/// The first of them by name.
std::string refused_jobs(const Answer& answer) {
  constexpr std::size_t kNamed = 5;
  std::vector<std::string> names;
  for (const auto& job : answer.jobs)
    if (job.refused) names.push_back(job.id);
  const std::string more = names.size() > kNamed ? ", ..." : "";
  names.resize(std::min(names.size(), kNamed));
  return fmt::format("{}{}", fmt::join(names, ", "), more);
}

std::string not_done(const Answer& answer) {
  const std::int64_t open = jobs_open(answer);
  std::string out;
  if (answer.totals.jobs_refused > 0)
    out += fmt::format("; {} refused, which no machines here could hold: {}",
                       answer.totals.jobs_refused, refused_jobs(answer));
  if (open > 0) out += fmt::format("; {} not done", open);
  return out;
}

std::string text_of(std::int64_t value) { return std::to_string(value); }
std::string text_of(double value) { return fmt::format("{}", value); }
std::string text_of(bool value) { return value ? "true" : "false"; }
std::string text_of(const std::string& value) { return csv_text(value); }
std::string text_of(const std::optional<double>& value) { return value ? text_of(*value) : ""; }
std::string text_of(const std::vector<std::int64_t>& list) {
  return fmt::format("{}", fmt::join(list, " "));
}
std::string text_of(const std::vector<std::vector<std::int64_t>>& lists) {
  std::vector<std::string> parts;
  parts.reserve(lists.size());
  for (const auto& list : lists) parts.push_back(text_of(list));
  return fmt::format("{}", fmt::join(parts, " | "));
}

void add_rows(std::string& out, const Answer& answer) {
  for (const auto& job : answer.jobs) {
    std::vector<std::string> fields{csv_text(answer.name)};
    cluster::JobAnswer::fields(
        [&](const auto& field) { fields.push_back(text_of(job.*field.member)); });
    out += csv_line(fields);
  }
}

}  // namespace

std::string to_text(const Answer& answer) {
  const auto& totals = answer.totals;
  std::string out = (answer.title.empty() ? "A shared cluster" : answer.title) + "\n\n";
  out += labeled("Machines",
                 fmt::format("{} nodes, {} GPUs", text_number(static_cast<double>(answer.nodes), 9),
                             text_number(static_cast<double>(answer.gpus), 9)),
                 kIndent);
  out += labeled("Scheduler",
                 answer.command.empty() ? words_of(answer.scheduler)
                                        : fmt::format("{}, placement {}", answer.command,
                                                      name_of(answer.scheduler.placement)),
                 kIndent);
  out += labeled(
      "Jobs",
      fmt::format("{} done in {}, {} an hour{}", totals.jobs_done, time_text(totals.makespan_s),
                  text_number(totals.jobs_per_h, 3), not_done(answer)),
      kIndent);
  out += gpu_hours(answer);
  out += labeled("Wait", times_of(answer.wait_s), kIndent);
  out += repeat_rows(answer);
  out += labeled(
      "Turnaround",
      fmt::format("{}; {} times the work on the mean, bounded at 10 s",
                  times_of(answer.turnaround_s), text_number(totals.mean_bounded_slowdown, 3)),
      kIndent);
  out += store_rows(answer) + link_rows(answer) + energy_rows(answer);
  out += group_rows("By user", answer.users) + group_rows("By GPUs", answer.sizes);
  return out + policy_rows(answer) + change_rows(answer);
}

std::string to_csv(const Answer& answer) {
  std::vector<std::string> names{"scheduler"};
  cluster::JobAnswer::fields([&](const auto& field) { names.emplace_back(field.name); });
  std::string out = csv_line(names);
  add_rows(out, answer);
  for (const Answer& other : answer.policies) add_rows(out, other);
  return out;
}

}  // namespace gpufeed
