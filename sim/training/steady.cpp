// SPDX-License-Identifier: Apache-2.0
#include "sim/training/steady.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/base/assert.h"

namespace gpufeed {
namespace {

constexpr std::size_t kGroups = 8;

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

SteadyState::SteadyState(std::int64_t segment_steps, Ratio precision)
    : segment_steps_(segment_steps), precision_(precision.value) {}

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
  return segments == 0 ? 0 : 1 + (segments - 1) / 4;
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

/// Time per batch, where `batches(from, to)` passed between two marks.
template <class Batches>
SteadyState::Estimate SteadyState::estimate(Batches batches) const {
  std::vector<double> times;
  for (std::size_t g = 0; g < kGroups; ++g) {
    const Mark& from = group_end(g);
    const Mark& to = group_end(g + 1);
    times.push_back((to.date - from.date).value / std::max(batches(from, to), 1e-3));
  }
  return {confidence_of(times), relative_drift(times)};
}

/// Whether what has passed `place` and is not yet trained keeps its level: its mean over the late
/// half of the groups lies near that over the early half.
bool SteadyState::stock_rests(double (*place)(const Supply&)) const {
  const std::size_t used = kGroups * group_segments();
  double trend = 0;
  for (std::size_t i = 0; i < used; ++i) {
    const std::size_t mark = marks_.size() - used + i;
    const double trained = static_cast<double>(mark) * static_cast<double>(segment_steps_);
    const double stock = place(marks_[mark].supply) - trained;
    trend += (i < used / 2 ? -2 : 2) * stock / static_cast<double>(used);
  }
  const double half = static_cast<double>(used) * static_cast<double>(segment_steps_) / 2;
  return std::abs(trend) / half <= 2 * precision_;
}

SteadyState::Estimate SteadyState::best() const {
  const double steps = static_cast<double>(group_segments()) * static_cast<double>(segment_steps_);
  Estimate best = estimate([&](const Mark&, const Mark&) { return steps; });
  const auto consider = [&](double (*place)(const Supply&)) {
    if (!stock_rests(place)) return;
    const Estimate other = estimate(
        [&](const Mark& from, const Mark& to) { return place(to.supply) - place(from.supply); });
    const bool narrower = other.step.half_width < best.step.half_width;
    const bool both = other.known(precision_) && best.known(precision_);
    if (both ? other.step.mean > best.step.mean : narrower) best = other;
  };
  consider([](const Supply& s) { return s.read; });
  consider([](const Supply& s) { return s.decoded; });
  return best;
}

Confidence SteadyState::step_time() const {
  if (enough()) return best().step;
  const double steps = static_cast<double>(std::max<std::int64_t>(1, steps_));
  return {(now_ - marks_.front().date).value / steps, 0};
}

}  // namespace gpufeed
