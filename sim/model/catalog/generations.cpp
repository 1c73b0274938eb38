// SPDX-License-Identifier: Apache-2.0
#include "sim/model/catalog/generations.h"

#include <algorithm>

namespace gpufeed {

Familiarity familiarity(const Gpu& gpu, const Generations& measured) {
  if (!gpu.generation) return Familiarity::new_generation;
  if (measured.contains(*gpu.generation)) return Familiarity::seen;
  return std::ranges::count(measured, gpu.generation->maker, &Generation::maker) > 0
             ? Familiarity::new_generation
             : Familiarity::new_maker;
}

}  // namespace gpufeed
