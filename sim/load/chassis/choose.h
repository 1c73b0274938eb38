// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/load/chassis/memory.h"
#include "sim/load/chassis/request.h"

namespace gpufeed {

/// So many parts of one product, which the catalog has.
template <class Product>
struct Chosen {
  std::int64_t count;
  Ref<Product> model;
};

/// What goes into a chassis, not yet where.
struct Parts {
  std::int64_t sockets = 0;  ///< those with a CPU
  Ref<Cpu> cpu;              ///< nothing where it was refused
  std::optional<MemoryOfSocket> memory;
  std::vector<Chosen<Gpu>> gpus;
  std::vector<Chosen<Nic>> nics;
  std::vector<Chosen<Drive>> drives;
  std::vector<std::string> doubts;
};

/// The parts that the request names, and those the chassis comes with for keys left out. Refuses
/// unknown keys, products that the catalog does not have, and CPUs and memory that do not go into
/// the chassis.
Parts choose_parts(const Request& request);

}  // namespace gpufeed
