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

double mean_of(const double* first, std::size_t count) {
  return std::accumulate(first, first + count, 0.0) / static_cast<double>(count);
}

}  // namespace

Confidence confidence_of(const std::vector<double>& values) {
  GPUFEED_ASSERT(values.size() >= 2, "a confidence interval needs two values");
  const auto n = static_cast<double>(values.size());
  const double mean = mean_of(values.data(), values.size());
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double error = std::sqrt(squares / (n - 1) / n);
  return {mean, t_quantile(n - 1) * error / mean};
}

SteadyState::SteadyState(std::int64_t segment_steps, Ratio precision)
    : segment_steps_(segment_steps), precision_(precision.value) {}

bool SteadyState::add(Seconds now) {
  now_ = now;
  if (++steps_ == 0) {
    start_ = segment_start_ = now;
    return true;
  }
  if (steps_ % segment_steps_ != 0) return false;
  means_.push_back((now - segment_start_).value / static_cast<double>(segment_steps_));
  segment_start_ = now;
  judge();
  return true;
}

std::size_t SteadyState::warm_up() const {
  return means_.empty() ? 0 : 1 + (means_.size() - 1) / 4;
}

/// The segments in use, joined into groups from the last one back; what does not fill a group is
/// dropped from the front.
std::vector<double> SteadyState::group_means() const {
  const std::size_t used = means_.size() - warm_up();
  const std::size_t size = used / kGroups;
  std::vector<double> groups;
  for (std::size_t g = 0; size > 0 && g < kGroups; ++g)
    groups.push_back(mean_of(means_.data() + means_.size() - (kGroups - g) * size, size));
  return groups;
}

void SteadyState::judge() {
  const auto groups = group_means();
  if (groups.empty()) return;
  const double early = mean_of(groups.data(), kGroups / 2);
  const double late = mean_of(groups.data() + kGroups / 2, kGroups / 2);
  const double drift = std::abs(early - late) / (early + late) * 2;
  steady_ = drift <= precision_ && confidence_of(groups).half_width <= precision_;
}

Confidence SteadyState::step_time() const {
  const auto groups = group_means();
  if (!groups.empty()) {
    const std::size_t used = means_.size() - warm_up();
    return {mean_of(means_.data() + warm_up(), used), confidence_of(groups).half_width};
  }
  const double steps = static_cast<double>(std::max<std::int64_t>(1, steps_));
  return {(now_ - start_).value / steps, 0};
}

}  // namespace gpufeed
