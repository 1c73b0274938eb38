// SPDX-License-Identifier: Apache-2.0
#include "sim/range/intervals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "sim/range/effects.h"
#include "sim/range/failing.h"
#include "sim/range/mechanism.h"
#include "sim/range/spread.h"

namespace gpufeed {
namespace {

constexpr std::size_t kCauses = 3;
constexpr double kLeastShare = 0.01;
constexpr double kSmall = 64 * 1048576.0;  ///< bytes of a collective, below which latency counts

/// Of a rate: logarithms of what is predicted over the lower end, and of the upper end over it.
struct Ends {
  double down = 0, up = 0;
};

Ends ends_of(const Spread& spread) { return {spread.down, spread.up}; }

/// Of a sum of times with parts of these shares.
Ends joined(double share, const Ends& part, const Ends& rest) {
  return {std::hypot(share * part.down, (1 - share) * rest.down),
          std::hypot(share * part.up, (1 - share) * rest.up)};
}

/// Of the time of a mean GPU.
struct Spent {
  double waiting = 0;    ///< for data
  double stretched = 0;  ///< exchanging gradients, saving checkpoints
  double barrier = 0;    ///< waiting for others that compute longer, or for other stages
};

Spent spent_of(const Result& result) {
  Spent sum;
  double gpus = 0;
  for (const GpuGroup& group : result.gpus) {
    const auto count = static_cast<double>(group.count);
    const GpuShare& share = group.share;
    sum.waiting += count * (share.storage + share.decode + share.copy);
    sum.stretched += count * (share.exchange + share.checkpoint);
    sum.barrier += count * share.barrier;
    gpus += count;
  }
  if (gpus == 0) return {};
  return {sum.waiting / gpus, sum.stretched / gpus, sum.barrier / gpus};
}

/// Those that count where no GPU waits for data.
Steps of_computing(Steps steps) {
  std::erase_if(steps, [](Step step) {
    return step == Step::store || step == Step::store_hardware || step == Step::cache;
  });
  return steps;
}

class Intervals {
 public:
  Intervals(const Scenario& scenario, Result& result) : scenario_(scenario), result_(result) {}

  void add() {
    if (scenario_.run.range_samples == 0) return none(NoInterval::not_asked);
    if (has_effects(scenario_, result_)) job();
    io();
    collectives();
    copies();
    products();
    checkpointing();
    serving();
    pipeline();
    if (result_.prediction_intervals.empty())
      none(not_learned_ ? NoInterval::not_learned : NoInterval::no_value);
  }

 private:
  void none(NoInterval why) { result_.no_interval = why; }

  std::optional<Spread> spread(Mechanism mechanism, double values = 0) {
    auto found = spread_of(scenario_.discrepancies, mechanism, result_.steps, values);
    if (!found) not_learned_ = true;
    return found;
  }

  /// \param most  of the value; it is a rate, or a share
  void add(std::string of, Mechanism mechanism, const Spread& spread, double value, Ends ends,
           double values, double most = std::numeric_limits<double>::infinity()) {
    if (!std::isfinite(value) || value <= 0) return;
    PredictionInterval out;
    out.of = std::move(of);
    out.mechanism = mechanism;
    out.p10 = value * std::exp(-ends.down);
    out.p50 = value;
    out.p90 = std::max(value, std::min(most, value * std::exp(ends.up)));
    out.parameters = values;
    out.sources = spread.sources;
    out.extrapolation = spread.extrapolation;
    result_.prediction_intervals.push_back(std::move(out));
  }
  void add_rate(std::string of, Mechanism mechanism, double value) {
    if (const auto found = spread(mechanism))
      add(std::move(of), mechanism, *found, value, ends_of(*found), 0);
  }
  void add_time(std::string of, Mechanism mechanism, double value) {
    if (const auto found = spread(mechanism))
      add(std::move(of), mechanism, *found, value, {found->up, found->down}, 0);
  }

  void job() {
    ValueEffects effects = effects_of(scenario_, result_);
    const Mechanism mechanism = effects.mechanism;
    const auto found = spread(mechanism, effects.of_rate);
    if (!found) return;
    const double own = effects.of_rate;
    const Ceiling fed = rate_of_fed(mechanism);
    const Ends ends{found->down, end_below(fed, found->up)};
    const double busy = result_.accelerator_utilization;
    const double never_wait = result_.throughput_samples_per_s * std::exp(fed.at + fed.up);
    // A time is as much shorter as its rate may be higher.
    const Ends of_time{ends.up, ends.down};
    const auto rate = [&](std::string_view of, double value, double most) {
      add(std::string(of), mechanism, *found, value, ends, own, most);
    };
    const auto time = [&](std::string_view of, double value) {
      add(std::string(of), mechanism, *found, value, of_time, own);
    };
    rate("throughput_samples_per_s", result_.throughput_samples_per_s, never_wait);
    rate("steady_samples_per_s", result_.steady_samples_per_s.value_or(0), never_wait);
    const double tokens = result_.tokens_per_s.value_or(0);
    rate("tokens_per_s", tokens, tokens * std::exp(fed.at + fed.up));
    add("accelerator_utilization", mechanism, *found, busy, ends_of_busy(mechanism, *found, busy),
        own, most_busy(fed));
    time("step_s", result_.step_s);
    time("epoch_s", result_.epoch_s);
    time("training_s", result_.training_s);
    whole_job(*found, effects.of_time, of_time, fed);
    if (const auto& score = result_.benchmark) {
      const double unused = 1 / std::max(score->utilization_v1, busy);
      const auto counted = [&](std::string_view of, double value) {
        rate(of, value, value * unused);
      };
      counted("benchmark.throughput_v1_samples_per_s", score->throughput_v1_samples_per_s);
      counted("benchmark.throughput_later_samples_per_s", score->throughput_later_samples_per_s);
      counted("benchmark.utilization_v1", score->utilization_v1);
      add_time("benchmark.first_step_s", Mechanism::first_fill, score->first_step_s);
    }
    range(*found, std::move(effects));
  }

  /// Of GPUs that never wait for data: accelerators of a benchmark sleep as it says, how fast
  /// others compute and exchange is as open as such rates are. None where the rate itself rests on
  /// that.
  Ceiling rate_of_fed(Mechanism mechanism) {
    const auto rests_on = mechanism_of_fed(scenario_);
    const double busy = result_.accelerator_utilization;
    if (rests_on == Mechanism::emulated_fed && busy > 0)
      return {.at = std::max(0.0, -std::log(busy)), .down = 0, .up = 0};
    const double waiting = spent_of(result_).waiting;
    if (!rests_on || rests_on == mechanism || waiting >= 1) return {};
    const auto own = spread_of(scenario_.discrepancies, *rests_on, of_computing(result_.steps), 0);
    if (!own) return {};
    return {.at = -std::log1p(-waiting), .down = own->down, .up = own->up};
  }

  /// A rate that rests on how long GPUs compute leaves what they wait for as it is: steps that are
  /// longer wait for less of their time, shorter ones for more, down to what all else delivers.
  Ends ends_of_busy(Mechanism mechanism, const Spread& spread, double busy) const {
    if (mechanism != Mechanism::estimated_step && mechanism != Mechanism::decoder_step)
      return {spread.down, spread.up};
    const double idle = 1 / busy - 1;
    const double delivered = supply() / (result_.throughput_samples_per_s * std::exp(spread.up));
    const double least = std::min(1 / (1 + idle * std::exp(spread.up)), busy * delivered);
    const double most = 1 / (1 + idle * std::exp(-spread.down));
    return {std::log(busy / least), std::log(most / busy)};
  }

  /// Samples a second that drives, links, cores and loaders could deliver.
  double supply() const {
    double least = std::numeric_limits<double>::infinity();
    for (const Stage& one : result_.stages)
      if (one.stage.code < LimiterCode::gpu_compute)
        least = std::min(least, one.capacity_samples_per_s);
    return least;
  }

  /// The utilization of GPUs that never wait for data, and exchange and save as much faster as
  /// their rate may be higher: nothing shortens a pipeline's gaps.
  double most_busy(const Ceiling& fed) const {
    if (scenario_.workload.is<kind::Emulated>()) return 1;
    const double busy = result_.accelerator_utilization;
    const Spent spent = spent_of(result_);
    const PredictionInterval* const rate = find("throughput_samples_per_s");
    const double faster = std::isfinite(fed.at) || !rate ? fed.up : std::log(rate->p90 / rate->p50);
    return std::min(1.0, busy / (busy + spent.barrier + spent.stretched * std::exp(-faster)));
  }

  /// Copying in, which rests on what it reads from, and training: all epochs of it are as much
  /// slower or faster as those of the throughput. The rate of the job is its samples over that
  /// time; it never passes that of GPUs which wait for nothing but the copying in.
  void whole_job(const Spread& of_training, double values, const Ends& without_failures,
                 const Ceiling& fed) {
    if (!std::isfinite(result_.time_to_result_s)) return;
    const Ends training = with_failures(without_failures);
    const auto copying = spread(Mechanism::storage_binds, values);
    const double share = share_of_copying();
    const bool copies = share > 0 && copying;
    const auto with_copying = [&](const Ends& of_time) {
      return copies ? joined(share, {copying->up, copying->down}, of_time) : of_time;
    };
    if (copies)
      add("staging_s", Mechanism::storage_binds, *copying, result_.staging_s,
          {copying->up, copying->down}, values);
    const Mechanism mechanism = share > 0.5 ? Mechanism::storage_binds : mechanism_of_rate();
    const Ends ends = with_copying(training);
    add("time_to_result_s", mechanism, of_training, result_.time_to_result_s, ends, values);
    const double least_s = static_cast<double>(result_.job_samples) /
                               (result_.throughput_samples_per_s * std::exp(fed.at + fed.up)) +
                           (copies ? result_.staging_s * std::exp(-copying->up) : 0);
    add("job_samples_per_s", mechanism, of_training, result_.job_samples_per_s,
        {ends.up, ends.down}, values, static_cast<double>(result_.job_samples) / least_s);
    const double busy = result_.job_gpu_utilization;
    const Ends of_busy = ends_of_busy(mechanism_of_rate(), of_training, busy);
    const Ends with = with_copying({of_busy.up, of_busy.down});
    add("job_gpu_utilization", mechanism, of_training, busy, {with.up, with.down}, values,
        most_busy(fed));
  }

  /// Of the time of training that fails: failures make more of what takes longer, but for what is
  /// told at most of any interval.
  Ends with_failures(const Ends& ends) const {
    if (!result_.failures) return ends;
    const double now = training_with_failures(result_, 1);
    return {
        std::min(kFurthestEnd,
                 std::log(now / training_with_failures(result_, std::exp(-ends.down)))),
        std::min(kFurthestEnd, std::log(training_with_failures(result_, std::exp(ends.up)) / now))};
  }

  double share_of_copying() const { return result_.staging_s / result_.time_to_result_s; }

  Mechanism mechanism_of_rate() const { return result_.prediction_intervals.front().mechanism; }

  const PredictionInterval* find(std::string_view of) const {
    const auto& all = result_.prediction_intervals;
    const auto found = std::ranges::find(all, of, &PredictionInterval::of);
    return found == all.end() ? nullptr : &*found;
  }

  void range(const Spread& spread, ValueEffects effects) {
    if (!std::isfinite(result_.time_to_result_s)) return;  // it never ends, however fast it is
    Range out;
    out.samples = scenario_.run.range_samples;
    const auto interval = [&](std::string_view of) {
      const PredictionInterval* found = find(of);
      return found ? Interval80{found->p10, found->p90} : Interval80{};
    };
    out.job_samples_per_s = interval("job_samples_per_s");
    out.job_gpu_utilization = interval("job_gpu_utilization");
    out.throughput_samples_per_s = interval("throughput_samples_per_s");
    out.accelerator_utilization = interval("accelerator_utilization");
    out.time_to_result_s = interval("time_to_result_s");
    out.causes = causes(spread, effects);
    result_.range = std::move(out);
  }

  /// The weightiest for the time of the whole job, the model itself among them: where data are
  /// copied in first, how that is predicted counts by its share of the time, training by the rest.
  std::vector<RangeCause> causes(const Spread& of_training, ValueEffects& effects) {
    std::vector<RangeCause> causes = std::move(effects.causes);
    const auto one = spread(effects.mechanism, 1);
    const double scale = one ? one->of_values : 0;
    for (std::size_t i = 0; i < causes.size(); ++i)
      causes[i].share = scale * scale * effects.of_times[i];
    const double copies = share_of_copying();
    const double of_model = (1 - copies) * of_training.of_model;
    causes.push_back({std::string(words_of(effects.mechanism)), "", of_training.of_model,
                      of_model * of_model, std::string(remedy_for(effects.mechanism))});
    const auto copying = spread(Mechanism::storage_binds, effects.of_time);
    if (copies > 0 && copying) {
      const double of_copies = copies * copying->of_model;
      causes.push_back({"how data are copied in", "", copying->of_model, of_copies * of_copies,
                        std::string(remedy_for(Mechanism::storage_binds))});
    }
    double all = 0;
    for (const RangeCause& cause : causes) all += cause.share;
    if (all <= 0) return {};
    for (RangeCause& cause : causes) cause.share /= all;
    std::ranges::stable_sort(causes, std::greater{}, &RangeCause::share);
    std::erase_if(causes, [](const RangeCause& cause) { return cause.share < kLeastShare; });
    if (causes.size() > kCauses) causes.resize(kCauses);
    return causes;
  }

  void io() {
    const Mechanism mechanism = mechanism_of_io(scenario_);
    for (const IoLine& line : result_.io) {
      add_rate(fmt::format("io[{}].bandwidth_Bps", line.direction), mechanism, line.bandwidth_Bps);
      add_rate(fmt::format("io[{}].iops", line.direction), mechanism, line.iops);
      add_time(fmt::format("io[{}].latency_mean_s", line.direction), mechanism,
               line.latency_mean_s);
    }
    if (result_.replay) add_time("replay.replay_s", mechanism, result_.replay->replay_s);
  }

  void collectives() {
    for (std::size_t i = 0; i < result_.collectives.size(); ++i) {
      const CollectiveTime& one = result_.collectives[i];
      const Mechanism mechanism =
          one.size_B < kSmall ? Mechanism::collective_small : Mechanism::collective_large;
      add_time(fmt::format("collectives[{}].time_s", i), mechanism, one.time_s);
      add_rate(fmt::format("collectives[{}].bus_Bps", i), mechanism, one.bus_Bps);
    }
  }

  void copies() {
    for (std::size_t i = 0; i < result_.transfers.size(); ++i)
      add_rate(fmt::format("transfers[{}].sum_Bps", i), Mechanism::transfers,
               result_.transfers[i].sum_Bps);
    for (std::size_t i = 0; i < result_.copies.size(); ++i)
      add_rate(fmt::format("copies[{}].bandwidth_Bps", i), Mechanism::transfers,
               result_.copies[i].bandwidth_Bps);
  }

  void products() {
    for (std::size_t i = 0; i < result_.products.size(); ++i) {
      add_time(fmt::format("products[{}].time_s", i), Mechanism::matmul,
               result_.products[i].time_s);
      add_rate(fmt::format("products[{}].flop_per_s", i), Mechanism::matmul,
               result_.products[i].flop_per_s);
    }
  }

  void checkpointing() {
    if (!result_.checkpointing) return;
    const auto phase = [&](std::string_view of, Mechanism mechanism, const CheckpointPhase& one) {
      const auto name = [&](std::string_view key) {
        return fmt::format("checkpointing.{}.{}", of, key);
      };
      add_rate(name("rank0_Bps"), mechanism, one.rank0_Bps);
      add_rate(name("slowest_Bps"), mechanism, one.slowest_Bps);
      add_time(name("rank0_s"), mechanism, one.rank0_s);
      add_time(name("slowest_s"), mechanism, one.slowest_s);
      add_time(name("span_s"), mechanism, one.span_s);
    };
    phase("save", Mechanism::checkpoint_save, result_.checkpointing->save);
    phase("load", Mechanism::checkpoint_load, result_.checkpointing->load);
  }

  void serving() {
    if (!result_.serving) return;
    const ServingSummary& all = *result_.serving;
    add_rate("throughput_samples_per_s", Mechanism::serving, result_.throughput_samples_per_s);
    add_rate("serving.capacity_requests_per_s", Mechanism::serving, all.capacity_requests_per_s);
    add_time("serving.latency_mean_s", Mechanism::serving, all.latency_mean_s);
    add_time("serving.latency_p50_s", Mechanism::serving, all.latency_p50_s);
    add_time("serving.latency_p90_s", Mechanism::serving, all.latency_p90_s);
    add_time("serving.latency_p99_s", Mechanism::serving, all.latency_p99_s);
    add_time("serving.cold_start_s", Mechanism::serving, all.cold_start_s);
  }

  void pipeline() {
    if (!result_.pipeline) return;
    add_time("time_to_first_result_s", Mechanism::pipeline, result_.time_to_first_result_s);
    add_time("time_to_result_s", Mechanism::pipeline, result_.time_to_result_s);
    for (std::size_t i = 0; i < result_.pipeline->steps.size(); ++i)
      add_time(fmt::format("pipeline.steps[{}].time_s", i), Mechanism::pipeline,
               result_.pipeline->steps[i].time_s);
  }

  const Scenario& scenario_;
  Result& result_;
  bool not_learned_ = false;
};

}  // namespace

void add_intervals(const Scenario& scenario, Result& result) {
  result.prediction_intervals.clear();
  result.no_interval.reset();
  result.range.reset();
  Intervals(scenario, result).add();
}

}  // namespace gpufeed
