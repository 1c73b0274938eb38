// SPDX-License-Identifier: Apache-2.0
#include "sim/cluster/draw.h"

#include <algorithm>
#include <cmath>

#include "sim/base/numbers/random.h"
#include "sim/cluster/make_case.h"
#include "sim/model/compute.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"

namespace gpufeed::cluster {
namespace {

/// Its name, where the part is a store that the document has, too.
std::string store_of(const PartRef& at, const Scenario& scenario, const Document& document) {
  if (!at.is(PartKind::store)) return "";
  const std::string& name = scenario.store.name(static_cast<std::size_t>((*at).number));
  return document.stores.contains(name) ? name : "";
}

/// What it reads when; times are those of its work.
void add_reads(const Scenario& scenario, const Document& document, const Result& result,
               OwnRate& rate) {
  const auto& staging = scenario.data.staging;
  const bool before = staging && staging->mode == StagingMode::before;
  rate.store = store_of(staging ? staging->from : scenario.data.at, scenario, document);
  if (rate.store.empty()) return;
  if (before) {
    const Dataset& dataset = *scenario.workload.dataset();
    const double data =
        dataset.sample_size.value * static_cast<double>(dataset_samples(scenario.workload));
    rate.staging_io = data * static_cast<double>(result.nodes) / result.staging_s;
    return;
  }
  const double pause = rate.checkpoint_cost * static_cast<double>(rate.checkpoints);
  const double training = result.training_s - pause;
  const double later =
      result.epoch_s > 0
          ? std::max(0.0, (result.training_s - result.first_epoch_s) / result.epoch_s)
          : 0;
  rate.cold = training * std::min(1.0, result.first_epoch_s / result.training_s);
  const auto& drives = result.drive_cache;
  const double cold = drives ? drives->store_first_epoch_B : result.cache.read_first_epoch_B;
  const double warm = drives ? drives->store_later_epoch_B : result.cache.read_later_epoch_B;
  if (rate.cold > 0) rate.cold_io = cold / rate.cold;
  if ((!staging || drives) && training > rate.cold) rate.io = later * warm / (training - rate.cold);
}

void add_checkpoints(const Scenario& scenario, const Document& document, const Result& result,
                     OwnRate& rate) {
  if (!scenario.checkpoint || !result.checkpoint || result.checkpoint->count == 0) return;
  const CheckpointUse& use = *result.checkpoint;
  rate.checkpoints = use.count;
  rate.checkpoint_cost = std::max(0.0, use.cost_s);
  const double work = result.training_s - rate.checkpoint_cost * static_cast<double>(use.count);
  const double steps = std::round(result.training_s / result.step_s);
  rate.checkpoint_every =
      work * std::min(1.0, static_cast<double>(scenario.checkpoint->interval_steps) / steps);
  rate.restart = use.restart_s;
  const std::string store = store_of(scenario.checkpoint->at, scenario, document);
  // one that goes on beside the training is in its rates already
  if (store.empty() || scenario.checkpoint->mode == CheckpointMode::asynchronous) return;
  if (rate.store.empty()) rate.store = store;
  if (rate.store == store && rate.checkpoint_cost > 0) rate.checkpoint_size = use.size_B;
}

OwnRate own_rate(const Scenario& scenario, const Document& document) {
  const Result result = simulate(scenario);
  OwnRate rate;
  rate.length = result.time_to_result_s;
  for (const GpuGroup& group : result.gpus) rate.gpus += group.count;
  rate.gpus *= result.nodes;
  rate.busy = result.job_gpu_utilization;
  rate.staging = result.before_training_s();
  if (rate.length <= 0 || !std::isfinite(rate.length)) return rate;
  add_reads(scenario, document, result, rate);
  add_checkpoints(scenario, document, result, rate);
  if (rate.checkpoints > 0) add_reads(scenario, document, result, rate);  // beside their pauses
  if (scenario.failures) rate.restart += scenario.failures->restart.value;
  const double pause = rate.checkpoint_cost * static_cast<double>(rate.checkpoints);
  rate.busy = std::min(1.0, rate.busy * rate.length / (rate.length - rate.staging - pause));
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
    if (own) take(*own, job);
    job.user = stream_.user;
    job.pool = stream_.pool;
    job.priority = stream_.priority;
    job.cpu_milli = stream_.cpu_milli_per_gpu * job.gpus;
    job.memory = stream_.memory_per_gpu * static_cast<double>(job.gpus);
    job.io = stream_.io_per_gpu * static_cast<double>(job.gpus);
    const bool reads_own = own && stream_.store.empty() && stream_.io_per_gpu.value == 0;
    if (reads_own) job.io = {own->io};
    if (!reads_own) job.cold_io = job.staging_io = {};
    job.store = stream_.store.empty() && own ? own->store : stream_.store;
    job.over_switches = stream_.over_switches;
    job.over_nodes = stream_.over_nodes;
    if (stream_.checkpoint_every || !own) {
      job.checkpoint_every = stream_.checkpoint_every;
      job.checkpoint_cost = stream_.checkpoint_cost;
      job.checkpoint_size = stream_.checkpoint_size;
    }
    if (stream_.restart_cost.value > 0 || !own) job.restart_cost = stream_.restart_cost;
    job.preemptible = stream_.preemptible;
    job.gpu_busy = own ? own->busy : stream_.gpu_busy;
    jobs.push_back(std::move(job));
  }

  /// What a run of the scenario says of a job whose whole length is its `work` so far.
  void take(const OwnRate& own, JobRow& job) const {
    const double length = job.work.value;
    job.staging_work = {std::min(own.staging, length)};
    job.staging_io = {own.staging_io};
    job.cold_work = {std::min(own.cold, length - job.staging_work.value)};
    job.cold_io = {own.cold_io};
    job.restart_cost = {own.restart};
    if (own.checkpoint_every > 0 && !stream_.checkpoint_every) {
      job.checkpoint_every = Seconds{own.checkpoint_every};
      job.checkpoint_cost = {own.checkpoint_cost};
      job.checkpoint_size = {own.checkpoint_size};
      // none is taken behind the last piece: its time is work here
      const double pieces = std::ceil(length / (own.checkpoint_every + own.checkpoint_cost));
      job.work = {std::min(pieces * own.checkpoint_every,
                           length - std::max(0.0, pieces - 1) * own.checkpoint_cost)};
      job.cold_work = {std::min(job.cold_work.value, job.work.value - job.staging_work.value)};
    }
    job.exact_length = length;
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

std::vector<Case> with_repeats(const Document& document,
                               const std::vector<std::vector<OwnRate>>& rates) {
  constexpr double kApart = 0.001;
  const auto seed = static_cast<std::uint64_t>(document.cluster.seed);
  Random random(seed);
  std::vector<Case> out{make_case(with_streams(document, rates, seed))};
  for (std::int64_t i = 1; i <= document.cluster.repeats; ++i) {
    const std::uint64_t other = seed + static_cast<std::uint64_t>(i);
    out.push_back(make_case(with_streams(document, rates, other)));
    out.back().seed = other;
    for (Job& job : out.back().jobs) {
      job.work *= 1 + kApart * random.uniform(-1, 1);
      job.exact_length = 0;
    }
  }
  return out;
}

}  // namespace gpufeed::cluster
