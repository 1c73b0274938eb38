// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gpufeed {

struct System;

/// How often something fails, as far as the catalog says it.
struct FailureRate {
  double rate = 0;                   ///< a second
  std::vector<std::string> unknown;  ///< titles of parts that do not say it, each once
};

/// A machine's: its own figure, which holds its parts; else its parts' together, of the GPUs those
/// alone that a job uses.
FailureRate failures_per_second(const System& system, std::int64_t gpus_in_use);

}  // namespace gpufeed
