// SPDX-License-Identifier: Apache-2.0
#include "calib/discover/pcie.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>

namespace gpufeed {
namespace {

constexpr int kNewest = 6;
constexpr std::array<std::int64_t, 7> kWidths{16, 12, 8, 4, 2, 1, 32};

}  // namespace

double lane_GBps(int generation) {
  constexpr std::array<double, kNewest + 1> kRates{0,
                                                   0.25,
                                                   0.5,
                                                   8 * 128 / 130.0 / 8,
                                                   16 * 128 / 130.0 / 8,
                                                   32 * 128 / 130.0 / 8,
                                                   64 * 236 / 256.0 / 8};
  return kRates.at(static_cast<std::size_t>(generation));
}

PcieLink link_of_rate(double GBps, std::int64_t lanes) {
  constexpr double kRounding = 0.005;
  for (int generation = 1; generation <= kNewest; ++generation) {
    const double rate = lane_GBps(generation) * static_cast<double>(lanes);
    if (std::abs(GBps / rate - 1) < kRounding) return {generation, lanes};
  }
  return {};
}

PcieLink link_of_rate(double GBps) {
  for (const std::int64_t lanes : kWidths)
    if (const PcieLink link = link_of_rate(GBps, lanes); link.known()) return link;
  return {};
}

int generation_of(const std::string& transfer_rate) {
  constexpr std::array<double, kNewest + 1> kTransfers{0, 2.5, 5, 8, 16, 32, 64};
  const double rate = std::strtod(transfer_rate.c_str(), nullptr);
  for (int generation = 1; generation <= kNewest; ++generation)
    if (rate == kTransfers.at(static_cast<std::size_t>(generation))) return generation;
  return 0;
}

std::string catalog_name(int generation) { return fmt::format("pcie-{}.0", generation); }

}  // namespace gpufeed
