// SPDX-License-Identifier: Apache-2.0
#include "sim/range/deviations.h"

#include <algorithm>
#include <array>
#include <string>
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

struct PartOfModel {
  ModelPart part;
  double deviation;
  std::string_view name;
  std::string_view remedy;
};
constexpr std::array<PartOfModel, kModelParts> kOfModel{{
    {ModelPart::reading, 0.02, "how data are read",
     "read the data on this machine without training (kind loader) and compare"},
    {ModelPart::decoding, 0.05, "how samples are decoded",
     "decode the data on this machine without training (kind loader) and compare"},
    {ModelPart::copying, 0.05, "how batches are copied",
     "run nvbandwidth on this machine and compare"},
    {ModelPart::computing, 0.008, "how steps follow one another",
     "train on data that are in memory already and compare"},
    {ModelPart::pace, 0.05, "how GPUs keep pace with one another",
     "train on one GPU and on all, on data that are in memory already, and compare"},
    {ModelPart::nodes, 0.10, "how nodes keep pace with one another",
     "train on one node and on two, on data that are in memory already, and compare"},
    {ModelPart::waking, 0.022, "how emulated accelerators wait for one another",
     "run the benchmark with few and with many accelerators, on data that are in memory, and "
     "compare"},
    {ModelPart::exchange, 0.20, "how gradients are exchanged",
     "run nccl-tests on this machine and compare"},
}};

const PartOfModel& of_model(ModelPart part) {
  return *std::ranges::find(kOfModel, part, &PartOfModel::part);
}

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

std::string_view name_of(ModelPart part) { return of_model(part).name; }

double deviation_of(Basis basis, Measurand measurand) {
  return kDeviation[static_cast<std::size_t>(basis)][static_cast<std::size_t>(measurand)];
}

double deviation_of(ModelPart part) { return of_model(part).deviation; }

std::string remedy_for(const UncertainValue& value) {
  if (is_computing(value.measurand) || value.places.empty())
    return "train on data in memory on one such GPU, and add the rate as [[workload.compute]]";
  for (const auto& [kind, remedy] : kKindRemedies)
    if (value.kind == kind) return std::string(remedy);
  return "measure it, and give it with --set or a catalog entry of your own";
}

std::string_view remedy_for(ModelPart part) { return of_model(part).remedy; }

}  // namespace gpufeed
