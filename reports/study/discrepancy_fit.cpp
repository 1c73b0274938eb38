// SPDX-License-Identifier: Apache-2.0
#include "reports/study/discrepancy_fit.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>

namespace gpufeed {
namespace {

constexpr double kPriorDeviation = 0.5;  ///< of every logarithm
constexpr double kUsualStep = 0.4;       ///< of ln g

double log_prior(double value, double mean) {
  return -0.5 * std::pow((value - mean) / kPriorDeviation, 2);
}

struct Limits1d {
  double low, high;
};

/// Where a function with one maximum is greatest.
double greatest(const std::function<double(double)>& function, Limits1d within) {
  constexpr double kGolden = 0.6180339887498949;
  constexpr double kNear = 1e-4;
  double low = within.low, high = within.high;
  double left = high - kGolden * (high - low), right = low + kGolden * (high - low);
  double at_left = function(left), at_right = function(right);
  while (high - low > kNear) {
    if (at_left < at_right) {
      low = left, left = right, at_left = at_right;
      right = low + kGolden * (high - low), at_right = function(right);
    } else {
      high = right, right = left, at_right = at_left;
      left = high - kGolden * (high - low), at_left = function(left);
    }
  }
  return (low + high) / 2;
}

/// Ascends from coordinate to coordinate, in logarithms.
class Ascent {
 public:
  explicit Ascent(const std::vector<ContactError>& rows) {
    of_mechanism_.resize(kMechanisms);
    with_step_.resize(kStepKinds);
    for (const ContactError& row : rows) {
      of_mechanism_[static_cast<std::size_t>(row.mechanism)].push_back(&row);
      for (std::size_t k = 0; k < kStepKinds; ++k)
        if (row.steps[k] > 0) with_step_[k].push_back(&row);
      if (row.values > 0) with_values_.push_back(&row);
    }
    b_.fill(kStart);
    g_.fill(kUsualStep);
  }

  DiscrepancyScales run() {
    constexpr int kMostSweeps = 60;
    for (int sweep = 0; sweep < kMostSweeps && improve() > 1e-3; ++sweep) {
    }
    DiscrepancyScales out;
    for (std::size_t m = 0; m < kMechanisms; ++m) out.deviation[m] = std::exp(b_[m]);
    for (std::size_t k = 0; k < kStepKinds; ++k) out.step[k] = std::exp(g_[k]);
    out.values = std::exp(lambda_);
    return out;
  }

 private:
  static constexpr double kStart = -2;  ///< ln B
  using Rows = std::vector<const ContactError*>;

  double likelihood(const Rows& rows) const {
    double sum = 0;
    for (const ContactError* row : rows) {
      double model = b_[static_cast<std::size_t>(row->mechanism)];
      for (std::size_t k = 0; k < kStepKinds; ++k) model += g_[k] * row->steps[k];
      const double variance = std::pow(std::exp(lambda_) * row->values, 2) + std::exp(2 * model);
      const double z2 = row->error * row->error / variance;
      sum += row->weight * (-2.5 * std::log1p(z2 / 4) - 0.5 * std::log(variance));
    }
    return sum;
  }

  double move(double& value, double mean, const Rows& rows, Limits1d within) {
    const double before = value;
    value = greatest(
        [&](double at) {
          value = at;
          return likelihood(rows) + log_prior(at, mean);
        },
        within);
    return std::abs(value - before);
  }

  /// \return the farthest that any coordinate moved
  double improve() {
    double most = 0;
    const double common = common_b();
    for (std::size_t m = 0; m < kMechanisms; ++m)
      most = std::max(most, move(b_[m], common, of_mechanism_[m], {common - 4, common + 4}));
    for (std::size_t k = 0; k < kStepKinds; ++k)
      most = std::max(most, move(g_[k], kUsualStep, with_step_[k], {0, 3}));
    return std::max(most, move(lambda_, 0, with_values_, {-3, 3}));
  }

  /// Of those of which anything was seen.
  double common_b() const {
    double sum = 0, count = 0;
    for (std::size_t m = 0; m < kMechanisms; ++m)
      if (!of_mechanism_[m].empty()) sum += b_[m], ++count;
    return count > 0 ? sum / count : kStart;
  }

  std::vector<Rows> of_mechanism_, with_step_;
  Rows with_values_;
  std::array<double, kMechanisms> b_{};
  std::array<double, kStepKinds> g_{};
  double lambda_ = 0;
};

}  // namespace

std::vector<ContactError> errors_of(const std::vector<FirstContact>& contacts) {
  std::map<std::string, double> rows_of;
  for (const FirstContact& one : contacts)
    if (one.measured > 0 && one.predicted > 0) ++rows_of[one.source];
  std::vector<ContactError> out;
  for (const FirstContact& one : contacts) {
    if (!(one.measured > 0 && one.predicted > 0)) continue;
    constexpr double kMostOfSource = 3;
    const auto found = rows_of.find(one.source);
    ContactError row;
    row.mechanism = one.mechanism;
    for (const Step step : one.steps) ++row.steps[static_cast<std::size_t>(step)];
    row.error = one.counts * std::log(one.measured / one.predicted);
    row.values = one.parameters;
    row.weight = std::min(std::sqrt(found->second), kMostOfSource) / found->second;
    row.source = static_cast<std::size_t>(std::distance(rows_of.begin(), found));
    out.push_back(row);
  }
  return out;
}

double DiscrepancyScales::sigma(const ContactError& row) const {
  double model = deviation[static_cast<std::size_t>(row.mechanism)];
  for (std::size_t k = 0; k < kStepKinds; ++k) model *= std::pow(step[k], row.steps[k]);
  return std::hypot(values * row.values, model);
}

DiscrepancyScales fit_scales(const std::vector<ContactError>& rows) { return Ascent(rows).run(); }

}  // namespace gpufeed
