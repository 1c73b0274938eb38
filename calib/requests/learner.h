// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace gpufeed {

/// What makes a number of earlier jobs' numbers. The first four remember, the others fit.
enum class Learner { last, largest, quantile, nearest, linear, tree, forest, boosted };
inline constexpr std::size_t kLearners = 8;

/// "forest".
std::string_view name_of(Learner learner);

/// Jobs to learn from, the last known last.
struct Lessons {
  std::vector<std::vector<double>> features;  ///< alike in length; every one a number
  std::vector<bool> ordered;   ///< by feature: a larger one means more; else numbers are but names
  std::vector<double> values;  ///< what is to be predicted
};

/// What a learner that remembers says of a job:
/// - last: the last value; largest: the largest; quantile: the 75 % quantile;
/// - nearest: the mean of the three nearest jobs (differences of ordered features over their
///   ranges, 1 for another name; of equally near ones the later).
/// \param lessons  one at least
double remembered(Learner learner, const Lessons& lessons, const std::vector<double>& job);

using Prediction = std::function<double(const std::vector<double>&)>;

/// Whether it is one of those below.
constexpr bool is_fitted(Learner learner) { return learner >= Learner::linear; }

/// A learner that fits, once it has seen the lessons, of which there is one at least:
/// - linear: ridge regression on ordered features (Hoerl and Kennard, Technometrics 12, 1970),
/// whose
///   penalty is that of one job, no farther beyond the values seen than they are apart;
/// - tree, forest: one and 32 regression trees on bootstrap samples (Breiman, Machine Learning 45,
///   2001; dlib's);
/// - boosted: 20 small trees, each fitted to what those before left, three tenths of it taken
///   (Friedman, Annals of Statistics 29, 2001).
/// The mean where no feature differs, or there are fewer than four lessons. The same lessons give
/// the same function.
Prediction fitted(Learner learner, const Lessons& lessons);

}  // namespace gpufeed
