// SPDX-License-Identifier: Apache-2.0
#include "sim/range/effects.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>

#include "sim/base/numbers/fnv.h"
#include "sim/base/numbers/random.h"
#include "sim/base/numbers/statistics.h"
#include "sim/model/uncertain.h"
#include "sim/plan/make/make_plan.h"
#include "sim/range/deviations.h"
#include "sim/range/failing.h"
#include "sim/range/mechanism.h"
#include "sim/range/outlook.h"
#include "sim/range/spread.h"

namespace gpufeed {
namespace {

constexpr double kLeastEffect = 1e-4;  ///< of a deviation, below which a value is not drawn

/// What other values make of the result.
struct Outcome {
  double throughput = 0, time_to_result = 0;
};

struct Source {
  std::size_t value = 0;     ///< number of the uncertain value
  RangeCause cause;          ///< its share is the variance of the throughput
  double of_time = 0;        ///< variance of the time to the result
  std::uint64_t stream = 0;  ///< of random numbers
  bool counts = false;       ///< it moves the throughput, or the copying in before
};

/// By what a value is, whatever its owner is called: scenarios that share it share its stream.
std::uint64_t stream_of(const UncertainValue& value) {
  const auto bits = std::bit_cast<std::array<char, sizeof value.fact>>(value.fact);
  Fnv hash;
  hash.add(value.kind);
  hash.add(value.key);
  hash.add_bytes({bits.data(), bits.size()});
  return hash.number();
}

class Effects {
 public:
  Effects(const Scenario& scenario, const Result& result)
      : scenario_(scenario),
        result_(result),
        values_(uncertain_values(scenario)),
        traffic_(traffic_of(scenario)),
        before_(outlook(scenario)) {}

  ValueEffects all() {
    find_sources();
    ValueEffects out;
    out.mechanism = mechanism();
    double rate = 0, time = 0;
    for (const Source& source : sources_) {
      rate += source.cause.share;
      time += source.of_time;
      out.causes.push_back(source.cause);
      out.of_times.push_back(source.of_time);
    }
    out.of_rate = std::sqrt(rate);
    out.of_time = std::sqrt(time);
    return out;
  }

  Mechanism mechanism() const { return mechanism_of_job(scenario_, result_, before_); }

  /// \param times  of every logarithm
  Drawn drawn(std::size_t count, std::int64_t seed, double times) {
    find_sources();
    Drawn logarithms;
    for (const auto& draw : draws(count, seed)) {
      const double time = outcome_of(draw).time_to_result;
      logarithms.times.push_back(times * std::log(time / result_.time_to_result_s));
    }
    return logarithms;
  }

 private:
  Outlook outlook(const Scenario& drawn) const {
    return outlook_of(drawn, make_plan_to_read(drawn, traffic_));
  }

  /// \param deviates  of each source, in its standard deviations
  Outcome outcome_of(const std::vector<double>& deviates) const {
    std::vector<double> factors(values_.size(), 1.0);
    for (std::size_t i = 0; i < sources_.size(); ++i)
      factors[sources_[i].value] = std::exp(sources_[i].cause.deviation * deviates[i]);
    const bool changed = std::ranges::any_of(deviates, [](double one) { return one != 0; });
    return outcome_of(changed ? outlook(with_factors(scenario_, factors)) : before_);
  }

  Outcome outcome_of(const Outlook& now) const {
    const double was = sample_time(before_);
    double slower = was > 0 ? sample_time(now) / was : 1;
    if (result_.checkpoint && std::isfinite(result_.checkpoint->share) &&
        before_.checkpoint_s > 0) {
      const double share = result_.checkpoint->share;
      slower = (1 - share) * slower + share * now.checkpoint_s / before_.checkpoint_s;
    }
    const double busy = result_.accelerator_utilization * computing(now);
    // No GPU computes while it exchanges, or in the gaps of a pipeline.
    slower = std::max(
        slower, busy + exchanging(now) + now.stages_wait_s * result_.throughput_samples_per_s);
    return {result_.throughput_samples_per_s / slower,
            copying_in_s(now) + training_with_failures(result_, slower)};
  }

  double copying_in_s(const Outlook& now) const {
    if (before_.copying_in_s <= 0) return result_.staging_s;
    return result_.staging_s * now.copying_in_s / before_.copying_in_s;
  }

  /// How much longer GPUs compute on a batch. Those that a benchmark emulates sleep as it says.
  double computing(const Outlook& now) const {
    if (before_.compute_s <= 0 || scenario_.workload.is<kind::Emulated>()) return 1;
    return now.compute_s / before_.compute_s;
  }

  /// How long GPUs stand still for gradients, as a share of the time that is told.
  double exchanging(const Outlook& now) const {
    if (before_.exchange_s <= 0 || result_.gpus.empty()) return 0;
    double share = 0, gpus = 0;
    for (const GpuGroup& group : result_.gpus) {
      share += group.share.exchange * static_cast<double>(group.count);
      gpus += static_cast<double>(group.count);
    }
    return share / gpus * now.exchange_s / before_.exchange_s;
  }

  /// What moves the throughput, with its effect alone.
  void find_sources() {
    std::map<std::uint64_t, std::uint64_t> alike;  // so far, of one stream
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const UncertainValue& value = values_[i];
      const std::uint64_t stream = stream_of(value);
      add({i,
           {value.name, std::string(name_of(value.basis)),
            deviation_of(value.basis, value.measurand), 0, remedy_for(value), value.key,
            std::string(value.kind), value.owner},
           0,
           stream + alike[stream]++});
    }
    keep_what_counts(0, sources_.size());
    std::erase_if(sources_, [](const Source& source) { return !source.counts; });
  }

  void add(Source source) {
    if (source.cause.deviation > 0) sources_.push_back(std::move(source));
  }

  /// Gives the sources from `first` to before `last` their variances: most have none, and are found
  /// to have none together. \param some_count  known before \return whether some count
  bool keep_what_counts(std::size_t first, std::size_t last, bool some_count = false) {
    if (first == last) return false;
    if (last - first == 1) {
      const Variances variances = variances_of(first, last, 1) + variances_of(first, last, -1);
      if (!variances.count()) return false;
      sources_[first].cause.share = variances.of_throughput;
      sources_[first].of_time = variances.of_time;
      return sources_[first].counts = true;
    }
    if (!some_count) {
      // Where one direction alone shows that some count, the other tells nothing more.
      Variances variances = variances_of(first, last, 1);
      if (!variances.count()) variances = variances + variances_of(first, last, -1);
      if (!variances.count()) return false;
    }
    const std::size_t middle = first + (last - first) / 2;
    const bool early = keep_what_counts(first, middle);
    keep_what_counts(middle, last, !early);
    return true;
  }

  /// Of logarithms.
  struct Variances {
    double of_throughput = 0;
    double of_time = 0;

    Variances operator+(const Variances& other) const {
      return {of_throughput + other.of_throughput, of_time + other.of_time};
    }
    bool count() const { return std::max(of_throughput, of_time) >= kLeastEffect * kLeastEffect; }
  };

  /// Where these sources alone deviate, all in one direction: one by its deviation, several by
  /// about theirs, each by a part of its own. A link that is as much faster as its copies are
  /// slower would hide both. \param deviate  1 or -1; the variance is that of both together
  Variances variances_of(std::size_t first, std::size_t last, double deviate) const {
    constexpr double kGoldenRatio = 0.6180339887498949;
    std::vector<double> some(sources_.size(), 0.0);
    for (std::size_t i = first; i < last; ++i)
      some[i] = deviate * (1 + std::fmod(static_cast<double>(i - first) * kGoldenRatio, 1));
    const Outcome outcome = outcome_of(some);
    const auto half_square = [](double ratio) { return std::pow(std::log(ratio), 2) / 2; };
    return {half_square(outcome.throughput / result_.throughput_samples_per_s),
            std::isfinite(result_.time_to_result_s)
                ? half_square(outcome.time_to_result / result_.time_to_result_s)
                : 0};
  }

  /// A Latin hypercube of normal deviates: of each source one in each of so many equally likely
  /// parts. They depend on the source alone, so that scenarios that share it share them.
  std::vector<std::vector<double>> draws(std::size_t count, std::int64_t seed) const {
    std::vector<std::vector<double>> all(count, std::vector<double>(sources_.size()));
    std::vector<std::size_t> order(count);
    for (std::size_t source = 0; source < sources_.size(); ++source) {
      Random random(static_cast<std::uint64_t>(seed) ^ sources_[source].stream);
      std::iota(order.begin(), order.end(), 0);
      for (std::size_t left = count; left > 1; --left)
        std::swap(order[left - 1], order[static_cast<std::size_t>(
                                       random.integer(0, static_cast<std::int64_t>(left) - 1))]);
      for (std::size_t i = 0; i < count; ++i)
        all[i][source] =
            normal_quantile((static_cast<double>(order[i]) + 0.5) / static_cast<double>(count));
    }
    return all;
  }

  const Scenario& scenario_;
  const Result& result_;
  std::vector<UncertainValue> values_;
  const std::optional<Traffic> traffic_;  ///< of alike nodes once, shared by all draws
  Outlook before_;
  std::vector<Source> sources_;
};

}  // namespace

bool has_effects(const Scenario& scenario, const Result& result) {
  return scenario.workload.is<RunsEpochs>() && result.throughput_samples_per_s > 0;
}

ValueEffects effects_of(const Scenario& scenario, const Result& result) {
  return Effects(scenario, result).all();
}

Drawn drawn(const Scenario& scenario, const Result& result, std::size_t count, std::int64_t seed) {
  if (!has_effects(scenario, result) || !std::isfinite(result.time_to_result_s)) return {};
  Effects effects(scenario, result);
  const Mechanism mechanism = effects.mechanism();
  const auto spread = spread_of(scenario.discrepancies, mechanism, result.steps, 1);
  if (!spread) return {};
  Drawn out = effects.drawn(count, seed, spread->of_values);
  out.mechanism = mechanism;
  out.of_model = spread->of_model;
  out.shared = spread->shared;
  return out;
}

}  // namespace gpufeed
