// SPDX-License-Identifier: Apache-2.0
#include "reports/study/best_chance.h"

#include <algorithm>
#include <cmath>

#include "sim/base/numbers/random.h"

namespace gpufeed {
namespace {

constexpr int kDegrees = 4;              // of freedom, as student4_below has them
constexpr std::size_t kSamples = 20000;  // known to 0.4 %

/// The part of its logarithm that others do not share.
double own_scale(const Contestant& one) {
  return std::hypot(one.deviation, one.of_model * std::sqrt(1 - one.shared));
}

double normal(Random& random) { return std::log(random.lognormal(1)); }

/// What turns normal errors into Student's.
double stretch(Random& random) {
  double squares = 0;
  for (int i = 0; i < kDegrees; ++i) {
    const double one = normal(random);
    squares += one * one;
  }
  return std::sqrt(kDegrees / squares);
}

}  // namespace

std::vector<double> chances_to_be_best(const std::vector<Contestant>& all) {
  const auto alike = [&](const Contestant& one) {
    return !one.drawn.empty() && one.drawn.size() == all.front().drawn.size();
  };
  if (all.empty() || !std::ranges::all_of(all, alike)) return {};
  Random random(1);
  std::vector<double> wins(all.size());
  std::vector<double> values(all.size());
  for (std::size_t sample = 0; sample < kSamples; ++sample) {
    const double wide = stretch(random);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Contestant& one = all[i];
      const double error = normal(random) * own_scale(one) * (one.of_model > 0 ? wide : 1);
      values[i] = std::log(one.value) + one.drawn[sample % one.drawn.size()] + error;
    }
    ++wins[static_cast<std::size_t>(std::ranges::max_element(values) - values.begin())];
  }
  for (double& one : wins) one /= kSamples;
  return wins;
}

}  // namespace gpufeed
