// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>

#include "sim/base/numbers/random.h"
#include "sim/model/scenario.h"
#include "tests/support/systems.h"

/// Machines and jobs drawn at random over all shapes that the model knows, as numbers that a test
/// can change one by one.
namespace gpufeed::systems {

enum RateOf {
  kDrive,
  kDriveLink,
  kArray,
  kNicPort,
  kNicLink,
  kUplink,
  kGpuLink,
  kSocketLink,
  kMemory,
  kBrick,
  kDecode,
  kCompute,
  kRates
};

struct RandomMachine {
  std::array<double, kRates> rate{};  ///< B/s; decode and compute: samples/s of a core or GPU
  std::int64_t sockets = 1, switches = 0, gpus = 1, drives = 1, nics = 1;
  bool nvlink = false, store = false, exchange = true;
  std::int64_t batch = 1, workers = 1, prefetch = 1, steps = 300, parameters = 1, cores = 1;
  double sample_size = 1, input_size = 1, deviation = 0, jitter = 0, overlap = 0;
  double sample_jitter = 0;
};

inline double log_uniform(Random& random, double low, double high) {
  return std::exp(random.uniform(std::log(low), std::log(high)));
}

RandomMachine random_machine(std::uint64_t seed);

/// One socket, one GPU of 1000 samples/s, one drive of 10 GB/s with 100 us, samples of 100 kB that
/// decode to 10 kB; all else ample: each test narrows one thing.
RandomMachine ample_machine();

inline constexpr double kBatch = 32;           ///< samples of one GPU of ample_machine()
inline constexpr double kStep = kBatch / 1e3;  ///< seconds that it computes for one

/// Four such GPUs and two drives, on cores that decode 100,000 samples/s each.
RandomMachine four_ample_gpus();

System system_of(const RandomMachine& m);

Scenario scenario_of(const RandomMachine& m);

}  // namespace gpufeed::systems
