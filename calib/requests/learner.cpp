// SPDX-License-Identifier: Apache-2.0
#include "calib/requests/learner.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "calib/requests/trees.h"
#include "sim/base/numbers/statistics.h"

namespace gpufeed {
namespace {

constexpr std::array<std::string_view, kLearners> kNames{
    "last", "largest", "quantile", "nearest", "linear", "tree", "forest", "boosted"};

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// The range of each feature; 0 where it is the same everywhere.
std::vector<double> ranges(const Lessons& lessons) {
  std::vector<double> out;
  for (std::size_t f = 0; f < lessons.ordered.size(); ++f) {
    double low = lessons.features.front()[f], high = low;
    for (const auto& one : lessons.features)
      low = std::min(low, one[f]), high = std::max(high, one[f]);
    out.push_back(high - low);
  }
  return out;
}

double of_nearest(const Lessons& lessons, const std::vector<double>& job) {
  constexpr std::size_t kNear = 3;
  const std::size_t count = lessons.values.size();
  const std::vector<double> range = ranges(lessons);
  std::vector<std::pair<double, std::size_t>> distances;  // and how long ago
  for (std::size_t i = 0; i < count; ++i) {
    double distance = 0;
    for (std::size_t f = 0; f < job.size(); ++f) {
      const double apart = std::abs(job[f] - lessons.features[i][f]);
      if (apart == 0) continue;
      // beyond all that was seen, or another name
      distance += lessons.ordered[f] && range[f] > 0 ? apart / range[f] : 1;
    }
    distances.emplace_back(distance, count - i);
  }
  const std::size_t near = std::min(kNear, count);
  std::ranges::partial_sort(distances, distances.begin() + static_cast<std::ptrdiff_t>(near));
  double sum = 0, weights = 0;
  for (std::size_t i = 0; i < near; ++i) {
    constexpr double kAlike = 0.01;  // of a range: no nearer than that
    const double weight = 1 / (distances[i].first + kAlike);
    sum += weight * lessons.values[count - distances[i].second];
    weights += weight;
  }
  return sum / weights;
}

/// Solves m x = y of a symmetric positive definite m, in place.
std::vector<double> solved(std::vector<std::vector<double>> m, std::vector<double> y) {
  const std::size_t n = y.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t row = i + 1; row < n; ++row) {
      const double factor = m[row][i] / m[i][i];
      for (std::size_t c = i; c < n; ++c) m[row][c] -= factor * m[i][c];
      y[row] -= factor * y[i];
    }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t c = i + 1; c < n; ++c) y[i] -= m[i][c] * y[c];
    y[i] /= m[i][i];
  }
  return y;
}

/// The features that differ and are ordered, each less its mean and over its deviation.
struct Scale {
  std::vector<std::size_t> features;
  std::vector<double> means, deviations;

  std::vector<double> of(const std::vector<double>& job) const {
    std::vector<double> out;
    for (std::size_t k = 0; k < features.size(); ++k)
      out.push_back((job[features[k]] - means[k]) / deviations[k]);
    return out;
  }
};

Scale scale_of(const Lessons& lessons) {
  Scale out;
  const std::vector<double> range = ranges(lessons);
  const auto count = static_cast<double>(lessons.values.size());
  for (std::size_t f = 0; f < range.size(); ++f) {
    if (range[f] == 0 || !lessons.ordered[f]) continue;
    double sum = 0, squares = 0;
    for (const auto& one : lessons.features) sum += one[f];
    for (const auto& one : lessons.features) squares += std::pow(one[f] - sum / count, 2);
    out.features.push_back(f);
    out.means.push_back(sum / count);
    out.deviations.push_back(std::sqrt(squares / count));
  }
  return out;
}

Prediction ridge(const Lessons& lessons) {
  const Scale scale = scale_of(lessons);
  const std::size_t n = scale.features.size();
  const double middle = mean(lessons.values);
  constexpr double kPenalty = 1;  // a feature of one standard deviation in one job
  std::vector<std::vector<double>> m(n, std::vector<double>(n, 0));
  std::vector<double> y(n, 0);
  for (std::size_t i = 0; i < n; ++i) m[i][i] = kPenalty;
  for (std::size_t j = 0; j < lessons.values.size(); ++j) {
    const auto x = scale.of(lessons.features[j]);
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = 0; b < n; ++b) m[a][b] += x[a] * x[b];
      y[a] += x[a] * (lessons.values[j] - middle);
    }
  }
  const auto [low, high] = std::ranges::minmax(lessons.values);
  return [scale, middle, low = low, high = high,
          weights = solved(std::move(m), std::move(y))](const std::vector<double>& job) {
    const auto x = scale.of(job);
    const double value = std::inner_product(x.begin(), x.end(), weights.begin(), middle);
    return std::clamp(value, 2 * low - high, 2 * high - low);
  };
}

}  // namespace

std::string_view name_of(Learner learner) { return kNames[static_cast<std::size_t>(learner)]; }

double remembered(Learner learner, const Lessons& lessons, const std::vector<double>& job) {
  constexpr double kUpper = 0.75;
  switch (learner) {
    case Learner::last:
      return lessons.values.back();
    case Learner::largest:
      return *std::ranges::max_element(lessons.values);
    case Learner::quantile:
      return quantile(lessons.values, kUpper);
    default:
      return of_nearest(lessons, job);
  }
}

Prediction fitted(Learner learner, const Lessons& lessons) {
  constexpr std::size_t kFewest = 4, kTrees = 32;
  const auto range = ranges(lessons);
  const bool differ = std::ranges::any_of(range, [](double r) { return r > 0; });
  if (lessons.values.size() < kFewest || !differ)
    return [middle = mean(lessons.values)](const auto&) { return middle; };
  switch (learner) {
    case Learner::tree:
      return forest_of(lessons, 1);
    case Learner::forest:
      return forest_of(lessons, kTrees);
    case Learner::boosted:
      return boosted_trees(lessons);
    default:
      return ridge(lessons);
  }
}

}  // namespace gpufeed
