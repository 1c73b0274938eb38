// SPDX-License-Identifier: Apache-2.0
#include "calib/requests/trees.h"

#include <dlib/random_forest.h>

#include <algorithm>
#include <memory>

namespace gpufeed {
namespace {

using Sample = dlib::matrix<double, 0, 1>;
using Forest = dlib::random_forest_regression_function<dlib::dense_feature_extractor>;

Sample sample_of(const std::vector<double>& job) {
  Sample out(static_cast<long>(job.size()));
  for (std::size_t f = 0; f < job.size(); ++f) out(static_cast<long>(f)) = job[f];
  return out;
}

std::vector<Sample> samples_of(const Lessons& lessons) {
  std::vector<Sample> out;
  for (const auto& one : lessons.features) out.push_back(sample_of(one));
  return out;
}

struct Shape {
  std::size_t trees;
  std::size_t least_leaf;
  double share;  ///< of the features that a node looks at
};

Forest trained(const std::vector<Sample>& samples, const std::vector<double>& values,
               const Shape& shape, std::size_t seed) {
  dlib::random_forest_regression_trainer<dlib::dense_feature_extractor> trainer;
  trainer.set_num_trees(shape.trees);
  trainer.set_min_samples_per_leaf(shape.least_leaf);
  trainer.set_feature_subsampling_fraction(shape.share);
  trainer.set_seed(std::to_string(seed));
  return trainer.train(samples, values);
}

}  // namespace

Prediction forest_of(const Lessons& lessons, std::size_t count) {
  constexpr std::size_t kLeaf = 2;
  constexpr double kThird = 1.0 / 3;  // Breiman's, for regression
  const auto forest = std::make_shared<const Forest>(
      trained(samples_of(lessons), lessons.values, {count, kLeaf, count == 1 ? 1 : kThird}, count));
  return [forest](const std::vector<double>& job) { return (*forest)(sample_of(job)); };
}

Prediction boosted_trees(const Lessons& lessons) {
  constexpr std::size_t kRounds = 20, kLeaves = 8, kLeaf = 2;
  constexpr double kTaken = 0.3;
  const auto samples = samples_of(lessons);
  std::vector<double> left = lessons.values;
  double middle = 0;
  for (const double value : left) middle += value / static_cast<double>(left.size());
  for (double& value : left) value -= middle;
  auto trees = std::make_shared<std::vector<Forest>>();
  for (std::size_t round = 0; round < kRounds; ++round) {
    trees->push_back(trained(samples, left, {1, std::max(kLeaf, left.size() / kLeaves), 1}, round));
    for (std::size_t i = 0; i < left.size(); ++i) left[i] -= kTaken * trees->back()(samples[i]);
  }
  return [trees, middle](const std::vector<double>& job) {
    const Sample sample = sample_of(job);
    double value = middle;
    for (const Forest& tree : *trees) value += kTaken * tree(sample);
    return value;
  };
}

}  // namespace gpufeed
