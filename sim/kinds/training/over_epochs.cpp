// SPDX-License-Identifier: Apache-2.0
#include "sim/kinds/training/over_epochs.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "sim/job/epochs/stretch.h"
#include "sim/kinds/training/parts_trained.h"
#include "sim/plan/limits/stages.h"

namespace gpufeed {
namespace {

/// Epochs that are simulated: four tell of one bend.
constexpr std::size_t kMostKnots = 7;

/// Epochs that find as much.
struct Point {
  HitCurve hits;
  double part = 0;     ///< of all later epochs
  double least_s = 0;  ///< what a step of theirs takes at least, by the limits of the plan

  double found() const { return hits.found(); }
};

/// Points that were simulated.
struct Knot {
  Record record;
  Repeated told;

  double step_s() const { return told.mean.step_s(); }
};

class Filling {
 public:
  Filling(const Scenario& scenario, const Plan& plan, const Plan& simulated, const Epochs& later,
          const Record* before)
      : scenario_(scenario),
        plan_(plan),
        simulated_(simulated),
        later_(later),
        before_(before),
        then_(finding(plan, later.hits)) {
    scenario_.run.timeline = false;
    double epochs = 0;
    for (const HitStretch& stretch : plan.filling) epochs += stretch.epochs;
    for (const HitStretch& stretch : plan.filling)
      points_.push_back({stretch.hits, stretch.epochs / epochs});
    points_.push_back({later.hits});
    for (Point& point : points_) {
      then_.later_hits = point.hits;
      point.least_s = plan.global_batch() / throughput_bound(then_).rate.value;
    }
    std::ranges::stable_sort(points_, {}, &Point::found);
  }

  OverEpochs of(const Record& at_mean, Repeated told) {
    const auto mean = std::ranges::find(points_, later_.hits, &Point::hits) - points_.begin();
    keep(static_cast<std::size_t>(mean), at_mean, std::move(told));
    simulate(0);
    simulate(points_.size() - 1);
    double open = gap();
    while (open > scenario_.run.precision.value && knots_.size() < kMostKnots) {
      simulate(widest());
      open = gap();
    }
    return joined(at_mean, open);
  }

 private:
  void keep(std::size_t point, const Record& record, Repeated told) {
    then_.later_hits = points_[point].hits;
    Knot knot{record, std::move(told)};
    knot.record.known_to = knot.told.known_to;
    EpochsAccount& mean = knot.told.mean;
    const Rate bound{plan_.global_batch() / points_[point].least_s};
    const Rate of_parts = bound_of_parts(then_, mean.spent, bound);
    if (before_) begin_early(mean, then_, *before_, of_parts);
    const Unheld unheld = hold_to(mean, knot.record, then_, bound, scenario_.run.precision);
    keep_below(mean, knot.record, then_, of_parts);
    unheld_ = knots_.empty() ? unheld : further(unheld_, unheld);
    knots_.emplace(point, std::move(knot));
  }

  void simulate(std::size_t point) {
    if (knots_.contains(point)) return;
    Epochs epochs = later_;
    epochs.hits = points_[point].hits;
    const Plan plan = finding(simulated_, epochs.hits);
    const Record record = run_alike_epochs(scenario_, plan, epochs);
    keep(point, record,
         repeated(scenario_, plan, epochs, record, account_of(plan, record, epochs)));
  }

  /// How far a point lies from the knot below it to that above, from 0 to 1.
  double place(std::size_t point, std::size_t below, std::size_t above) const {
    const double wide = points_[above].found() - points_[below].found();
    return wide > 0 ? (points_[point].found() - points_[below].found()) / wide : 0;
  }

  /// The line through two knots.
  double line(std::size_t point, std::size_t below, std::size_t above) const {
    return std::lerp(knots_.at(below).step_s(), knots_.at(above).step_s(),
                     place(point, below, above));
  }

  /// Between two knots: by how much the line from one to the other may be too long. What a step
  /// takes bends upward only, so it lies above the lines through the knots beside them.
  double gap(std::size_t point, std::size_t below, std::size_t above) const {
    double least = points_[point].least_s;
    if (const auto low = knots_.find(below); low != knots_.begin())
      least = std::max(least, line(point, std::prev(low)->first, below));
    if (const auto next = std::next(knots_.find(above)); next != knots_.end())
      least = std::max(least, line(point, above, next->first));
    return std::max(0.0, line(point, below, above) - least);
  }

  /// Calls `with(point, knot below, knot above)` for each point between two knots.
  template <class With>
  void between(With with) const {
    for (auto above = std::next(knots_.begin()); above != knots_.end(); ++above) {
      const std::size_t below = std::prev(above)->first;
      for (std::size_t point = below + 1; point < above->first; ++point)
        with(point, below, above->first);
    }
  }

  /// Of the mean step, relative.
  double gap() const {
    double open = 0, all = 0;
    between([&](std::size_t point, std::size_t below, std::size_t above) {
      open += points_[point].part * gap(point, below, above);
    });
    for (const auto& [knot, weight] : weights()) all += weight * knots_.at(knot).step_s();
    return open / all;
  }

  /// Between those knots that leave most open, the point that leaves most.
  std::size_t widest() const {
    std::map<std::size_t, double> open;                            // by the knot below
    std::map<std::size_t, std::pair<double, std::size_t>> points;  // the same
    between([&](std::size_t point, std::size_t below, std::size_t above) {
      const double of_point = gap(point, below, above);
      open[below] += points_[point].part * of_point;
      points[below] = std::max(points[below], {of_point, point});
    });
    const auto most =
        std::ranges::max_element(open, {}, [](const auto& interval) { return interval.second; });
    return points.at(most->first).second;
  }

  /// Of all later epochs, the part that each knot stands for.
  std::map<std::size_t, double> weights() const {
    std::map<std::size_t, double> weights;
    for (const auto& [point, knot] : knots_) weights[point] = points_[point].part;
    between([&](std::size_t point, std::size_t below, std::size_t above) {
      const double upper = points_[point].part * place(point, below, above);
      weights[above] += upper;
      weights[below] += points_[point].part - upper;
    });
    std::erase_if(weights, [](const auto& knot) { return knot.second <= 0; });
    return weights;
  }

  OverEpochs joined(const Record& at_mean, double open) const {
    const auto weights = this->weights();
    OverEpochs out{{}, {}, at_mean, unheld_};
    EpochsAccount& mean = out.mean;
    Record& record = out.record;
    mean.steps = later_.steps;
    mean.spent.resize(knots_.begin()->second.told.mean.spent.size());
    record.steady_spent.assign(record.steady_spent.size(), {});
    record.step_time = {};
    record.known_to = record.runs_differ = 0;
    double least_of_knots = 0, least = 0;
    for (const auto& [point, weight] : weights) {
      const Knot& knot = knots_.at(point);
      add(mean, knot.told.mean, weight);
      for (std::size_t g = 0; g < record.steady_spent.size(); ++g)
        for (std::size_t a = 0; a < kActivities; ++a)
          record.steady_spent[g][a] += weight * knot.record.steady_spent[g][a];
      record.step_time.mean += weight * knot.record.step_time.mean;
      record.step_time.half_width += weight * knot.record.step_time.half_width;
      record.known_to += weight * knot.told.known_to;
      record.runs_differ += weight * knot.told.runs_differ;
      least_of_knots += weight * points_[point].least_s;
    }
    for (const Point& point : points_) least += point.part * point.least_s;
    // Where what a step takes at least does not bend upward only, lines may pass below it.
    out.bound = {plan_.global_batch() / std::min(least, least_of_knots)};
    record.known_to = std::hypot(record.known_to, open / 2);
    record.simulated = 0;
    for (const auto& [point, knot] : knots_) {
      record.simulated += knot.record.simulated;
      record.converged = record.converged && knot.record.converged;
    }
    record.simulated = std::min(record.simulated, later_.steps);  // more than once, if few
    return out;
  }

  Scenario scenario_;
  const Plan& plan_;
  const Plan& simulated_;
  const Epochs& later_;
  const Record* before_;
  Plan then_;                  ///< of all nodes, where epochs find what is looked at
  std::vector<Point> points_;  ///< those that find least first; the mean among them
  std::map<std::size_t, Knot> knots_;
  Unheld unheld_;  ///< of the knot that was furthest above its bound
};

}  // namespace

OverEpochs over_epochs(const Scenario& scenario, const Plan& plan, const Plan& simulated,
                       const Epochs& later, const Record& at_mean, Repeated told,
                       const Record* before) {
  return Filling(scenario, plan, simulated, later, before).of(at_mean, std::move(told));
}

}  // namespace gpufeed
