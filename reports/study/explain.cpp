// SPDX-License-Identifier: Apache-2.0
#include "reports/study/explain.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "reports/study/in_parallel.h"
#include "reports/study/observables.h"
#include "reports/study/runs_epochs.h"
#include "reports/study/suspects.h"
#include "sim/base/fault.h"
#include "sim/simulate.h"

namespace gpufeed {
namespace {

constexpr double kWorthNaming = 0.5;  ///< part of the misfit that a cause must take away
constexpr double kMoves = 0.02;       ///< of the misfit, by a suspect that is looked at further
constexpr int kGrid = 6;
constexpr int kRefinements = 8;

/// The best factor of one suspect.
class CauseSearch {
 public:
  CauseSearch(const Scenario& scenario, const Suspect& suspect,
              const std::vector<Observation>& observations)
      : scenario_(scenario), suspect_(suspect), observations_(observations) {}

  Cause run() {
    const double low = std::log(suspect_.least);
    const double high = std::log(suspect_.most);
    const double step = (high - low) / kGrid;
    const double now = try_at(0);
    const double at_least = try_at(low);
    const double at_most = try_at(high);
    // Where not even the bounds change anything, nothing between them does.
    const bool moves = std::max(std::abs(at_least - now), std::abs(at_most - now)) > kMoves * now;
    for (int i = 1; i < kGrid && moves; ++i) try_at(low + step * i);
    if (moves) narrow(std::max(low, best_at_ - step), std::min(high, best_at_ + step));
    Cause cause;
    cause.mechanism = suspect_.name;
    cause.parts = suspect_.parts;
    cause.check = suspect_.check;
    cause.factor = std::exp(best_at_);
    cause.misfit = best_;
    cause.explains = all_near(observations_, observables_);
    cause.predictions = sightings_of(observations_, observables_);
    return cause;
  }

 private:
  double try_at(double log_factor) {
    Observables observables = observables_of(scenario_, suspect_.simulate(std::exp(log_factor)));
    const double misfit = misfit_of(observations_, observables);
    if (misfit < best_) {
      best_ = misfit;
      best_at_ = log_factor;
      observables_ = std::move(observables);
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
  const Suspect& suspect_;
  const std::vector<Observation>& observations_;
  double best_ = std::numeric_limits<double>::infinity();
  double best_at_ = 0;
  Observables observables_;
};

/// What a factor takes of its bounds, squared.
double strain(const Cause& cause, const Suspect& suspect) {
  const double bound = cause.factor < 1 ? suspect.least : suspect.most;
  return std::pow(std::log(cause.factor) / std::log(bound), 2);
}

/// Tries all suspects, several at a time.
std::vector<Cause> causes_of(const Scenario& scenario, const std::vector<Suspect>& suspects,
                             const std::vector<Observation>& observations, unsigned jobs,
                             const std::function<void(std::int64_t, std::int64_t)>& progress) {
  std::vector<Cause> causes(suspects.size());
  std::mutex mutex;
  std::int64_t tried = 0;
  in_parallel(suspects.size(), jobs, [&](std::size_t i) {
    const FaultsThrow guard;
    try {
      causes[i] = CauseSearch(scenario, suspects[i], observations).run();
    } catch (const std::exception&) {
      causes[i].misfit = std::numeric_limits<double>::infinity();
    }
    const std::scoped_lock lock(mutex);
    progress(++tried, static_cast<std::int64_t>(suspects.size()));
  });
  return causes;
}

}  // namespace

Explanation explain(const Scenario& given, const Observed& observed, unsigned jobs,
                    const std::function<void(std::int64_t, std::int64_t)>& progress) {
  require_epochs(given, "why a run is not as predicted");
  Scenario scenario = given;
  scenario.run.once();
  const auto observations = observations_of(observed);
  const Result now = simulate(scenario);
  const Observables observables = observables_of(scenario, now);
  check_observable(scenario, observations, observables, observed);
  Explanation out;
  out.title = now.title;
  out.misfit = misfit_of(observations, observables);
  out.fits = all_near(observations, observables);
  out.sightings = sightings_of(observations, observables);
  const auto suspects = suspects_of(scenario);
  auto causes = causes_of(scenario, suspects, observations, jobs, progress);
  std::vector<std::pair<double, Cause>> ranked;
  for (std::size_t i = 0; i < causes.size(); ++i) {
    if (causes[i].misfit > (1 - kWorthNaming) * out.misfit)
      out.ruled_out.push_back(suspects[i].name);
    else
      ranked.emplace_back(causes[i].misfit + strain(causes[i], suspects[i]), causes[i]);
  }
  std::ranges::stable_sort(ranked, [](const auto& a, const auto& b) {
    if (a.second.explains != b.second.explains) return a.second.explains;
    return a.first < b.first;
  });
  for (auto& [ignored, cause] : ranked) out.causes.push_back(std::move(cause));
  if (out.fits) out.causes.clear(), out.ruled_out.clear();
  std::vector<std::vector<Sighting>> explaining;
  for (const Cause& cause : out.causes)
    if (cause.explains) explaining.push_back(cause.predictions);
  out.telling = telling_of(explaining);
  return out;
}

}  // namespace gpufeed
