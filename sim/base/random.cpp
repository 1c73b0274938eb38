// SPDX-License-Identifier: Apache-2.0
#include "sim/base/random.h"

#include <boost/random/binomial_distribution.hpp>
#include <boost/random/gamma_distribution.hpp>
#include <boost/random/lognormal_distribution.hpp>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <boost/random/uniform_real_distribution.hpp>
#include <cmath>

namespace gpufeed {

struct Random::State {
  boost::random::mt19937_64 generator;
};

Random::Random(std::uint64_t seed)
    : state_(std::make_unique<State>(State{boost::random::mt19937_64(seed)})) {}
Random::~Random() = default;
Random::Random(Random&&) noexcept = default;
Random& Random::operator=(Random&&) noexcept = default;

double Random::uniform(double low, double high) {
  return boost::random::uniform_real_distribution<double>(low, high)(state_->generator);
}

std::int64_t Random::integer(std::int64_t low, std::int64_t high) {
  return boost::random::uniform_int_distribution<std::int64_t>(low, high)(state_->generator);
}

double Random::sum_of(double count, double mean, double deviation) {
  if (deviation == 0.0 || count == 0.0) return count * mean;
  const double shape = mean * mean / (deviation * deviation);
  const double scale = deviation * deviation / mean;
  // The gamma distribution's rejection loses its digits there, and it is a normal one by then.
  constexpr double kNormal = 1e12;
  if (!(count * shape < kNormal))
    return boost::random::normal_distribution<double>(
        count * mean, std::sqrt(count) * deviation)(state_->generator);
  return boost::random::gamma_distribution<double>(count * shape, scale)(state_->generator);
}

double Random::lognormal(double deviation) {
  if (deviation == 0.0) return 1;
  return boost::random::lognormal_distribution<double>(0, deviation)(state_->generator);
}

std::int64_t Random::successes(std::int64_t count, double chance) {
  if (chance <= 0 || count == 0) return 0;
  if (chance >= 1) return count;
  return boost::random::binomial_distribution<std::int64_t>(count, chance)(state_->generator);
}

}  // namespace gpufeed
