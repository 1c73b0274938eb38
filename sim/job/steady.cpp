// SPDX-License-Identifier: Apache-2.0
#include "sim/job/steady.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/base/assert.h"

namespace gpufeed {
namespace {

/// Few enough to be long, so that bursts cancel out within one, and enough for a confidence
/// interval that is not wide for their number alone (Student's t of 7 degrees of freedom: 2.36).
constexpr std::size_t kGroups = 8;

/// Of the precision: what two numbers that are each known to it may differ by.
constexpr double kTwoNumbers = 2;

/// 97.5 % quantile of Student's t with n degrees of freedom: Cornish-Fisher about the normal one,
/// within 1 % from n = 3.
double t_quantile(double n) {
  const double z = 1.959964;
  const double g1 = (z * z * z + z) / 4;
  const double g2 = (5 * std::pow(z, 5) + 16 * z * z * z + 3 * z) / 96;
  const double g3 = (3 * std::pow(z, 7) + 19 * std::pow(z, 5) + 17 * z * z * z - 15 * z) / 384;
  return z + g1 / n + g2 / (n * n) + g3 / (n * n * n);
}

double relative_drift(const std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  const double early = std::accumulate(values.begin(), middle, 0.0);
  const double late = std::accumulate(middle, values.end(), 0.0);
  return std::abs(early - late) / (early + late) * 2;
}

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

bool gpus_wait(double mean_step_s, double undisturbed_s, double precision) {
  return mean_step_s > undisturbed_s * (1 + kTwoNumbers * precision);
}

SteadyState::SteadyState(std::int64_t segment_steps, Ratio precision, Seconds undisturbed)
    : segment_steps_(segment_steps),
      precision_(precision.value),
      undisturbed_s_(undisturbed.value) {}

void SteadyState::add(Seconds now, const Supply& supply) {
  const bool ends = ends_segment();
  now_ = now;
  ++steps_;
  if (!ends) return;
  marks_.push_back({now, supply});
  steady_ = enough() && best().known(precision_);
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

bool SteadyState::Estimate::known(double precision) const {
  return std::max(step.half_width, drift) <= precision;
}

double SteadyState::passed_at(const Mark& mark, Pace pace) const {
  if (pace == Pace::read) return mark.supply.read;
  if (pace == Pace::decoded) return mark.supply.decoded;
  return static_cast<double>((&mark - marks_.data()) * segment_steps_ + 1);
}

SteadyState::Estimate SteadyState::estimate(Pace pace) const {
  std::vector<double> times;
  for (std::size_t g = 0; g < kGroups; ++g) {
    const Mark& from = group_end(g);
    const Mark& to = group_end(g + 1);
    const double batches = passed_at(to, pace) - passed_at(from, pace);
    constexpr double kHardlyAny = 1e-3;  // of a batch: where none passed, the time is only long
    times.push_back((to.date - from.date).value / std::max(batches, kHardlyAny));
  }
  return {confidence_of(times), relative_drift(times), pace};
}

/// By how much, per step, the number of batches grows that have passed there and are not yet
/// trained: its mean over the late half of the groups against that over the early half.
double SteadyState::stock_growth(Pace pace) const {
  const std::size_t used = kGroups * group_segments();
  double trend = 0;
  for (std::size_t i = 0; i < used; ++i) {
    const Mark& mark = marks_[marks_.size() - used + i];
    const double stock = passed_at(mark, pace) - passed_at(mark, Pace::trained);
    trend += (i < used / 2 ? -2 : 2) * stock / static_cast<double>(used);
  }
  return trend / (static_cast<double>(used) * static_cast<double>(segment_steps_) / 2);
}

double SteadyState::stock_drift(Pace pace) const { return std::abs(stock_growth(pace)); }

SteadyState::Estimate SteadyState::best() const {
  Estimate trained = estimate(Pace::trained);
  if (const Estimate read = estimate(Pace::read); drains_at(read)) return lasting(trained, read);
  if (!gpus_wait(trained.step.mean, undisturbed_s_, precision_)) return trained;
  trained.step.half_width = std::max(trained.step.half_width, stock_drift(Pace::read));
  Estimate best = trained;
  for (const Pace pace : {Pace::read, Pace::decoded}) {
    if (stock_drift(pace) > kTwoNumbers * precision_) continue;
    Estimate other = estimate(pace);
    if (pace == Pace::decoded)
      other.step.half_width = std::max(other.step.half_width, stock_drift(Pace::read));
    const bool best_known = best.pace != Pace::trained && best.known(precision_);
    if (other.known(precision_) ? !best_known || other.step.mean > best.step.mean
                                : !best_known && other.step.half_width < best.step.half_width)
      best = other;
  }
  return best;
}

/// Whether the stock of read batches drains, and the pace of reading is known: bursts of reading
/// look like a stock that drains, too.
bool SteadyState::drains_at(const Estimate& read) const {
  return stock_growth(Pace::read) < -kTwoNumbers * precision_ &&
         read.known(kTwoNumbers * precision_);
}

/// While the stock drains: the rate that goes on when it is gone.
SteadyState::Estimate SteadyState::lasting(const Estimate& trained, const Estimate& read) const {
  Estimate slower = read.step.mean > trained.step.mean ? read : trained;
  slower.step.half_width = std::max(slower.step.half_width, stock_drift(Pace::read));
  return slower;
}

Pace SteadyState::pace() const { return enough() ? best().pace : Pace::trained; }

double SteadyState::passed() const { return passed_at(marks_.back(), pace()); }

Confidence SteadyState::step_time() const {
  if (enough()) return best().step;
  const double steps = static_cast<double>(std::max<std::int64_t>(1, steps_));
  return {(now_ - marks_.front().date).value / steps, kUnknown};
}

}  // namespace gpufeed
