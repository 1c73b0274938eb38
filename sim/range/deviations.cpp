// SPDX-License-Identifier: Apache-2.0
#include "sim/range/deviations.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "sim/base/key_path.h"

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

/// What tells a number of an entry of this kind; {} stands for its key. A command of this program,
/// or what another one takes.
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kKindRemedies{{
    {"drive", "measure it on that drive: gpufeed calibrate --io --dir DIR --output here.toml"},
    {"dataset", "measure the data set: gpufeed dataset DIR mine.toml"},
    {"decoder",
     "time decoding on that machine: gpufeed calibrate --decode --dir DIR --output here.toml"},
    {"cpu",
     "measure memory and cores of that machine: gpufeed calibrate --memory --decode --dir DIR "
     "--output here.toml"},
    {"link", "time copies over it, as nvbandwidth does, and give --set '{}=VALUE'"},
    {"nic",
     "time copies between two machines, as ib_write_bw or iperf3 do, and give --set '{}=VALUE'"},
    {"collectives",
     "run nccl-tests on such GPUs, and compare: gpufeed import results OUTPUT cases.toml --system "
     "NAME, then gpufeed validate cases.toml"},
}};
constexpr std::string_view kByRun =
    "let one run set it: gpufeed observe JOB --output seen.toml, then gpufeed anchor SCENARIO "
    "--observed seen.toml --key '{}'";

}  // namespace

double deviation_of(Basis basis, Measurand measurand) {
  return kDeviation[static_cast<std::size_t>(basis)][static_cast<std::size_t>(measurand)];
}

std::string remedy_for(const UncertainValue& value) {
  if (is_computing(value.measurand) || value.places.empty())
    return "train on data in memory on one such GPU, as gpufeed calibrate --training --dir DIR "
           "does, "
           "and add the rate as [[workload.compute]]";
  std::string_view words = kByRun;
  for (const auto& [kind, remedy] : kKindRemedies)
    if (value.kind == kind) words = remedy;
  const std::string key = text(own_path(value.places.front().path));
  return fmt::format(fmt::runtime(words), key);
}

}  // namespace gpufeed
