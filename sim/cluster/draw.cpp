// SPDX-License-Identifier: Apache-2.0
#include "sim/cluster/draw.h"

#include <algorithm>
#include <cmath>

#include "sim/base/numbers/random.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"

namespace gpufeed::cluster {
namespace {

OwnRate own_rate(const Scenario& scenario, const Document& document) {
  const Result result = simulate(scenario);
  OwnRate rate;
  rate.length = result.time_to_result_s;
  for (const GpuGroup& group : result.gpus) rate.gpus += group.count;
  rate.gpus *= result.nodes;
  rate.busy = result.job_gpu_utilization;
  const auto& at = scenario.data.at;
  if (!at.is(PartKind::store) || rate.length <= 0) return rate;
  const std::string name = scenario.store.name(static_cast<std::size_t>((*at).number));
  if (!document.stores.contains(name)) return rate;
  rate.store = name;
  const double later =
      result.epoch_s > 0
          ? std::max(0.0, (result.training_s - result.first_epoch_s) / result.epoch_s)
          : 0;
  rate.io =
      (result.cache.read_first_epoch_B + later * result.cache.read_later_epoch_B) / rate.length;
  return rate;
}

class Drawn {
 public:
  Drawn(const Stream& stream, std::string name, const std::vector<OwnRate>& rates,
        const Document& document, std::uint64_t seed)
      : stream_(stream), name_(std::move(name)), rates_(rates), random_(seed) {
    const double window = document.workload.window ? document.workload.window->value : 0;
    end_ = stream.until ? stream.until->value : stream.count ? 1e300 : window;
  }

  void add_to(std::vector<JobRow>& jobs) {
    for (const Seconds date : stream_.at) add(jobs, date.value);
    if (!stream_.every) return;
    const auto most = stream_.count.value_or(10000000);
    const double mean = stream_.every->value * static_cast<double>(stream_.burst);
    double date = stream_.random ? gap(mean) : 0;
    for (; number_ < most && date <= end_; date += stream_.random ? gap(mean) : mean)
      for (std::int64_t i = 0; i < stream_.burst && number_ < most; ++i) add(jobs, date);
  }

 private:
  double gap(double mean) { return -mean * std::log(1 - random_.uniform(0, 1)); }

  std::size_t size() {
    if (stream_.gpus.size() < 2) return 0;
    double sum = 0;
    for (const double weight : stream_.weights) sum += weight;
    if (stream_.weights.empty())
      return static_cast<std::size_t>(
          random_.integer(0, static_cast<std::int64_t>(stream_.gpus.size()) - 1));
    double at = random_.uniform(0, sum);
    std::size_t i = 0;
    while (i + 1 < stream_.gpus.size() && at >= stream_.weights[i]) at -= stream_.weights[i++];
    return i;
  }

  void add(std::vector<JobRow>& jobs, double date) {
    const std::size_t chosen = size();
    const OwnRate* const own = rates_.empty() ? nullptr : &rates_[chosen];
    JobRow job;
    job.id = fmt::format("{}-{}", name_, number_++);
    job.arrival = {date};
    job.gpus = own                    ? own->gpus
               : stream_.gpus.empty() ? 1
                                      : static_cast<std::int64_t>(stream_.gpus[chosen]);
    const double mean = stream_.length ? stream_.length->value : own->length;
    const double spread = stream_.spread;
    job.work = {mean * random_.lognormal(spread) * std::exp(-spread * spread / 2)};
    job.estimate = job.work * stream_.estimate;
    job.user = stream_.user;
    job.pool = stream_.pool;
    job.priority = stream_.priority;
    job.cpu_milli = stream_.cpu_milli_per_gpu * job.gpus;
    job.memory = stream_.memory_per_gpu * static_cast<double>(job.gpus);
    job.io = stream_.io_per_gpu * static_cast<double>(job.gpus);
    if (job.io.value == 0 && own) job.io = {own->io};
    job.store = stream_.store.empty() && own ? own->store : stream_.store;
    job.over_switches = stream_.over_switches;
    job.over_nodes = stream_.over_nodes;
    job.checkpoint_every = stream_.checkpoint_every;
    job.checkpoint_cost = stream_.checkpoint_cost;
    job.restart_cost = stream_.restart_cost;
    job.preemptible = stream_.preemptible;
    job.gpu_busy = own ? own->busy : stream_.gpu_busy;
    jobs.push_back(std::move(job));
  }

  const Stream& stream_;
  std::string name_;
  const std::vector<OwnRate>& rates_;
  Random random_;
  double end_ = 0;
  std::int64_t number_ = 0;
};

}  // namespace

std::vector<std::vector<OwnRate>> own_rates(const Document& document) {
  std::vector<std::vector<OwnRate>> out;
  for (const auto& [name, stream] : document.cluster.streams) {
    out.emplace_back();
    for (const auto& run : stream.runs) out.back().push_back(own_rate(*run, document));
  }
  return out;
}

Document with_streams(const Document& document, const std::vector<std::vector<OwnRate>>& rates,
                      std::uint64_t seed) {
  Document out = document;
  std::vector<JobRow> drawn;
  std::size_t number = 0;
  for (const auto& [name, stream] : document.cluster.streams) {
    Drawn(stream, name, rates[number], document, seed * 1000003 + number).add_to(drawn);
    ++number;
  }
  std::ranges::stable_sort(drawn, {}, [](const JobRow& job) { return job.arrival.value; });
  auto& jobs = out.cluster.jobs;
  jobs.insert(jobs.end(), std::make_move_iterator(drawn.begin()),
              std::make_move_iterator(drawn.end()));
  return out;
}

}  // namespace gpufeed::cluster
