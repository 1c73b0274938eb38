// SPDX-License-Identifier: Apache-2.0
#include "sim/base/numbers/random.h"

#include <boost/random/binomial_distribution.hpp>
#include <boost/random/gamma_distribution.hpp>
#include <boost/random/lognormal_distribution.hpp>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <boost/random/uniform_real_distribution.hpp>
#include <cmath>
#include <limits>

namespace gpufeed {
namespace {

/// SplitMix64 (Steele, Lea and Flood, Fast splittable pseudorandom number generators, OOPSLA 2014):
/// one addition a number, and a mixing that makes neighboring states independent.
struct SplitMix {
  using result_type = std::uint64_t;
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

  static constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15;
  static constexpr std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }
  result_type operator()() { return mixed(state += kStep); }

  std::uint64_t& state;
};

template <class Generator>
std::int64_t integer_of(Generator& generator, std::int64_t low, std::int64_t high) {
  return boost::random::uniform_int_distribution<std::int64_t>(low, high)(generator);
}

template <class Generator>
double sum_from(Generator& generator, double count, double mean, double deviation) {
  if (deviation == 0.0 || count == 0.0) return count * mean;
  const double shape = mean * mean / (deviation * deviation);
  const double scale = deviation * deviation / mean;
  // The gamma distribution's rejection loses its digits there, and it is a normal one by then.
  constexpr double kNormal = 1e12;
  if (!(count * shape < kNormal))
    return boost::random::normal_distribution<double>(count * mean,
                                                      std::sqrt(count) * deviation)(generator);
  return boost::random::gamma_distribution<double>(count * shape, scale)(generator);
}

template <class Generator>
std::int64_t successes_of(Generator& generator, std::int64_t count, double chance) {
  if (chance <= 0 || count == 0) return 0;
  if (chance >= 1) return count;
  return boost::random::binomial_distribution<std::int64_t>(count, chance)(generator);
}

}  // namespace

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
  return integer_of(state_->generator, low, high);
}

double Random::sum_of(double count, double mean, double deviation) {
  return sum_from(state_->generator, count, mean, deviation);
}

double Random::lognormal(double deviation) {
  if (deviation == 0.0) return 1;
  return boost::random::lognormal_distribution<double>(0, deviation)(state_->generator);
}

std::int64_t Random::successes(std::int64_t count, double chance) {
  return successes_of(state_->generator, count, chance);
}

Draw::Draw(std::uint64_t seed, std::uint64_t purpose, std::uint64_t place, std::uint64_t number)
    : state_(seed) {
  for (const std::uint64_t part : {purpose, place, number})
    state_ = SplitMix::mixed(state_ + SplitMix::kStep) ^ part;
  state_ = SplitMix::mixed(state_);
}

std::int64_t Draw::integer(std::int64_t low, std::int64_t high) {
  SplitMix generator{state_};
  return integer_of(generator, low, high);
}

double Draw::sum_of(double count, double mean, double deviation) {
  SplitMix generator{state_};
  return sum_from(generator, count, mean, deviation);
}

std::int64_t Draw::successes(std::int64_t count, double chance) {
  SplitMix generator{state_};
  return successes_of(generator, count, chance);
}

}  // namespace gpufeed
