// SPDX-License-Identifier: Apache-2.0
#include "sim/range/range.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>
#include <string_view>

#include "sim/base/fnv.h"
#include "sim/base/numbers/random.h"
#include "sim/base/numbers/statistics.h"
#include "sim/model/uncertain.h"
#include "sim/plan/make/make_plan.h"
#include "sim/range/outlook.h"

namespace gpufeed {
namespace {

constexpr std::size_t kCauses = 3;
constexpr double kLeastShare = 0.01;
constexpr double kLeastEffect = 1e-4;  ///< of a deviation, below which a value is not drawn

/// What a draw makes of the result.
struct Outcome {
  double throughput = 0, utilization = 0, time_to_result = 0;
};

struct Source {
  std::optional<std::size_t> value;  ///< number of the uncertain value; none: a part of the model
  ModelPart part = ModelPart::reading;
  RangeCause cause;          ///< its share is that of the throughput's variance
  std::uint64_t stream = 0;  ///< of random numbers
  bool counts = false;       ///< it moves the throughput, or the copying in before
};

std::uint64_t number_of(std::string_view name) {
  Fnv hash;
  hash.add_bytes(name);
  return hash.number();
}

/// By what a value is, whatever its owner is called: scenarios that share it share its stream.
std::uint64_t stream_of(const UncertainValue& value) {
  const auto bits = std::bit_cast<std::array<char, sizeof value.fact>>(value.fact);
  Fnv hash;
  hash.add(value.kind);
  hash.add(value.key);
  hash.add_bytes({bits.data(), bits.size()});
  return hash.number();
}

class Sampler {
 public:
  Sampler(const Scenario& scenario, const Result& result)
      : scenario_(scenario),
        result_(result),
        values_(uncertain_values(scenario)),
        traffic_(traffic_of(scenario)),
        before_(outlook(scenario)) {}

  Range range() {
    find_sources();
    Range range;
    range.samples = scenario_.run.range_samples;
    std::vector<double> rates, shares, times;
    for (const auto& draw : draws(static_cast<std::size_t>(range.samples), scenario_.run.seed)) {
      const Outcome outcome = outcome_of(draw);
      rates.push_back(outcome.throughput);
      shares.push_back(outcome.utilization);
      times.push_back(outcome.time_to_result);
    }
    const auto interval = [](const std::vector<double>& all) {
      return Interval80{quantile(all, 0.1), quantile(all, 0.9)};
    };
    range.throughput_samples_per_s = interval(rates);
    range.accelerator_utilization = interval(shares);
    range.time_to_result_s = interval(times);
    range.causes = causes();
    return range;
  }

  Drawn drawn(std::size_t count, std::int64_t seed) {
    find_sources();
    Drawn logarithms;
    for (const auto& draw : draws(count, seed)) {
      const Outcome outcome = outcome_of(draw);
      logarithms.rates.push_back(std::log(outcome.throughput / result_.throughput_samples_per_s));
      logarithms.times.push_back(std::log(outcome.time_to_result / result_.time_to_result_s));
    }
    return logarithms;
  }

 private:
  Outlook outlook(const Scenario& drawn) const {
    return outlook_of(drawn, traffic_ ? make_plan_of_few(drawn, *traffic_) : make_plan(drawn));
  }

  /// \param deviates  of each source, in its standard deviations
  Outcome outcome_of(const std::vector<double>& deviates) const {
    std::vector<double> factors(values_.size(), 1.0);
    PartFactors parts = kAsModeled;
    bool changed = false;
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      const Source& source = sources_[i];
      const double factor = std::exp(source.cause.deviation * deviates[i]);
      if (source.value)
        factors[*source.value] = factor;
      else
        parts[static_cast<std::size_t>(source.part)] = factor;
      changed = changed || (source.value && deviates[i] != 0);
    }
    return outcome_of(changed ? outlook(with_factors(scenario_, factors)) : before_, parts);
  }

  Outcome outcome_of(const Outlook& now, const PartFactors& parts) const {
    const double was = sample_time(before_);
    double slower = was > 0 ? sample_time(now, parts) / was : 1;
    if (result_.checkpoint && std::isfinite(result_.checkpoint->share) &&
        before_.checkpoint_s > 0) {
      const double share = result_.checkpoint->share;
      slower = (1 - share) * slower + share * now.checkpoint_s / before_.checkpoint_s;
    }
    const double busy = result_.accelerator_utilization * computing(now, parts);
    // No GPU computes while it exchanges, or in the gaps of a pipeline.
    slower = std::max(slower, busy + exchanging(now, parts) + in_gaps(now, parts));
    const double copying_in = copying_in_s(now, parts);
    return {result_.throughput_samples_per_s / slower, busy / slower,
            copying_in + (result_.time_to_result_s - result_.staging_s) * slower};
  }

  double copying_in_s(const Outlook& now, const PartFactors& parts) const {
    if (before_.copying_in_s <= 0) return result_.staging_s;
    return result_.staging_s * now.copying_in_s / before_.copying_in_s *
           parts[static_cast<std::size_t>(ModelPart::reading)];
  }

  /// How much longer GPUs compute on a batch. Those that a benchmark emulates sleep as it says.
  double computing(const Outlook& now, const PartFactors& parts) const {
    if (before_.compute_s <= 0 || scenario_.workload.is<kind::Emulated>()) return 1;
    return now.compute_s * parts[static_cast<std::size_t>(ModelPart::computing)] /
           before_.compute_s;
  }

  /// How long GPUs stand still for gradients, as a share of the time that is told.
  double exchanging(const Outlook& now, const PartFactors& parts) const {
    if (before_.exchange_s <= 0 || result_.gpus.empty()) return 0;
    double share = 0, gpus = 0;
    for (const GpuGroup& group : result_.gpus) {
      share += group.share.exchange * static_cast<double>(group.count);
      gpus += static_cast<double>(group.count);
    }
    return share / gpus * now.exchange_s / before_.exchange_s *
           parts[static_cast<std::size_t>(ModelPart::exchange)];
  }

  /// And for the other stages of a pipeline.
  double in_gaps(const Outlook& now, const PartFactors& parts) const {
    return now.stages_wait_s * result_.throughput_samples_per_s *
           parts[static_cast<std::size_t>(ModelPart::computing)];
  }

  /// What moves the throughput, with its effect alone.
  void find_sources() {
    std::map<std::uint64_t, std::uint64_t> alike;  // so far, of one stream
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const UncertainValue& value = values_[i];
      const std::uint64_t stream = stream_of(value);
      add({i,
           {},
           {value.name, std::string(name_of(value.basis)),
            deviation_of(value.basis, value.measurand), 0, remedy_for(value)},
           stream + alike[stream]++});
    }
    for (std::size_t i = 0; i < kModelParts; ++i) {
      const auto part = static_cast<ModelPart>(i);
      add({{},
           part,
           {std::string(name_of(part)), "", deviation_of(part), 0, std::string(remedy_for(part))},
           number_of(name_of(part))});
    }
    keep_what_counts(0, sources_.size());
    std::erase_if(sources_, [](const Source& source) { return !source.counts; });
  }

  void add(Source source) {
    if (source.cause.deviation > 0) sources_.push_back(std::move(source));
  }

  /// Gives the sources from `first` to before `last` their variances: most have none, and are found
  /// to have none together.
  void keep_what_counts(std::size_t first, std::size_t last) {
    if (first == last) return;
    const Variances variances = variances_of(first, last);
    if (std::max(variances.of_throughput, variances.of_time) < kLeastEffect * kLeastEffect) return;
    if (last - first == 1) {
      sources_[first].cause.share = variances.of_throughput;
      sources_[first].counts = true;
      return;
    }
    const std::size_t middle = first + (last - first) / 2;
    keep_what_counts(first, middle);
    keep_what_counts(middle, last);
  }

  /// Of logarithms.
  struct Variances {
    double of_throughput = 0;
    double of_time = 0;
  };

  /// Where these sources alone deviate, all in one direction: one by its deviation, several by
  /// about theirs, each by a part of its own. A link that is as much faster as its copies are
  /// slower would hide both.
  Variances variances_of(std::size_t first, std::size_t last) const {
    constexpr double kGoldenRatio = 0.6180339887498949;
    std::vector<double> some(sources_.size(), 0.0);
    Variances variances;
    for (const double deviate : {1.0, -1.0}) {
      for (std::size_t i = first; i < last; ++i)
        some[i] = deviate * (1 + std::fmod(static_cast<double>(i - first) * kGoldenRatio, 1));
      const Outcome outcome = outcome_of(some);
      const auto half_square = [](double ratio) { return std::pow(std::log(ratio), 2) / 2; };
      variances.of_throughput += half_square(outcome.throughput / result_.throughput_samples_per_s);
      variances.of_time += half_square(outcome.time_to_result / result_.time_to_result_s);
    }
    return variances;
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

  std::vector<RangeCause> causes() const {
    double all = 0;
    std::vector<RangeCause> causes;
    for (const Source& source : sources_) {
      all += source.cause.share;
      causes.push_back(source.cause);
    }
    if (all <= 0) return {};
    for (RangeCause& cause : causes) cause.share /= all;
    std::ranges::stable_sort(causes, std::greater{}, &RangeCause::share);
    std::erase_if(causes, [](const RangeCause& cause) { return cause.share < kLeastShare; });
    if (causes.size() > kCauses) causes.resize(kCauses);
    return causes;
  }

  const Scenario& scenario_;
  const Result& result_;
  std::vector<UncertainValue> values_;
  const std::optional<Traffic> traffic_;  ///< of alike nodes once, shared by all draws
  Outlook before_;
  std::vector<Source> sources_;
};

}  // namespace

namespace {

bool has_range(const Scenario& scenario, const Result& result) {
  return scenario.workload.is<RunsEpochs>() && result.throughput_samples_per_s > 0;
}

}  // namespace

Drawn drawn(const Scenario& scenario, const Result& result, std::size_t count, std::int64_t seed) {
  if (!has_range(scenario, result)) return {};
  return Sampler(scenario, result).drawn(count, seed);
}

std::optional<Range> range_of(const Scenario& scenario, const Result& result) {
  if (scenario.run.range_samples == 0 || !has_range(scenario, result)) return {};
  return Sampler(scenario, result).range();
}

}  // namespace gpufeed
