// SPDX-License-Identifier: Apache-2.0
#include "sim/cluster/answer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "sim/base/numbers/random.h"
#include "sim/cluster/draw.h"
#include "sim/cluster/make_case.h"
#include "sim/cluster/outcome.h"
#include "sim/cluster/totals.h"

namespace gpufeed::cluster {
namespace {

constexpr double kHour = 3600;

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

  void add(const Job& job, const JobRecord& record) {
    const double turned = *record.end - job.arrival;
    wait.push_back(*record.start - job.arrival);
    turnaround.push_back(turned);
    slowdown.push_back(bounded_slowdown(job, turned));
    ++sum.jobs;
    sum.allocated_gpu_h += record.held / kHour;
    sum.busy_gpu_h += record.busy / kHour;
    sum.useful_gpu_h += (record.busy - record.lost) / kHour;
  }
  JobGroup group(std::string name) const {
    JobGroup out = sum;
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
  const JobGroup whole = all.group("");
  answer.wait_s = whole.wait_s;
  answer.turnaround_s = whole.turnaround_s;
  answer.bounded_slowdown = whole.bounded_slowdown;
  for (const auto& [name, seen] : users) answer.users.push_back(seen.group(name));
  for (const auto& [gpus, seen] : sizes) answer.sizes.push_back(seen.group(std::to_string(gpus)));
}

void add_stores(Answer& answer, const Document& document, const Case& of, const Outcome& outcome) {
  constexpr double kFull = 0.999;
  constexpr double kSlowed = 1.001;
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
      const Job& job = of.jobs[i];
      const JobRecord& record = outcome.jobs[i];
      if (at(job.store) != s || job.io <= 0) continue;
      use.bytes += record.bytes;
      use.slowed_s += record.working - record.alone;
      use.slowed_gpu_h +=
          (record.working - record.alone) * static_cast<double>(job.held_milli()) / kMilli / kHour;
      if (interference(record) >= kSlowed) ++use.jobs_slowed;
    }
    if (answer.totals.makespan_s > 0)
      use.mean_load = use.bytes / use.bandwidth_Bps / answer.totals.makespan_s;
    answer.stores.push_back(std::move(use));
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

std::string_view name_of(double Totals::*member) {
  std::string_view name;
  Totals::fields([&]<class M>(const Field<Totals, M>& field) {
    if constexpr (std::same_as<M, double>)
      if (field.member == member) name = field.name;
  });
  return name;
}

/// The same again with what could as well be: other lengths, other draws.
class Repeats {
 public:
  Repeats(const Document& document, const std::vector<std::vector<OwnRate>>& rates) {
    constexpr double kApart = 0.001;
    const auto seed = static_cast<std::uint64_t>(document.cluster.seed);
    Random random(seed);
    for (std::int64_t i = 1; i <= document.cluster.repeats; ++i) {
      const std::uint64_t other = seed + static_cast<std::uint64_t>(i);
      cases_.push_back(make_case(with_streams(document, rates, other)));
      cases_.back().seed = other;
      for (Job& job : cases_.back().jobs) job.work *= 1 + kApart * random.uniform(-1, 1);
    }
  }

  void add_to(Answer& answer) {
    answer.repeats = static_cast<std::int64_t>(cases_.size());
    if (cases_.empty()) return;
    std::vector<Totals> all{answer.totals};
    for (Case& of : cases_) {
      of.policy = answer.scheduler;
      all.push_back(totals_of(of, run(of)));
    }
    for (const auto member : kRepeated) {
      RepeatedValue value{std::string(name_of(member)), answer.totals.*member};
      value.least = value.most = value.told;
      for (const Totals& one : all) {
        value.mean += one.*member / static_cast<double>(all.size());
        value.least = std::min(value.least, one.*member);
        value.most = std::max(value.most, one.*member);
      }
      answer.repeated.push_back(std::move(value));
    }
  }

 private:
  std::vector<Case> cases_;
};

Answer answer_under(const Document& document, Case& of, const std::string& name,
                    const Policy& policy) {
  of.policy = policy;
  const Outcome outcome = run(of);
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

Answer answer_of(const Document& document, const std::optional<std::string>& only) {
  const auto rates = own_rates(document);
  const Document drawn =
      with_streams(document, rates, static_cast<std::uint64_t>(document.cluster.seed));
  Case of = make_case(drawn);
  Repeats repeats(document, rates);
  std::optional<Answer> first;
  for (const auto& [name, policy] : all_policies(document)) {
    if (only && name != *only) continue;
    Answer answer = answer_under(drawn, of, name, policy);
    repeats.add_to(answer);
    if (first)
      first->policies.push_back(std::move(answer));
    else
      first = std::move(answer);
  }
  return std::move(*first);
}

}  // namespace gpufeed::cluster
