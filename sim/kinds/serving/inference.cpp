// SPDX-License-Identifier: Apache-2.0
#include "sim/kinds/serving/inference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/answer/without_training.h"
#include "sim/answer/words.h"
#include "sim/base/numbers/statistics.h"
#include "sim/kinds/serving/cold_start.h"
#include "sim/kinds/serving/serving_job.h"
#include "sim/model/compute.h"
#include "sim/model/scenario.h"

namespace gpufeed {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();
/// Of what the machine can answer: from here on the queue hardly ever empties, and how long it gets
/// says more about the number of requests simulated than about the machine.
constexpr double kOverload = 0.999;

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Half width of the 95 % confidence interval of the mean, relative, from the means of parts that
/// are long enough to hardly depend on one another.
double uncertainty_of(const std::vector<double>& values) {
  constexpr std::size_t kParts = 20;
  constexpr double kStudent = 2.093;  // of 19 degrees of freedom
  const std::size_t length = values.size() / kParts;
  std::vector<double> means;
  for (std::size_t i = 0; i < kParts; ++i) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(i * length);
    means.push_back(mean_of({begin, begin + static_cast<std::ptrdiff_t>(length)}));
  }
  const double mean = mean_of(means);
  double squares = 0;
  for (const double one : means) squares += (one - mean) * (one - mean);
  return kStudent * std::sqrt(squares / (kParts - 1) / kParts) / mean;
}

/// That of the latency's mean at random arrivals, by heavy traffic (Whitt, Planning queueing
/// simulations, 1989): near what can be answered a queue is a reflected Brownian motion, whose mean
/// over N requests has the relative variance 2 load^2 / (N (1 - load)^2), and parts of a run that
/// such a queue outlasts depend on one another without showing it.
double uncertainty_of_queue(const std::vector<double>& latencies, double load) {
  constexpr double kTwoSided95 = 1.96;
  const double mean = mean_of(latencies);
  const double queued = mean - *std::min_element(latencies.begin(), latencies.end());
  return kTwoSided95 * std::sqrt(2.0 / static_cast<double>(latencies.size())) * load / (1 - load) *
         queued / mean;
}

class Inference {
 public:
  explicit Inference(const Scenario& scenario)
      : scenario_(scenario),
        workload_(scenario.workload.get<kind::Inference>()),
        rules_(*scenario.workload.get<kind::Inference>().serving),
        serving_(make_serving_plan(scenario)) {}

  Result run() {
    full_ = simulate({{}, clients_that_fill(), requests_that_fill(), spread()});
    const auto& offered = rules_.request_rate;
    overloaded_ = offered && offered->value >= full_.throughput_per_s() * kOverload;
    if (overloaded_)
      record_ = full_;
    else
      simulate_until_known({offered, rules_.clients.value_or(0), rules_.requests, spread()});
    return answer();
  }

 private:
  ServingRecord simulate(const RequestLoad& load) const {
    Random random(static_cast<std::uint64_t>(scenario_.run.seed));
    return ServingJob(serving_, rules_, load, random).run();
  }

  void simulate_until_known(RequestLoad load) {
    constexpr double kKnown = 0.05;
    constexpr std::int64_t kMost = 8;
    while (true) {
      record_ = simulate(load);
      uncertainty_ = uncertainty_of(record_.latencies_s);
      if (load.arrivals)
        uncertainty_ = std::max(
            uncertainty_, uncertainty_of_queue(record_.latencies_s,
                                               load.arrivals->value / full_.throughput_per_s()));
      if (uncertainty_ <= kKnown || load.requests >= kMost * rules_.requests) return;
      const double wanted = uncertainty_ / kKnown * uncertainty_ / kKnown;
      load.requests = static_cast<std::int64_t>(
          std::ceil(std::min(static_cast<double>(load.requests) * wanted * 1.1,
                             static_cast<double>(kMost * rules_.requests))));
    }
  }

  /// What a request takes until it is in its GPU, when alone.
  Seconds way_to(std::size_t number) const {
    const GpuFeed& gpu = serving_.gpus[number];
    Seconds way = serving_.core_time;
    if (serving_.reads)
      way += gpu.read_latency +
             serving_.sample_size / solo_rate(serving_.graph, route(gpu.reads.front()));
    if (gpu.copy)
      way += route(*gpu.copy).latency +
             serving_.input_size / solo_rate(serving_.graph, route(*gpu.copy));
    return way;
  }

  /// Clients that all began at once would go on in step, as no real ones do.
  Seconds spread() const {
    Seconds longest{};
    for (std::size_t i = 0; i < serving_.forward.size(); ++i)
      longest = std::max(longest, way_to(i) + serving_.forward[i].back());
    return longest;
  }

  /// Two full batches of each GPU, and twice what is on its way to them meanwhile.
  std::int64_t clients_that_fill() const {
    constexpr double kMost = 200000;  // 4096 requests on each of 16 GPUs
    const auto batch = static_cast<double>(rules_.largest_batch);
    double clients = 0;
    for (std::size_t i = 0; i < serving_.forward.size(); ++i)
      clients += 2 * batch * (1 + way_to(i) / serving_.forward[i].back());
    return static_cast<std::int64_t>(std::ceil(std::min(clients, kMost)));
  }

  const Route& route(RouteIndex index) const { return serving_.routes[index]; }

  std::int64_t requests_that_fill() const {
    constexpr std::int64_t kTimes = 10;
    return std::max(rules_.requests, kTimes * clients_that_fill());
  }

  Result answer() {
    Result result = result_without_training(scenario_, serving_.graph, record_.load);
    result.engine = "fluid";
    result.workload = in_words();
    result.storage = io_storage_in_words(scenario_, scenario_.data.at);
    result.throughput_samples_per_s = record_.throughput_per_s();
    result.accelerator_utilization = record_.gpus_busy > 1 - 1e-9 ? 1 : record_.gpus_busy;
    result.job_samples_per_s = result.throughput_samples_per_s;
    result.job_gpu_utilization = result.accelerator_utilization;
    result.warnings = serving_.warnings;
    result.warnings.push_back(fact<WarningCode::serving_unseen>());
    if (serving_.basis == Basis::estimate)
      result.estimates.emplace_back(
          workload_.forward.empty() ? "forward pass: a third of a training step" : "forward pass");
    result.bottleneck = bottleneck();
    result.serving = summary();
    return result;
  }

  std::string in_words() const {
    const auto gpus = serving_.gpus.size();
    const std::string asked =
        rules_.clients
            ? fmt::format("{} client{} that wait for answers", *rules_.clients,
                          *rules_.clients == 1 ? "" : "s")
            : fmt::format("{} requests/s at random times", text_number(rules_.request_rate->value));
    const std::string batches =
        rules_.largest_batch == 1 ? "one at a time"
                                  : fmt::format("batches of up to {}, waiting {} at most",
                                                rules_.largest_batch, text(rules_.longest_wait, 3));
    return fmt::format("serving {}, {}, on {} GPU{}; {}; {}; {}inputs of {} from {} ({})",
                       model_in_words(*workload_.model), workload_.precision, gpus,
                       gpus == 1 ? "" : "s", asked, batches,
                       workload_.model->architecture
                           ? "each is one forward pass over a prompt, and no token is generated "
                             "(workload.kind = serving does that); "
                           : "",
                       text(serving_.sample_size, 3), name_of(rules_.inputs),
                       workload_.dataset.name);
  }

  ServingSummary summary() {
    ServingSummary out;
    const ColdStart cold = cold_start(scenario_);
    out.model_B = model_bytes(workload_).value;
    out.cold_start_s = cold.time.value;
    out.cold_start_limit = cold.limit;
    out.offered_requests_per_s = rules_.request_rate ? rules_.request_rate->value : kNone;
    out.capacity_requests_per_s = full_.throughput_per_s();
    out.overloaded = overloaded_;
    out.requests = std::ssize(record_.latencies_s);
    const auto count = static_cast<double>(out.requests);
    out.mean_batch = count / static_cast<double>(record_.batches);
    out.cores_busy = record_.cores_busy;
    add_latency(out);
    return out;
  }

  void add_latency(ServingSummary& out) {
    for (double* value :
         {&out.latency_mean_s, &out.latency_p50_s, &out.latency_p90_s, &out.latency_p99_s,
          &out.latency_uncertainty, &out.times.read_s, &out.times.decode_s, &out.times.copy_s,
          &out.times.wait_s, &out.times.forward_s})
      *value = kNone;
    if (overloaded_) return;
    auto& latencies = record_.latencies_s;
    const auto count = static_cast<double>(latencies.size());
    out.latency_uncertainty = uncertainty_;
    out.latency_mean_s = mean_of(latencies);
    out.latency_p50_s = quantile(latencies, 0.5);
    out.latency_p90_s = quantile(latencies, 0.9);
    out.latency_p99_s = quantile(latencies, 0.99);
    const RequestTimes& sums = record_.sums;
    out.times = {sums.read_s / count, sums.decode_s / count, sums.copy_s / count,
                 sums.wait_s / count, sums.forward_s / count};
  }

  /// What is full when more requests come than can be answered.
  Bottleneck bottleneck() const {
    Bottleneck out;
    out.resource = fact<LimiterCode::gpu_compute>();
    double most = full_.gpus_busy;
    if (full_.cores_busy > most) {
      out.resource = fact<LimiterCode::cpu_decode>();
      most = full_.cores_busy;
    }
    for (const ResourceIndex i : serving_.graph.resources.indices())
      if (const double load = full_.load[i]; load > most) {
        out.resource = fact<LimiterCode::parts>(std::vector{serving_.graph.resource(i).label});
        most = load;
      }
    const double capacity = full_.throughput_per_s();
    using enum EvidenceCode;
    out.evidence = {overloaded_
                        ? evidence<overload>(rules_.request_rate->value, capacity)
                        : evidence<answers_share>(record_.throughput_per_s() / capacity, capacity),
                    evidence_of<busy>(*out.resource, std::min(1.0, most))};
    return out;
  }

  const Scenario& scenario_;
  const kind::Inference& workload_;
  const Serving& rules_;
  const ServingPlan serving_;
  ServingRecord full_;
  ServingRecord record_;
  double uncertainty_ = 0;  ///< of the latency's mean
  bool overloaded_ = false;
};

}  // namespace

Result simulate_kind(const kind::Inference&, const Scenario& scenario) {
  return Inference(scenario).run();
}

void check_kind(const kind::Inference&, const Scenario& scenario) {
  make_serving_plan(scenario);
  cold_start(scenario);
}

}  // namespace gpufeed
