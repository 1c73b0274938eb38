// SPDX-License-Identifier: Apache-2.0
#include "sim/cluster/answer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "sim/cluster/draw.h"
#include "sim/cluster/make_case.h"
#include "sim/cluster/outcome.h"
#include "sim/cluster/totals.h"

namespace gpufeed::cluster {
namespace {

constexpr double kHour = 3600;
constexpr double kJoules = 3.6e6;     ///< of a kilowatt-hour
constexpr double kSlowed = 0.001;     ///< of a job's time at work; less is none
constexpr std::size_t kSlices = 400;  ///< of the time, at most

bool power_known(const Document& document) {
  return std::ranges::all_of(document.cluster.nodes,
                             [](const NodeGroup& group) { return group.power.has_value(); });
}

Spread spread_of(std::vector<double> values) {
  if (values.empty()) return {};
  std::ranges::sort(values);
  const auto rank = [&](double part) {
    const double n = std::ceil(part * static_cast<double>(values.size()));
    return values[static_cast<std::size_t>(std::max(n, 1.0)) - 1];
  };
  double sum = 0;
  for (const double value : values) sum += value;
  return {sum / static_cast<double>(values.size()), rank(0.5), rank(0.95)};
}

/// What was seen of jobs that finished.
struct Seen {
  std::vector<double> wait, turnaround, slowdown;
  JobGroup sum;
  double energy_J = 0;
  double cost = 0;

  void add(const Job& job, const JobRecord& record) {
    const double turned = *record.end - job.arrival;
    wait.push_back(*record.start - job.arrival);
    turnaround.push_back(turned);
    slowdown.push_back(bounded_slowdown(job, turned));
    ++sum.jobs;
    sum.allocated_gpu_h += record.held / kHour;
    sum.busy_gpu_h += record.busy / kHour;
    sum.useful_gpu_h += (record.busy - record.lost) / kHour;
    energy_J += record.energy;
    cost += record.cost;
  }
  JobGroup group(std::string name, bool power_known) const {
    JobGroup out = sum;
    if (power_known) {
      out.energy_kWh = energy_J / kJoules;
      out.cost_USD = cost;
    }
    out.name = std::move(name);
    out.wait_s = spread_of(wait);
    out.turnaround_s = spread_of(turnaround);
    out.bounded_slowdown = spread_of(slowdown);
    return out;
  }
};

void add_groups(Answer& answer, const Document& document, const Case& of, const Outcome& outcome) {
  Seen all;
  std::map<std::string, Seen> users;
  std::map<int, Seen> sizes;
  for (std::size_t i = 0; i < of.jobs.size(); ++i) {
    const JobRecord& record = outcome.jobs[i];
    if (!record.end) continue;
    for (Seen* const one : {&all, &users[document.cluster.jobs[i].user], &sizes[of.jobs[i].gpus]})
      one->add(of.jobs[i], record);
  }
  const bool powered = power_known(document);
  const JobGroup whole = all.group("", powered);
  answer.wait_s = whole.wait_s;
  answer.turnaround_s = whole.turnaround_s;
  answer.bounded_slowdown = whole.bounded_slowdown;
  for (const auto& [name, seen] : users) answer.users.push_back(seen.group(name, powered));
  for (const auto& [gpus, seen] : sizes)
    answer.sizes.push_back(seen.group(std::to_string(gpus), powered));
}

/// What a resource cost those whom it held back.
template <class Use>
void add_slowed(Use& use, const Case& of, const Outcome& outcome, int first, int last) {
  for (std::size_t i = 0; i < of.jobs.size(); ++i) {
    const JobRecord& record = outcome.jobs[i];
    double slowed = 0;
    for (const HeldBy& one : record.held_by)
      if (one.resource >= first && one.resource <= last) slowed += one.time;
    use.slowed_s += slowed;
    use.slowed_gpu_h += slowed * static_cast<double>(of.jobs[i].held_milli()) / kMilli / kHour;
    if (slowed > kSlowed * record.working) ++use.jobs_slowed;
  }
}

void add_stores(Answer& answer, const Document& document, const Case& of, const Outcome& outcome) {
  constexpr double kFull = 0.999;
  for (std::size_t s = 0; s < of.stores.size(); ++s) {
    StoreUse use;
    use.name = document.stores.name(s);
    use.bandwidth_Bps = of.stores[s].bandwidth;
    for (std::size_t m = 0; m + 1 < outcome.moments.size(); ++m) {
      const Moment& moment = outcome.moments[m];
      if (moment.stores.empty() || moment.stores[s] < kFull * use.bandwidth_Bps) continue;
      use.full_s += outcome.moments[m + 1].at - moment.at;
    }
    for (std::size_t i = 0; i < of.jobs.size(); ++i) {
      if (at(of.jobs[i].store) != s) continue;
      use.bytes += outcome.jobs[i].bytes;
      use.written_bytes += outcome.jobs[i].written;
    }
    add_slowed(use, of, outcome, static_cast<int>(s), static_cast<int>(s));
    if (answer.totals.makespan_s > 0)
      use.mean_load =
          (use.bytes + use.written_bytes) / use.bandwidth_Bps / answer.totals.makespan_s;
    answer.stores.push_back(std::move(use));
  }
  const auto stores = static_cast<int>(of.stores.size());
  std::int64_t first = 0;
  for (const NodeGroup& group : document.cluster.nodes) {
    if (group.link && stores > 0) {
      LinkUse use{first, group.count, group.link->value};
      add_slowed(use, of, outcome, stores + static_cast<int>(first),
                 stores + static_cast<int>(first + group.count) - 1);
      answer.links.push_back(use);
    }
    first += group.count;
  }
}

void add_energy(Answer& answer, const Document& document, const Case& of, const Outcome& outcome) {
  if (!power_known(document)) return;
  EnergyUse use;
  double of_jobs = 0;
  double computing = 0;
  double idle_cost = 0;
  double paid = 0;
  for (std::size_t i = 0; i < of.jobs.size(); ++i) {
    of_jobs += outcome.jobs[i].energy;
    paid += outcome.jobs[i].cost;
  }
  computing = of_jobs - outcome.held_idle_energy;
  use.energy_kWh = (outcome.idle_energy + computing) / kJoules;
  use.idle_kWh = use.energy_kWh - of_jobs / kJoules;
  for (const Node& node : of.nodes) idle_cost += node.cost_per_s * answer.totals.makespan_s;
  use.idle_cost_USD = idle_cost + outcome.idle_energy_cost - outcome.held_cost;
  use.cost_USD = paid + use.idle_cost_USD;
  use.electricity_alone = std::ranges::none_of(document.cluster.nodes, [](const NodeGroup& group) {
    return group.cost_per_hour.has_value();
  });
  answer.energy = use;
}

/// Means over stretches of equal length.
void add_load(Answer& answer, const Case& of, const Outcome& outcome) {
  const double length = answer.totals.makespan_s / static_cast<double>(kSlices);
  if (length <= 0 || outcome.moments.empty()) return;
  for (std::size_t i = 0; i < kSlices; ++i)
    answer.load.push_back({outcome.first_arrival + length * static_cast<double>(i),
                           outcome.first_arrival + length * static_cast<double>(i + 1), 0, 0,
                           std::vector<double>(of.stores.size(), 0.0)});
  for (std::size_t m = 0; m < outcome.moments.size(); ++m) {
    const Moment& moment = outcome.moments[m];
    const double end =
        m + 1 < outcome.moments.size() ? outcome.moments[m + 1].at : outcome.last_end;
    const double first = std::floor((moment.at - outcome.first_arrival) / length);
    for (auto i = static_cast<std::size_t>(std::max(0.0, first)); i < kSlices; ++i) {
      LoadSlice& slice = answer.load[i];
      if (slice.start_s >= end) break;
      const double part =
          (std::min(end, slice.end_s) - std::max(moment.at, slice.start_s)) / length;
      if (part <= 0) continue;
      slice.waiting += part * static_cast<double>(moment.waiting);
      slice.allocated_gpus += part * static_cast<double>(moment.held_milli) / kMilli;
      for (std::size_t s = 0; s < moment.stores.size(); ++s)
        slice.stores_Bps[s] += part * moment.stores[s];
    }
  }
}

void add_bars(Answer& answer, const Case& of, const Outcome& outcome) {
  for (const Attempt& attempt : outcome.attempts) {
    JobBar bar{at(attempt.job), attempt.start, attempt.end};
    for (const Part& part : attempt.at.parts) {
      bar.nodes.push_back(part.node);
      bar.gpus.push_back(part.gpus);
    }
    bar.finished = attempt.finished;
    bar.share = static_cast<double>(of.jobs[bar.job].milli) / kMilli;
    answer.bars.push_back(std::move(bar));
  }
}

std::string name_of_resource(int resource, const Document& document) {
  const auto stores = static_cast<int>(document.stores.size());
  return resource < stores ? document.stores.name(at(resource))
                           : fmt::format("link of node {}", resource - stores);
}

void add_held_back(JobAnswer& job, const JobRecord& record, const Document& document) {
  double most = kSlowed * record.working;
  for (const HeldBy& one : record.held_by) {
    job.held_back_s += one.time;
    if (one.time <= most) continue;
    most = one.time;
    job.held_back_by = name_of_resource(one.resource, document);
  }
}

void add_jobs(Answer& answer, const Document& document, const Case& of, const Outcome& outcome) {
  for (std::size_t i = 0; i < of.jobs.size(); ++i) {
    const JobRow& row = document.cluster.jobs[i];
    const JobRecord& record = outcome.jobs[i];
    JobAnswer job;
    job.id = row.id;
    job.user = row.user;
    job.pool = row.pool;
    job.arrival_s = of.jobs[i].arrival;
    job.start_s = record.start;
    job.end_s = record.end;
    job.refused = record.refused;
    job.attempts = record.attempts;
    for (const Part& part : record.at.parts) {
      job.nodes.push_back(part.node);
      job.gpus.emplace_back(part.gpus.begin(), part.gpus.end());
    }
    job.interference = interference(record);
    add_held_back(job, record, document);
    if (power_known(document)) {
      job.energy_kWh = record.energy / kJoules;
      job.cost_USD = record.cost;
    }
    job.allocated_gpu_h = record.held / kHour;
    job.busy_gpu_h = record.busy / kHour;
    job.lost_gpu_h = record.lost / kHour;
    job.bytes = record.bytes;
    answer.jobs.push_back(std::move(job));
  }
}

/// Totals that repeats are held against.
constexpr std::array kRepeated{&Totals::makespan_s,        &Totals::mean_wait_s,
                               &Totals::mean_turnaround_s, &Totals::allocated_share,
                               &Totals::busy_share,        &Totals::jobs_per_h};

std::string_view name_of_total(double Totals::*member) {
  std::string_view name;
  Totals::fields([&]<class M>(const Field<Totals, M>& field) {
    if constexpr (std::same_as<M, double>)
      if (field.member == member) name = field.name;
  });
  return name;
}

Outcome outcome_of(const Case& of, const std::function<Talk()>& foreign) {
  return foreign ? run(of, foreign_scheduler(of, foreign())) : run(of);
}

bool has_chance(const Document& document, const Case& of) {
  const auto fails = [](const auto& one) { return std::isfinite(one.mtbf); };
  return !document.cluster.streams.empty() || std::ranges::any_of(of.nodes, fails) ||
         std::ranges::any_of(of.stores, fails);
}

/// \param cases  the answer's own first, then its repeats
void add_repeats(Answer& answer, std::vector<Case>& cases, const std::function<Talk()>& foreign) {
  answer.repeats = static_cast<std::int64_t>(cases.size()) - 1;
  if (answer.repeats == 0) return;
  std::vector<Totals> all{answer.totals};
  for (std::size_t i = 1; i < cases.size(); ++i) {
    cases[i].policy = answer.scheduler;
    all.push_back(totals_of(cases[i], outcome_of(cases[i], foreign)));
  }
  for (const auto member : kRepeated) {
    RepeatedValue value{std::string(name_of_total(member)), answer.totals.*member};
    value.least = value.most = value.told;
    for (const Totals& one : all) {
      value.mean += one.*member / static_cast<double>(all.size());
      value.least = std::min(value.least, one.*member);
      value.most = std::max(value.most, one.*member);
    }
    answer.repeated.push_back(std::move(value));
  }
}

Answer answer_under(const Document& document, Case& of, const std::string& name,
                    const Policy& policy, const std::function<Talk()>& foreign) {
  of.policy = policy;
  const Outcome outcome = outcome_of(of, foreign);
  Answer answer;
  answer.title = document.title;
  answer.name = name;
  answer.scheduler = policy;
  answer.nodes = static_cast<std::int64_t>(of.nodes.size());
  for (const Node& node : of.nodes) answer.gpus += node.gpus;
  answer.totals = totals_of(of, outcome);
  add_groups(answer, document, of, outcome);
  add_stores(answer, document, of, outcome);
  add_jobs(answer, document, of, outcome);
  add_energy(answer, document, of, outcome);
  add_load(answer, of, outcome);
  add_bars(answer, of, outcome);
  for (const Node& node : of.nodes) answer.node_gpus.push_back(node.gpus);
  if (answer.totals.allocated_gpu_h > 0)
    answer.goodput = answer.totals.useful_gpu_h / answer.totals.allocated_gpu_h;
  return answer;
}

Named<Policy> all_policies(const Document& document) {
  Named<Policy> out;
  if (document.cluster.scheduler || document.cluster.policies.empty())
    out["scheduler"] = document.cluster.scheduler.value_or(Policy{});
  for (const auto& [name, policy] : document.cluster.policies) out[name] = policy;
  return out;
}

}  // namespace

std::vector<std::string> schedulers_of(const Document& document) {
  std::vector<std::string> out;
  for (const auto& [name, policy] : all_policies(document)) out.push_back(name);
  return out;
}

Answer answer_of(const Document& document, const std::optional<std::string>& only,
                 const std::function<Talk()>& foreign) {
  const auto rates = own_rates(document);
  const Document drawn =
      with_streams(document, rates, static_cast<std::uint64_t>(document.cluster.seed));
  std::vector<Case> cases = with_repeats(document, rates);
  std::optional<Answer> first;
  for (const auto& [name, policy] : all_policies(document)) {
    if (only && name != *only) continue;
    Answer answer = answer_under(drawn, cases.front(), name, policy, foreign);
    answer.is_drawn = has_chance(document, cases.front());
    add_repeats(answer, cases, foreign);
    if (first)
      first->policies.push_back(std::move(answer));
    else
      first = std::move(answer);
    if (foreign) break;
  }
  return std::move(*first);
}

}  // namespace gpufeed::cluster
