// SPDX-License-Identifier: Apache-2.0
#include "reports/study/explain.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "reports/study/in_parallel.h"
#include "reports/study/mechanisms.h"
#include "reports/study/runs_epochs.h"
#include "sim/base/fault.h"
#include "sim/plan/make/loader_shape.h"
#include "sim/plan/reading.h"
#include "sim/simulate.h"

namespace gpufeed {
namespace {

using Sights = std::vector<std::optional<double>>;

constexpr double kDefaultSpread = 0.05;  ///< of the value seen
constexpr double kSimulated = 0.01;      ///< how well a simulation is known at best, relative
constexpr double kFarOff = 2;            ///< deviations beyond which nothing is explained
constexpr double kWorthNaming = 0.5;     ///< part of the misfit that a cause must take away
constexpr double kMoves = 0.02;  ///< of the misfit, by a mechanism that is looked at further
constexpr int kGrid = 6;
constexpr int kRefinements = 8;

struct Observation {
  std::string name;
  std::string unit;
  std::optional<double> seen;
  double spread = 0;
};

template <class T>
Observation observation_of(std::string_view name, const std::optional<Seen<T>>& seen) {
  Observation out;
  out.name = name;
  if constexpr (std::same_as<T, Bandwidth>) out.unit = "B/s";
  if constexpr (std::same_as<T, Rate>) out.unit = "1/s";
  const auto number = [](const T& value) {
    if constexpr (std::same_as<T, double>)
      return value;
    else
      return value.value;
  };
  if (!seen) return out;
  out.seen = number(seen->value);
  out.spread = seen->spread ? number(*seen->spread) : kDefaultSpread * *out.seen;
  return out;
}

/// In the order of `Observed::fields`.
std::vector<Observation> observations_of(const Observed& observed) {
  return {observation_of("gpu_utilization", observed.gpu_utilization),
          observation_of("samples_per_s", observed.samples_per_s),
          observation_of("read_bandwidth", observed.read_bandwidth),
          observation_of("read_rate", observed.read_rate),
          observation_of("network_bandwidth", observed.network_bandwidth),
          observation_of("cores_busy", observed.cores_busy),
          observation_of("memory_bandwidth", observed.memory_bandwidth)};
}

/// The load of a node's resources of a kind, where there are any that `wanted` lets through.
template <class Wanted>
std::optional<double> used_of(const Result& result, std::string_view kind, Wanted wanted) {
  std::optional<double> sum;
  for (const auto& use : result.resources)
    if (use.kind == kind && wanted(use.id)) sum = sum.value_or(0) + use.capacity * use.utilization;
  return sum;
}

/// In deviations, those of what was seen and of the simulation together.
double deviations(const Observation& observation, double predicted) {
  return (predicted - *observation.seen) /
         std::hypot(observation.spread, kSimulated * *observation.seen);
}

double misfit_of(const std::vector<Observation>& observations, const Sights& sights) {
  double sum = 0;
  for (std::size_t i = 0; i < observations.size(); ++i)
    if (observations[i].seen && sights[i])
      sum += std::pow(deviations(observations[i], *sights[i]), 2);
  return sum;
}

bool all_near(const std::vector<Observation>& observations, const Sights& sights) {
  for (std::size_t i = 0; i < observations.size(); ++i)
    if (observations[i].seen && sights[i] &&
        std::abs(deviations(observations[i], *sights[i])) > kFarOff)
      return false;
  return true;
}

std::vector<Sighting> sightings_of(const std::vector<Observation>& observations,
                                   const Sights& sights) {
  std::vector<Sighting> out;
  for (std::size_t i = 0; i < observations.size(); ++i) {
    const Observation& one = observations[i];
    out.push_back({one.name, one.unit, one.seen, one.spread, sights[i]});
  }
  return out;
}

/// The best factor of one mechanism.
class Search {
 public:
  Search(const Scenario& scenario, const Mechanism& mechanism,
         const std::vector<Observation>& observations)
      : scenario_(scenario), mechanism_(mechanism), observations_(observations) {}

  Cause run() {
    const double low = std::log(mechanism_.least);
    const double high = std::log(mechanism_.most);
    const double step = (high - low) / kGrid;
    const double now = try_at(0);
    const double at_least = try_at(low);
    const double at_most = try_at(high);
    // Where not even the bounds change anything, nothing between them does.
    const bool moves = std::max(std::abs(at_least - now), std::abs(at_most - now)) > kMoves * now;
    for (int i = 1; i < kGrid && moves; ++i) try_at(low + step * i);
    if (moves) narrow(std::max(low, best_at_ - step), std::min(high, best_at_ + step));
    Cause cause;
    cause.mechanism = mechanism_.name;
    cause.parts = mechanism_.parts;
    cause.check = mechanism_.check;
    cause.factor = std::exp(best_at_);
    cause.misfit = best_;
    cause.explains = all_near(observations_, sights_);
    cause.predictions = sightings_of(observations_, sights_);
    return cause;
  }

 private:
  double try_at(double log_factor) {
    Sights sights = sights_of(scenario_, mechanism_.simulate(std::exp(log_factor)));
    const double misfit = misfit_of(observations_, sights);
    if (misfit < best_) {
      best_ = misfit;
      best_at_ = log_factor;
      sights_ = std::move(sights);
    }
    return misfit;
  }

  /// Golden-section search.
  void narrow(double low, double high) {
    const double golden = (std::sqrt(5.0) - 1) / 2;
    double left = high - golden * (high - low);
    double right = low + golden * (high - low);
    double at_left = try_at(left);
    double at_right = try_at(right);
    for (int i = 2; i < kRefinements; ++i) {
      if (at_left < at_right) {
        high = right, right = left, at_right = at_left;
        at_left = try_at(left = high - golden * (high - low));
      } else {
        low = left, left = right, at_left = at_right;
        at_right = try_at(right = low + golden * (high - low));
      }
    }
  }

  const Scenario& scenario_;
  const Mechanism& mechanism_;
  const std::vector<Observation>& observations_;
  double best_ = std::numeric_limits<double>::infinity();
  double best_at_ = 0;
  Sights sights_;
};

/// What a factor takes of its bounds, squared.
double strain(const Cause& cause, const Mechanism& mechanism) {
  const double bound = cause.factor < 1 ? mechanism.least : mechanism.most;
  return std::pow(std::log(cause.factor) / std::log(bound), 2);
}

/// Of what was not observed, the key in which the causes that explain all differ most.
std::string telling_of(const std::vector<Cause>& causes) {
  constexpr double kTells = 1.1;
  std::string best;
  double most = kTells;
  const auto explaining = std::ranges::count_if(causes, &Cause::explains);
  if (explaining < 2) return best;
  for (std::size_t i = 0; i < causes.front().predictions.size(); ++i) {
    if (causes.front().predictions[i].seen) continue;
    double low = std::numeric_limits<double>::infinity(), high = 0;
    for (const Cause& cause : causes)
      if (const auto& value = cause.predictions[i].predicted; cause.explains && value)
        low = std::min(low, *value), high = std::max(high, *value);
    if (low > 0 && high / low > most) most = high / low, best = causes.front().predictions[i].name;
  }
  return best;
}

void check_observable(const Scenario& scenario, const std::vector<Observation>& observations,
                      const Sights& sights, const Observed& observed) {
  Diagnostics out;
  for (std::size_t i = 0; i < observations.size(); ++i)
    if (observations[i].seen && !sights[i])
      out.error(observed.where,
                "{} was observed, but this scenario ({}) has none: nothing of it "
                "can be explained",
                observations[i].name, scenario.title);
  out.throw_if_any();
}

/// Tries all mechanisms, several at a time.
std::vector<Cause> causes_of(const Scenario& scenario, const std::vector<Mechanism>& mechanisms,
                             const std::vector<Observation>& observations, unsigned jobs,
                             const std::function<void(std::int64_t, std::int64_t)>& progress) {
  std::vector<Cause> causes(mechanisms.size());
  std::mutex mutex;
  std::int64_t tried = 0;
  in_parallel(mechanisms.size(), jobs, [&](std::size_t i) {
    const FaultsThrow guard;
    try {
      causes[i] = Search(scenario, mechanisms[i], observations).run();
    } catch (const std::exception&) {
      causes[i].misfit = std::numeric_limits<double>::infinity();
    }
    const std::scoped_lock lock(mutex);
    progress(++tried, static_cast<std::int64_t>(mechanisms.size()));
  });
  return causes;
}

}  // namespace

std::vector<std::optional<double>> sights_of(const Scenario& scenario, const Result& result) {
  const auto any = [](const std::string&) { return true; };
  const auto is_in = [](const std::string& id) { return id.ends_with(" port"); };
  const bool later = result.training_s > result.first_epoch_s * 1.001;
  const double read = later ? result.cache.read_later_epoch_B / result.epoch_s
                            : result.cache.read_first_epoch_B / result.first_epoch_s;
  const bool trains = scenario.workload.kind() != kind_of<kind::Loader>;
  Sights sights{{}, result.throughput_samples_per_s, read, {}, {}, {}, {}};
  if (trains) sights[0] = result.accelerator_utilization;
  const Reading reading = reading_of(scenario, read_from(scenario));
  const double request =
      std::min(reading.access.request.value, scenario.workload.dataset()->sample_size.value);
  if (request > 0) sights[3] = read / request;
  sights[4] = used_of(result, "network", is_in);
  if (const auto cores = used_of(result, "cpu", any))
    sights[5] = *cores / static_cast<double>(scenario.nodes);
  sights[6] = used_of(result, "memory", any);
  return sights;
}

Explanation explain(const Scenario& given, const Observed& observed, unsigned jobs,
                    const std::function<void(std::int64_t, std::int64_t)>& progress) {
  require_epochs(given, "why a run is not as predicted");
  Scenario scenario = given;
  scenario.run.once();
  const auto observations = observations_of(observed);
  const Result now = simulate(scenario);
  const Sights sights = sights_of(scenario, now);
  check_observable(scenario, observations, sights, observed);
  Explanation out;
  out.title = now.title;
  out.misfit = misfit_of(observations, sights);
  out.fits = all_near(observations, sights);
  out.sightings = sightings_of(observations, sights);
  const auto mechanisms = mechanisms_of(scenario);
  auto causes = causes_of(scenario, mechanisms, observations, jobs, progress);
  std::vector<std::pair<double, Cause>> ranked;
  for (std::size_t i = 0; i < causes.size(); ++i) {
    if (causes[i].misfit > (1 - kWorthNaming) * out.misfit)
      out.ruled_out.push_back(mechanisms[i].name);
    else
      ranked.emplace_back(causes[i].misfit + strain(causes[i], mechanisms[i]), causes[i]);
  }
  std::ranges::stable_sort(ranked, [](const auto& a, const auto& b) {
    if (a.second.explains != b.second.explains) return a.second.explains;
    return a.first < b.first;
  });
  for (auto& [ignored, cause] : ranked) out.causes.push_back(std::move(cause));
  if (out.fits) out.causes.clear(), out.ruled_out.clear();
  out.telling = telling_of(out.causes);
  return out;
}

}  // namespace gpufeed
