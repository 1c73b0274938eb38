// SPDX-License-Identifier: Apache-2.0
#include "sim/job/steady.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/base/assert.h"
#include "sim/base/numbers/statistics.h"

namespace gpufeed {
namespace {

/// Of the precision: what two numbers that are each known to it may differ by.
constexpr double kTwoNumbers = 2;

/// Of a batch a step: where none passed, the time is only long.
constexpr double kHardlyAny = 1e-3;
constexpr double kNoneRead = -1 + 1e-9;

template <class Values>
double mean_of(const Values& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

template <class Values>
double product_of(const Values& a, const Values& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// A regression on controls whose true mean is 0.
template <class Values>
struct Controlled {
  Values rest;              ///< of each value, about 0
  double mean = 0;          ///< where every control is 0
  double lever = 0;         ///< how far from it the controls were, in the variance of the mean
  std::size_t degrees = 0;  ///< of freedom

  explicit Controlled(const Values& values)
      : rest(values), mean(mean_of(values)), degrees(values.size() - 1) {
    for (double& value : rest) value -= mean;
  }

  /// Uses a control only where it explains more than half of what is left: one that does not costs
  /// a degree of freedom.
  void control(Values with) {
    constexpr double kExplains = 0.5;
    constexpr double kNothing = 1e-9;  // batches a step: rounding
    const double off = mean_of(with);
    for (double& value : with) value -= off;
    const double squares = product_of(with, with);
    if (squares <= kNothing * kNothing) return;
    const double shared = product_of(with, rest);
    if (shared * shared <= kExplains * squares * product_of(rest, rest)) return;
    const double slope = shared / squares;
    for (std::size_t i = 0; i < rest.size(); ++i) rest[i] -= slope * with[i];
    mean -= slope * off;
    lever += off * off / squares;
    --degrees;
  }

  /// By how much neighbors that are alike widen the variance of the mean.
  double alike() const {
    const double squares = product_of(rest, rest);
    if (squares == 0) return 1;
    double neighbors = 0;
    for (std::size_t i = 1; i < rest.size(); ++i) neighbors += rest[i - 1] * rest[i];
    constexpr double kMost = 0.7;  // more is no longer told from a drift by so few
    const double correlation =
        std::clamp(neighbors / squares + 1 / static_cast<double>(rest.size()), 0.0, kMost);
    return (1 + correlation) / (1 - correlation);
  }

  Confidence confidence() const {
    const double variance = product_of(rest, rest) / static_cast<double>(degrees) *
                            (1 / static_cast<double>(rest.size()) + lever);
    return {mean, t_quantile(static_cast<double>(degrees)) * std::sqrt(variance * alike()) / mean};
  }

  /// Late half against early half.
  double drift() const {
    const auto middle = rest.begin() + static_cast<std::ptrdiff_t>(rest.size() / 2);
    const double early = std::accumulate(rest.begin(), middle, 0.0);
    const double late = std::accumulate(middle, rest.end(), 0.0);
    return std::abs(late - early) * 2 / static_cast<double>(rest.size()) / mean;
  }
};

}  // namespace

Confidence confidence_of(const std::vector<double>& values) {
  GPUFEED_ASSERT(values.size() >= 2, "a confidence interval needs two values");
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double error = std::sqrt(squares / (n - 1) / n);
  return {mean, t_quantile(n - 1) * error / mean};
}

std::size_t warm_up_of(std::size_t values) { return 1 + (values - 1) / 4; }

double worth_knowing(double precision, double half_width, double batches) {
  constexpr double kUsual = 0.005;  // of a precision that nobody asks for
  constexpr double kMost = 2e6;     // a second or two
  constexpr double kForEach = 5e4;
  const double times = std::pow(std::max(1.0, kUsual / precision), 2);
  const double takes = batches * std::pow(half_width / precision, 2);
  if (!(takes > kMost * times)) return precision;
  return precision * std::max(1.0, batches / (kForEach * times));
}

bool gpus_wait(double mean_step_s, double undisturbed_s, double precision) {
  return mean_step_s > undisturbed_s * (1 + kTwoNumbers * precision);
}

SteadyState::SteadyState(std::int64_t segment_steps, Ratio precision, Seconds undisturbed,
                         std::int64_t least_steps, std::size_t batches_of_step)
    : segment_steps_(segment_steps),
      precision_(precision.value),
      undisturbed_s_(undisturbed.value),
      least_steps_(least_steps),
      batches_of_step_(static_cast<double>(batches_of_step)) {}

void SteadyState::add(Seconds now, const Supply& supply) {
  const bool ends = ends_segment();
  now_ = now;
  ++steps_;
  if (!ends) return;
  marks_.push_back({now, supply});
  if (enough() && steps_ >= least_steps_ && marks_.size() > next_look_) look();
}

void SteadyState::look() {
  constexpr double kLonger = 1.5;
  constexpr double kSurely = 4;
  next_look_ =
      static_cast<std::size_t>(std::lround(static_cast<double>(marks_.size() - 1) * kLonger));
  const Estimate now = estimate();
  const double precision = worth_knowing(precision_, now.step.half_width,
                                         static_cast<double>(steps_) * batches_of_step_);
  const bool known = now.known(precision);
  const bool agrees = known_before_ && std::abs(known_before_->mean / now.step.mean - 1) <=
                                           std::max(known_before_->half_width, now.step.half_width);
  steady_ = known && (agrees || now.known(precision / kSurely));
  known_before_.reset();
  if (known) known_before_ = now.step;
}

std::size_t SteadyState::warm_up() const {
  const std::size_t segments = marks_.size() - 1;
  return segments == 0 ? 0 : warm_up_of(segments);
}

bool SteadyState::enough() const {
  return !marks_.empty() && marks_.size() - 1 >= warm_up() + kGroups;
}

std::size_t SteadyState::group_segments() const {
  return (marks_.size() - 1 - warm_up()) / kGroups;
}

/// Groups count from the last segment back; segments that do not fill one are dropped in front.
/// Group 0 stands for the start of the first.
const SteadyState::Mark& SteadyState::group_end(std::size_t group) const {
  return marks_[marks_.size() - 1 - (kGroups - group) * group_segments()];
}

SteadyState::Groups SteadyState::times() const {
  Groups out{};
  const auto steps = static_cast<double>(group_segments()) * static_cast<double>(segment_steps_);
  for (std::size_t g = 0; g < kGroups; ++g)
    out[g] = (group_end(g + 1).date - group_end(g).date).value / steps;
  return out;
}

/// Of what has passed there, by group, per step, less the batch that is trained.
SteadyState::Groups SteadyState::growth(double Supply::*count) const {
  Groups out{};
  const auto steps = static_cast<double>(group_segments()) * static_cast<double>(segment_steps_);
  for (std::size_t g = 0; g < kGroups; ++g)
    out[g] = (group_end(g + 1).supply.*count - group_end(g).supply.*count) / steps - 1;
  return out;
}

bool SteadyState::fills(const Groups& stock) const {
  const double awaited = mean_of(growth(&Supply::awaited)) + 1;
  return mean_of(stock) > precision_ && awaited <= precision_;
}

SteadyState::Estimate SteadyState::estimate() const {
  const Groups trained = times();
  const Groups read = growth(&Supply::read);
  Controlled<Groups> step(trained);
  if (gpus_wait(step.mean, undisturbed_s_, precision_)) {
    for (const Groups& stock : {read, growth(&Supply::decoded)})
      if (!fills(stock)) step.control(stock);
    // a stock that fills beside GPUs which also wait for something else: no faster for it
    if (step.mean < undisturbed_s_) step = Controlled<Groups>(trained);
  }
  Estimate out{step.confidence(), step.drift()};
  const double drained = -mean_of(read);
  if (drained <= kTwoNumbers * precision_) {
    const double chance = std::abs(confidence_of({read.begin(), read.end()}).half_width * drained);
    if (drained > chance) out.step.half_width = std::max(out.step.half_width, drained);
    return out;
  }
  // A read that brings more batches than all groups train: of how fast reading is they know
  // nothing.
  if (std::ranges::all_of(read, [](double grown) { return grown <= kNoneRead; })) return out;
  Groups reading = trained;
  for (std::size_t g = 0; g < kGroups; ++g) reading[g] /= std::max(1 + read[g], kHardlyAny);
  const Confidence lasting = confidence_of({reading.begin(), reading.end()});
  if (lasting.half_width > kTwoNumbers * precision_) return out;  // bursts, no stock that drains
  if (lasting.mean > out.step.mean) out.step = lasting;
  out.step.half_width = std::max(out.step.half_width, drained);
  return out;
}

Pace SteadyState::pace() const {
  if (!enough()) return Pace::trained;
  const Groups trained = times();
  if (!gpus_wait(mean_of(trained), undisturbed_s_, precision_)) return Pace::trained;
  Pace best = Pace::trained;
  double narrowest = confidence_of({trained.begin(), trained.end()}).half_width;
  for (const Pace pace : {Pace::read, Pace::decoded}) {
    const Groups grown = growth(pace == Pace::read ? &Supply::read : &Supply::decoded);
    std::vector<double> passed;
    for (std::size_t g = 0; g < kGroups; ++g)
      passed.push_back(trained[g] / std::max(1 + grown[g], kHardlyAny));
    const Confidence at = confidence_of(passed);
    if (at.half_width < narrowest && at.mean >= undisturbed_s_ && !fills(grown)) {
      narrowest = at.half_width;
      best = pace;
    }
  }
  return best;
}

std::int64_t SteadyState::used_steps() const {
  return enough() ? static_cast<std::int64_t>(kGroups * group_segments()) * segment_steps_ : 0;
}

Confidence SteadyState::step_time() const {
  if (enough()) return estimate().step;
  const double steps = static_cast<double>(std::max<std::int64_t>(1, steps_));
  return {(now_ - marks_.front().date).value / steps, kUnknown};
}

}  // namespace gpufeed
