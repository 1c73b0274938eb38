// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

namespace gpufeed {

/// A seeded source of random numbers whose sequence is the same on every machine and library.
class Random {
 public:
  explicit Random(std::uint64_t seed);
  ~Random();
  Random(Random&&) noexcept;
  Random& operator=(Random&&) noexcept;

  /// Uniform in [low, high).
  double uniform(double low, double high);
  /// Uniform in [low, high], both included.
  std::int64_t integer(std::int64_t low, std::int64_t high);
  /// Sum of `count` independent positive numbers of the given mean and standard deviation, each
  /// gamma-distributed (a sum of gammas is a gamma, so one draw suffices). `deviation` 0 gives
  /// `count * mean` exactly and draws nothing.
  double sum_of(double count, double mean, double deviation);
  /// A positive number whose median is 1 and whose logarithm has the given standard deviation. 0
  /// gives 1 and draws nothing.
  double lognormal(double deviation);
  /// How many of `count` independent trials succeed, each with probability `chance`. A chance of 0
  /// or 1 draws nothing.
  std::int64_t successes(std::int64_t count, double chance);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Random numbers by counter: what is drawn for one purpose, place and number (of a batch, say)
/// depends on nothing else that was drawn. Two machines that differ in one part then draw the same
/// for the same batch, whatever the order of events, so that they can be compared. Costs nothing to
/// make; the numbers are the same on every machine and library.
class Draw {
 public:
  Draw(std::uint64_t seed, std::uint64_t purpose, std::uint64_t place, std::uint64_t number);

  /// As those of Random.
  std::int64_t integer(std::int64_t low, std::int64_t high);
  double sum_of(double count, double mean, double deviation);
  std::int64_t successes(std::int64_t count, double chance);

 private:
  std::uint64_t state_;
};

}  // namespace gpufeed
