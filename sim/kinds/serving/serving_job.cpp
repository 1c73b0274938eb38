// SPDX-License-Identifier: Apache-2.0
#include "sim/kinds/serving/serving_job.h"

#include <algorithm>
#include <cmath>

namespace gpufeed {
namespace {

constexpr double kSameMoment = 1e-9;  ///< seconds; timers may fire a rounding too early

}  // namespace

ServingJob::ServingJob(const ServingPlan& plan, const Serving& rules, const RequestLoad& load,
                       Random& random)
    : plan_(plan),
      rules_(rules),
      load_(load),
      random_(random),
      engine_(make_fluid_engine()),
      on_engine_(plan_.graph, *engine_),
      gpus_(plan_.gpus.size()) {
  for (const double cores : plan_.cores) {
    const double whole = std::max(1.0, std::floor(cores));
    const auto count = static_cast<std::int64_t>(whole);
    pools_.push_back({count, count, whole / cores, 0, {}});
  }
  for (const auto& route : plan_.routes) routes_.add(on_engine_.add(route));
}

ServingRecord ServingJob::run() {
  if (load_.arrivals)
    arrive(0);
  else
    for (std::int64_t i = 0; i < load_.clients; ++i)
      engine_->after({random_.uniform(0, load_.spread.value)},
                     callback<&ServingJob::begin>(*this, 0));
  engine_->run();
  return std::move(record_);
}

void ServingJob::arrive(std::uint64_t) {
  if (over_) return;
  ask();
  const double gap = -std::log1p(-random_.uniform(0, 1)) / load_.arrivals->value;
  engine_->after({gap}, callback<&ServingJob::arrive>(*this, 0));
}

std::size_t ServingJob::least_busy() {
  std::size_t best = turn_;
  for (std::size_t i = 0; i < gpus_.size(); ++i) {
    const std::size_t gpu = (turn_ + i) % gpus_.size();
    if (gpus_[gpu].under_way < gpus_[best].under_way) best = gpu;
  }
  turn_ = (best + 1) % gpus_.size();
  return best;
}

void ServingJob::ask() {
  const std::uint64_t number = requests_.size();
  Request request;
  request.gpu = least_busy();
  request.arrived = request.began = now();
  ++gpus_[request.gpu].under_way;
  requests_.push_back(request);
  if (plan_.reads)
    engine_->after(plan_.gpus[request.gpu].read_latency,
                   callback<&ServingJob::read>(*this, number));
  else
    queue_for_core(number);
}

void ServingJob::read(std::uint64_t request) {
  const Bytes size{random_.sum_of(1, plan_.sample_size.value, plan_.sample_size_deviation.value)};
  const auto& reads = plan_.gpus[requests_[request].gpu].reads;
  const bool one = plan_.whole_files;
  const std::int64_t last = static_cast<std::int64_t>(reads.size()) - 1;
  const auto first = static_cast<std::size_t>(one ? random_.integer(0, last) : 0);
  const std::size_t count = one ? 1 : reads.size();
  requests_[request].parts_left = count;
  for (std::size_t i = first; i < first + count; ++i)
    engine_->start_flow(routes_[reads[i]], size / static_cast<double>(count),
                        callback<&ServingJob::part_read>(*this, request));
}

void ServingJob::part_read(std::uint64_t request) {
  if (--requests_[request].parts_left > 0) return;
  requests_[request].times.read_s = part(requests_[request]);
  queue_for_core(request);
}

double ServingJob::part(Request& request) const {
  const double took = now() - request.began;
  request.began = now();
  return took;
}

void ServingJob::queue_for_core(std::uint64_t request) {
  if (plan_.core_time.value <= 0) return copy(request);
  Pool& pool = pool_of(request);
  if (pool.free == 0) return pool.waiting.push_back(request);
  --pool.free;
  decode(request);
}

void ServingJob::decode(std::uint64_t request) {
  Pool& pool = pool_of(request);
  const Seconds time = plan_.core_time * pool.slowdown;
  pool.busy += time.value;
  engine_->after(time, callback<&ServingJob::decoded>(*this, request));
}

void ServingJob::decoded(std::uint64_t request) {
  Pool& pool = pool_of(request);
  if (pool.waiting.empty()) {
    ++pool.free;
  } else {
    const auto next = pool.waiting.front();
    pool.waiting.pop_front();
    decode(next);
  }
  requests_[request].times.decode_s = part(requests_[request]);
  copy(request);
}

void ServingJob::copy(std::uint64_t request) {
  const auto& route = plan_.gpus[requests_[request].gpu].copy;
  if (!route) return copied(request);
  engine_->after(plan_.routes[*route].latency, callback<&ServingJob::move>(*this, request));
}

void ServingJob::move(std::uint64_t request) {
  const auto& route = plan_.gpus[requests_[request].gpu].copy;
  engine_->start_flow(routes_[*route], plan_.input_size,
                      callback<&ServingJob::copied>(*this, request));
}

void ServingJob::copied(std::uint64_t request) {
  requests_[request].times.copy_s = part(requests_[request]);
  const std::size_t gpu = requests_[request].gpu;
  gpus_[gpu].ready.push_back(request);
  try_start(gpu);
}

void ServingJob::waited(std::uint64_t gpu) {
  gpus_[gpu].timer = false;
  try_start(gpu);
}

void ServingJob::try_start(std::size_t gpu) {
  GpuState& state = gpus_[gpu];
  if (!state.batch.empty() || state.ready.empty()) return;
  const double left = requests_[state.ready.front()].began + rules_.longest_wait.value - now();
  if (std::ssize(state.ready) >= rules_.largest_batch || left <= kSameMoment) return start(gpu);
  if (state.timer) return;
  state.timer = true;
  engine_->after({left}, callback<&ServingJob::waited>(*this, gpu));
}

void ServingJob::start(std::size_t gpu) {
  GpuState& state = gpus_[gpu];
  const auto count = std::min(std::ssize(state.ready), rules_.largest_batch);
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    const auto request = state.ready.front();
    state.ready.pop_front();
    requests_[request].times.wait_s = part(requests_[request]);
    state.batch.push_back(request);
  }
  state.started = now();
  engine_->after(plan_.forward[gpu][static_cast<std::size_t>(count - 1)],
                 callback<&ServingJob::computed>(*this, gpu));
}

void ServingJob::computed(std::uint64_t gpu) {
  GpuState& state = gpus_[gpu];
  const auto batch = std::move(state.batch);
  state.batch.clear();
  state.busy += now() - state.started;
  state.under_way -= std::ssize(batch);
  answered_ += std::ssize(batch);
  if (counting_) ++record_.batches;
  for (const auto request : batch) answer(request);
  const std::int64_t warm = load_.requests / 10;
  if (!counting_ && !over_ && answered_ >= warm) {
    counting_ = true;
    begin_ = mark();
  } else if (counting_ && answered_ >= load_.requests) {
    finish();
  }
  if (!over_ && !load_.arrivals)
    for (std::size_t i = 0; i < batch.size(); ++i) ask();
  try_start(gpu);
}

void ServingJob::finish() {
  counting_ = false;
  over_ = true;
  const Mark end = mark();
  record_.time = {end.at - begin_.at};
  double cores = 0;
  for (const auto& pool : pools_) cores += static_cast<double>(pool.cores);
  record_.gpus_busy =
      (end.gpus - begin_.gpus) / (record_.time.value * static_cast<double>(gpus_.size()));
  record_.cores_busy = (end.cores - begin_.cores) / (record_.time.value * cores);
  for (const ResourceIndex i : plan_.graph.resources.indices())
    record_.load.add((end.carried[i] - begin_.carried[i]) /
                     (record_.time.value * plan_.graph.resources[i].capacity.value));
}

void ServingJob::answer(std::uint64_t number) {
  Request& request = requests_[number];
  request.times.forward_s = part(request);
  if (!counting_) return;
  record_.latencies_s.push_back(now() - request.arrived);
  record_.sums.read_s += request.times.read_s;
  record_.sums.decode_s += request.times.decode_s;
  record_.sums.copy_s += request.times.copy_s;
  record_.sums.wait_s += request.times.wait_s;
  record_.sums.forward_s += request.times.forward_s;
}

ServingJob::Mark ServingJob::mark() const {
  Mark out;
  out.at = now();
  for (const auto& gpu : gpus_)
    out.gpus += gpu.busy + (gpu.batch.empty() ? 0 : now() - gpu.started);
  for (const auto& pool : pools_) out.cores += pool.busy;
  for (const ResourceIndex r : plan_.graph.resources.indices())
    out.carried.add(engine_->carried(on_engine_.link(r)).value);
  return out;
}

}  // namespace gpufeed
