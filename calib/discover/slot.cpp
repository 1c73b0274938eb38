// SPDX-License-Identifier: Apache-2.0
#include "calib/discover/slot.h"

#include <fmt/format.h>

namespace gpufeed {
namespace {

double rate_GBps(const PcieLink& link) {
  return lane_GBps(link.generation) * static_cast<double>(link.lanes);
}

}  // namespace

SlotFound slot_of(const PcieLink& found, const PcieLink& product, bool is_gpu) {
  constexpr double kRounding = 0.005;
  if (!found.known() || !product.known()) return {};
  const double rate = rate_GBps(found);
  if (rate >= rate_GBps(product) * (1 - kRounding)) return {};
  if (found.of_capabilities) {
    SlotFound slot;
    if (found.generation < product.generation) slot.generation = found.generation;
    if (found.lanes < product.lanes) slot.lanes = found.lanes;
    return slot;
  }
  const PcieLink older = link_of_rate(rate, product.lanes);
  if (is_gpu && older.known()) return {0, 0, true};
  if (older.known()) return {older.generation, 0, false};
  for (const std::int64_t lanes : {product.lanes / 2, product.lanes / 4})

    if (lanes > 0 && link_of_rate(rate, lanes).generation == product.generation)
      return {0, lanes, false};
  return {found.generation, found.lanes < product.lanes ? found.lanes : 0, false};
}

std::string link_in_words(const PcieLink& link) {
  return link.known() ? fmt::format("PCIe {}.0 x{}", link.generation, link.lanes)
                      : "an unknown link";
}

}  // namespace gpufeed
