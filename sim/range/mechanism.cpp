// SPDX-License-Identifier: Apache-2.0
#include "sim/range/mechanism.h"

#include <algorithm>
#include <array>

#include "sim/model/compute.h"
#include "sim/model/find_part.h"
#include "sim/model/result/result.h"
#include "sim/model/scenario.h"
#include "sim/model/transformer/job.h"
#include "sim/model/transport/store_client.h"
#include "sim/range/outlook.h"

namespace gpufeed {
namespace {

/// Below it data keep the GPUs busy (tests/validation/README.md).
constexpr double kWaits = 0.05;

// Each names a command that holds what it measures against the prediction, or what else it takes.
constexpr std::string_view kOnReads =
    "read the data without training, watched by gpufeed observe JOB --output seen.toml, and hold "
    "that against the same with --set workload.kind=loader: gpufeed simulate SCENARIO --observed "
    "seen.toml";
constexpr std::string_view kOnCheckpoints =
    "save and load a checkpoint on this machine, watched by gpufeed observe JOB --output "
    "seen.toml, "
    "and let it set the store: gpufeed anchor SCENARIO --observed seen.toml";
constexpr std::string_view kOnDrives =
    "measure the drive: gpufeed calibrate --io --dir DIR --output here.toml";
constexpr std::string_view kOnStores =
    "run fio with what gpufeed export fio SCENARIO writes, and compare";
constexpr std::string_view kOnCollectives =
    "run nccl-tests on this machine, and compare: gpufeed import results OUTPUT cases.toml "
    "--system "
    "NAME, then gpufeed validate cases.toml";

struct InWords {
  Mechanism of;
  std::string_view what, remedy;
};
constexpr std::array<InWords, kMechanisms> kWords{{
    {Mechanism::rate_on_one_node, "how GPUs of a node keep pace with one another",
     "train on one GPU and on all, on data that are in memory already, and compare: gpufeed "
     "observe "
     "JOB --output seen.toml, then gpufeed simulate SCENARIO --observed seen.toml"},
    {Mechanism::rate_on_several_nodes, "how nodes keep pace with one another",
     "train on one node and on two, on data that are in memory already, and compare: gpufeed "
     "observe "
     "JOB --output seen.toml, then gpufeed simulate SCENARIO --observed seen.toml"},
    {Mechanism::estimated_step, "how steps that nobody measured are estimated",
     "train on data in memory on one such GPU, as gpufeed calibrate --training --dir DIR does, and "
     "add the rate as [[workload.compute]]"},
    {Mechanism::decoder_step, "how steps of a language model follow from its architecture",
     "time a step on such GPUs, on data in memory, as gpufeed calibrate --training --dir DIR does, "
     "and add the rate as [[workload.compute]]"},
    {Mechanism::emulated_fed, "how emulated accelerators wait for one another",
     "run the benchmark with few and with many accelerators, on data that are in memory, and "
     "compare; one of them: gpufeed replay SCENARIO --data DIR"},
    {Mechanism::cores_bind, "how samples are decoded",
     "time decoding on this machine: gpufeed calibrate --decode --dir DIR --output here.toml"},
    {Mechanism::storage_binds, "how data are read", kOnReads},
    {Mechanism::first_fill, "how a job begins to read", kOnReads},
    {Mechanism::checkpoint_save, "how checkpoints are saved", kOnCheckpoints},
    {Mechanism::checkpoint_load, "how checkpoints are loaded", kOnCheckpoints},
    {Mechanism::io_local, "how drives answer", kOnDrives},
    {Mechanism::io_remote, "how stores answer", kOnStores},
    {Mechanism::collective_small, "how collectives of few bytes run", kOnCollectives},
    {Mechanism::collective_large, "how collectives run", kOnCollectives},
    {Mechanism::transfers, "how copies share links",
     "run nvbandwidth on this machine, and compare: gpufeed import results OUTPUT cases.toml "
     "--system "
     "NAME, then gpufeed validate cases.toml"},
    {Mechanism::matmul, "how matrix products run",
     "time them on this GPU: gpufeed calibrate --gpu --dir DIR --output here.toml"},
    {Mechanism::serving, "how requests are served",
     "time one request and many on this machine, and compare"},
    {Mechanism::pipeline, "how stages follow one another",
     "time the pipeline's stages on this machine, and compare"},
}};

const InWords& of(Mechanism mechanism) {
  return *std::ranges::find(kWords, mechanism, &InWords::of);
}

/// Of the time of a mean GPU.
struct Waits {
  double reading = 0, decoding = 0;
};

Waits waits_of(const Result& result) {
  Waits waits;
  double gpus = 0;
  for (const GpuGroup& group : result.gpus) {
    const auto count = static_cast<double>(group.count);
    waits.reading += count * (group.share.storage + group.share.copy);
    waits.decoding += count * group.share.decode;
    gpus += count;
  }
  if (gpus == 0) return {};
  return {waits.reading / gpus, waits.decoding / gpus};
}

bool is_estimated(const Scenario& scenario) {
  const auto* computes = scenario.workload.find<ComputesModel>();
  const auto& gpus = scenario.system->gpus;
  const auto in_use = static_cast<std::size_t>(gpus_per_node(scenario));
  for (std::size_t i = 0; computes && i < std::min(gpus.size(), in_use); ++i)
    if (compute_rows(*computes, gpus[i].model.name).empty()) return true;
  return false;
}

/// A store whose client has laws of its own tells how it answers.
bool through_client(const Scenario& scenario) {
  if (!scenario.data.at.is(PartKind::store)) return false;
  const Store* store = find_store(scenario, scenario.data.at);
  return store && store->protocol && reads_files(**store->protocol);
}

Mechanism mechanism_of_reads(const Scenario& scenario) {
  return through_client(scenario) ? Mechanism::io_remote : Mechanism::storage_binds;
}

}  // namespace

Mechanism mechanism_of_job(const Scenario& scenario, const Result& result, const Outlook& outlook) {
  if (scenario.workload.is<kind::Loader>()) {
    // What workers wait for beside decoding is a client's first bytes.
    double reading = std::max(outlook.reading_s, outlook.copying_s), other = outlook.decoding_s;
    double& waits_in = through_client(scenario) ? reading : other;
    waits_in = std::max(waits_in, outlook.waiting_s);
    return reading > other ? mechanism_of_reads(scenario) : Mechanism::cores_bind;
  }
  Waits waits = waits_of(result);
  // What passes while loaders fill at the start of an epoch is no rate of what they read.
  if (const auto steady = result.steady_samples_per_s)
    waits.reading -= std::max(0.0, 1 - result.throughput_samples_per_s / *steady);
  if (waits.reading + waits.decoding > kWaits)
    return waits.reading > waits.decoding ? mechanism_of_reads(scenario) : Mechanism::cores_bind;
  return *mechanism_of_fed(scenario);
}

std::optional<Mechanism> mechanism_of_fed(const Scenario& scenario) {
  if (scenario.workload.is<kind::Loader>()) return {};
  if (scenario.workload.is<kind::Emulated>()) return Mechanism::emulated_fed;
  if (transformer_job(scenario)) return Mechanism::decoder_step;
  if (is_estimated(scenario)) return Mechanism::estimated_step;
  return scenario.nodes > 1 ? Mechanism::rate_on_several_nodes : Mechanism::rate_on_one_node;
}

Mechanism mechanism_of_io(const Scenario& scenario) {
  return scenario.data.at.is(PartKind::store) ? Mechanism::io_remote : Mechanism::io_local;
}

std::string_view words_of(Mechanism mechanism) { return of(mechanism).what; }
std::string_view remedy_for(Mechanism mechanism) { return of(mechanism).remedy; }

}  // namespace gpufeed
