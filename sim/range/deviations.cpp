// SPDX-License-Identifier: Apache-2.0
#include "sim/range/deviations.h"

#include <array>
#include <string>

namespace gpufeed {
namespace {

constexpr std::size_t kBases = 4;
constexpr std::size_t kMeasurands = 6;

/// Rows: measured, calibrated, datasheet, estimate; columns: time, rate, size, share, compute,
/// unseen.
constexpr std::array<std::array<double, kMeasurands>, kBases> kDeviation{{
    {0.05, 0.05, 0.00, 0.02, 0.01, 0.01},
    {0.05, 0.05, 0.00, 0.02, 0.02, 0.02},
    {0.10, 0.08, 0.00, 0.03, 0.05, 0.05},
    {0.25, 0.20, 0.05, 0.05, 0.18, 0.50},
}};

constexpr std::array<double, kModelParts> kOfModel{0.02, 0.05, 0.05, 0.008, 0.03, 0.20};

constexpr std::array<std::string_view, kModelParts> kPartNames{
    "how data are read",
    "how samples are decoded",
    "how batches are copied",
    "how steps follow one another",
    "how GPUs keep pace with one another",
    "how gradients are exchanged"};

constexpr std::array<std::string_view, kModelParts> kPartRemedies{
    "read the data on this machine without training (kind loader) and compare",
    "decode the data on this machine without training (kind loader) and compare",
    "run nvbandwidth on this machine and compare",
    "train on data that are in memory already and compare",
    "train on one GPU and on all, on data that are in memory already, and compare",
    "run nccl-tests on this machine and compare"};

}  // namespace

std::string_view name_of(ModelPart part) { return kPartNames[static_cast<std::size_t>(part)]; }

double deviation_of(Basis basis, Measurand measurand) {
  return kDeviation[static_cast<std::size_t>(basis)][static_cast<std::size_t>(measurand)];
}

double deviation_of(ModelPart part) { return kOfModel[static_cast<std::size_t>(part)]; }

std::string remedy_for(const UncertainValue& value) {
  const auto has = [&](std::string_view word) {
    return value.name.find(word) != std::string::npos;
  };
  if (value.measurand == Measurand::compute || value.measurand == Measurand::unseen)
    return "train on data in memory on one such GPU, and add the rate as [[workload.compute]]";
  if (has("decode_time") || has("sample_size")) return "measure the data set: gpufeed dataset";
  if (has("bandwidth of") || has("latency of") || has("rate of") || has("file_efficiency"))
    return "measure the drive or store with fio: gpufeed calibrate";
  return "measure it, and give it with --set or a catalog entry of your own";
}

std::string_view remedy_for(ModelPart part) {
  return kPartRemedies[static_cast<std::size_t>(part)];
}

}  // namespace gpufeed
