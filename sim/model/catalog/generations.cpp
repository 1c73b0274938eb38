// SPDX-License-Identifier: Apache-2.0
#include "sim/model/catalog/generations.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace gpufeed {
namespace {

std::string_view maker_of(std::string_view generation) {
  return generation.substr(0, generation.find(' '));
}

}  // namespace

Familiarity familiarity(const Gpu& gpu, const Generations& measured) {
  if (!gpu.generation) return Familiarity::new_generation;
  if (measured.contains(*gpu.generation)) return Familiarity::seen;
  const auto is_kin = [&](const std::string& one) {
    return maker_of(one) == maker_of(*gpu.generation);
  };
  return std::ranges::any_of(measured, is_kin) ? Familiarity::new_generation
                                               : Familiarity::new_maker;
}

std::string what_is_unseen(const Ref<Gpu>& gpu, const Generations& measured) {
  if (!gpu->generation) return fmt::format("the generation of {} is not known", gpu.name);
  switch (familiarity(*gpu, measured)) {
    case Familiarity::seen:
      return {};
    case Familiarity::new_generation:
      return fmt::format("no {} was measured", *gpu->generation);
    case Familiarity::new_maker:
      return fmt::format("no GPU of {} was measured", maker_of(*gpu->generation));
  }
  return {};
}

}  // namespace gpufeed
