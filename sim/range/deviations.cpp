// SPDX-License-Identifier: Apache-2.0
#include "sim/range/deviations.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace gpufeed {
namespace {

constexpr std::size_t kBases = 4;
constexpr std::size_t kMeasurands = 7;

/// Rows: measured, calibrated, datasheet, estimate; columns: time, rate, size, share, compute,
/// new_gpu, unseen. An estimate for a new generation of GPUs: see physics.md.
constexpr std::array<std::array<double, kMeasurands>, kBases> kDeviation{{
    {0.05, 0.05, 0.00, 0.02, 0.01, 0.01, 0.01},
    {0.05, 0.05, 0.00, 0.02, 0.02, 0.02, 0.02},
    {0.10, 0.08, 0.00, 0.03, 0.05, 0.05, 0.05},
    {0.25, 0.20, 0.05, 0.05, 0.16, 0.20, 0.50},
}};

constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kKindRemedies{{
    {"drive", "measure the drive with fio: gpufeed calibrate --io"},
    {"array", "measure the store with fio: gpufeed calibrate"},
    {"protocol", "measure the store from one client with fio: gpufeed calibrate"},
    {"dataset", "measure the data set: gpufeed dataset"},
    {"decoder", "time decoding on this machine: gpufeed calibrate --decode"},
    {"cpu", "measure memory and cores of this machine: gpufeed calibrate --memory --decode"},
    {"link", "time copies over it, as nvbandwidth does, and give its efficiency with --set"},
    {"nic", "time copies between two machines, as ib_write_bw or iperf3 do"},
    {"collectives",
     "run nccl-tests on this machine, and compare with a workload of kind collective"},
}};

}  // namespace

double deviation_of(Basis basis, Measurand measurand) {
  return kDeviation[static_cast<std::size_t>(basis)][static_cast<std::size_t>(measurand)];
}

std::string remedy_for(const UncertainValue& value) {
  if (is_computing(value.measurand) || value.places.empty())
    return "train on data in memory on one such GPU, and add the rate as [[workload.compute]]";
  for (const auto& [kind, remedy] : kKindRemedies)
    if (value.kind == kind) return std::string(remedy);
  return "measure it, and give it with --set or a catalog entry of your own";
}

}  // namespace gpufeed
