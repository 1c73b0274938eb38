// SPDX-License-Identifier: Apache-2.0
#include "calib/requests/learner.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace gpufeed;

namespace {

/// Values at features 0, 1, 2, ...
Lessons along_a_line(const std::vector<double>& values) {
  Lessons out{{}, {true}, values};
  for (std::size_t i = 0; i < values.size(); ++i) out.features.push_back({static_cast<double>(i)});
  return out;
}

const std::vector<Learner> kFitted{Learner::linear, Learner::tree, Learner::forest,
                                   Learner::boosted};

}  // namespace

TEST_CASE("what remembers says the last value, the largest, and the 75 % quantile") {
  const Lessons lessons = along_a_line({5, 1, 9, 3, 2});
  CHECK(remembered(Learner::last, lessons, {0}) == 2);
  CHECK(remembered(Learner::largest, lessons, {0}) == 9);
  CHECK(remembered(Learner::quantile, lessons, {0}) == 5);
}

TEST_CASE("the nearest three jobs count by how near they are, another name as far as a range") {
  CHECK(remembered(Learner::nearest, along_a_line({10, 10, 10, 50, 50, 50}), {0}) ==
        doctest::Approx(10));
  CHECK(remembered(Learner::nearest, along_a_line({10, 10, 10, 50, 50, 50}), {5}) ==
        doctest::Approx(50));
  const Lessons names{{{7}, {3}, {7}, {3}}, {false}, {1, 100, 1, 100}};
  // two of the own name, a hundred times as near as one of the other
  CHECK(remembered(Learner::nearest, names, {7}) == doctest::Approx(1 + 99 / 203.).epsilon(0.01));
}

TEST_CASE("where no feature differs, all that fit give the mean") {
  const Lessons lessons{{{1}, {1}, {1}, {1}, {1}}, {true}, {1, 2, 3, 4, 10}};
  for (const Learner learner : kFitted) {
    CAPTURE(name_of(learner));
    CHECK(fitted(learner, lessons)({1}) == doctest::Approx(4));
  }
}

TEST_CASE("a line is found, and not followed farther than what was seen is apart") {
  std::vector<double> values;
  for (int i = 0; i < 100; ++i) values.push_back(3 + 2.0 * i);
  const Prediction line = fitted(Learner::linear, along_a_line(values));
  CHECK(line({20}) == doctest::Approx(43).epsilon(0.02));
  CHECK(line({110}) == doctest::Approx(223).epsilon(0.02));
  CHECK(line({1e6}) == doctest::Approx(201 + 198));
}

TEST_CASE("trees tell two groups apart, and the same lessons give the same trees") {
  std::vector<double> values(40, 1.0);
  for (std::size_t i = 20; i < values.size(); ++i) values[i] = 5;
  for (const Learner learner : {Learner::tree, Learner::forest, Learner::boosted}) {
    CAPTURE(name_of(learner));
    const Prediction one = fitted(learner, along_a_line(values));
    CHECK(one({3}) == doctest::Approx(1).epsilon(0.02));
    CHECK(one({36}) == doctest::Approx(5).epsilon(0.02));
    const Prediction again = fitted(learner, along_a_line(values));
    for (const double at : {0.0, 18.0, 19.5, 21.0, 39.0}) CHECK(one({at}) == again({at}));
  }
}
