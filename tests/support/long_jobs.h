// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "sim/base/diagnostics.h"
#include "sim/model/scenario.h"
#include "sim/plan/limits/stages.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"
#include "tests/support/edits.h"
#include "tests/support/random_features.h"

/// Jobs long enough to be extrapolated and short enough to be simulated in full, drawn at random:
/// what a stated certainty is held against.
namespace gpufeed::systems {

template <class T, std::size_t N>
const T& one_of(Random& random, const std::array<T, N>& values) {
  return values[static_cast<std::size_t>(random.integer(0, std::ssize(values) - 1))];
}

/// Steps, so that all GPUs together train about as many batches.
inline std::int64_t affordable_steps(Random& random, std::int64_t gpus) {
  return std::min<std::int64_t>(random.integer(1000, 3000), 16000 / gpus);
}

/// Gives the GPUs a rate near what the rest of the way can deliver, where chance matters most.
inline void balance_compute(Scenario& scenario, Random& random) {
  Scenario draft = scenario;
  draft.run.max_steps = 20;
  double least = std::numeric_limits<double>::infinity();
  for (const auto& stage : simulate(draft).stages)
    if (stage.stage.code != LimiterCode::gpu_compute &&
        stage.stage.code != LimiterCode::gradient_exchange)
      least = std::min(least, stage.capacity_samples_per_s);
  auto model = *scenario.workload.model();
  const auto gpus = static_cast<double>(std::ssize(scenario.system->gpus) * scenario.nodes);
  for (auto& row : model.compute) row.rate = {least / gpus * random.uniform(0.8, 1.4)};
  scenario.workload.model() = ref(std::move(model));
}

inline RandomMachine long_machine(std::uint64_t seed, Random& random) {
  RandomMachine m = random_machine(seed);
  m.steps = affordable_steps(random, m.gpus);
  m.jitter = 0.05;
  m.sample_jitter = 0.2;
  return m;
}

/// One or two readers of few large samples on each GPU and one drive, at about its pace: they fall
/// into step with the drive, and change their order seldom.
inline Scenario marching_readers(std::uint64_t seed, Random& random) {
  RandomMachine m = ample_machine();
  m.rate[kDrive] = 2e9;
  m.gpus = random.integer(1, 2);
  m.batch = random.integer(1, 8);
  m.workers = random.integer(1, 4);
  m.sample_size = log_uniform(random, 3e5, 3e7);
  m.rate[kDecode] = m.rate[kDrive] / m.sample_size / random.uniform(0.1, 2);
  m.jitter = 0.05;
  m.sample_jitter = 0.2;
  m.deviation = seed % 4 == 0 ? 0.3 * m.sample_size : 0;
  m.steps = affordable_steps(random, m.gpus);
  Scenario scenario = scenario_of(m);
  scenario.data.mode = ReadMode::direct;
  scenario.loader.style =
      random.integer(0, 2) == 0 ? LoaderStyle::tensorflow : LoaderStyle::pytorch;
  return scenario;
}

/// A machine, network and data set of the catalog; none where they do not fit together.
inline std::optional<Scenario> catalog_job(Random& random) {
  static constexpr std::array<std::string_view, 7> kSystems{
      "nvidia-dgx1-p100", "nvidia-dgx-h100", "nvidia-dgx-a100",  "aws-p3.16xlarge",
      "aws-p4d.24xlarge", "aws-p5.48xlarge", "dell-c4130-k-p100"};
  static constexpr std::array<std::string_view, 5> kModels{"resnet-50", "alexnet", "swin-base",
                                                           "bert-base", "inception-v3"};
  static constexpr std::array<std::string_view, 5> kDatasets{
      "imagenet-1k", "ct-volumes-512", "video-4k-clips", "imagenet-1k-tfrecord", "coco-2017"};
  static constexpr std::array<std::string_view, 2> kStyles{"pytorch", "tensorflow"};
  static constexpr std::array<std::int64_t, 5> kBatches{4, 16, 32, 64, 256};
  static constexpr std::array<std::int64_t, 5> kWorkers{1, 2, 4, 8, 16};
  static constexpr std::array<std::int64_t, 4> kGpus{1, 2, 4, 8};
  const std::int64_t gpus = one_of(random, kGpus);
  const std::int64_t batch = one_of(random, kBatches);
  const std::string text = fmt::format(
      "schema = 1\nsystem = \"{}\"\n"
      "workload = {{ model = \"{}\", dataset = \"{}\", batch_per_gpu = {}, gpus = {}, samples = {}"
      ", step_jitter = \"{} %\" }}\nloader = {{ style = \"{}\", workers_per_gpu = {} }}\n",
      one_of(random, kSystems), one_of(random, kModels), one_of(random, kDatasets), batch, gpus,
      affordable_steps(random, gpus) * gpus * batch, random.integer(0, 3), one_of(random, kStyles),
      one_of(random, kWorkers));
  try {
    return parse_scenario(text, "long job", own_catalog());
  } catch (const InputError&) {
    return {};
  }
}

inline Scenario synthetic_job(std::uint64_t seed, Random& random) {
  if (seed % 10 == 2) {
    RandomMachine m = long_machine(seed, random);
    m.steps = affordable_steps(random, std::min<std::int64_t>(m.gpus, 4) * 5);
    return cluster_of(m, seed);
  }
  if (seed % 10 <= 4) return marching_readers(seed, random);
  RandomMachine m = long_machine(seed, random);
  if (seed % 10 == 5) m.store = true;
  Scenario scenario = featured_scenario(m, seed);
  if (seed % 10 == 6 && scenario.workload.is<kind::Training>()) {
    auto& training = scenario.workload.get<kind::Training>();
    training.epochs = 2;
    training.step_jitter = {random.uniform(0, 0.05)};
    Dataset dataset = *scenario.workload.dataset();
    dataset.samples /= 2;
    scenario.workload.dataset() = ref(std::move(dataset));
    scenario.loader.cache_memory = Bytes{static_cast<double>(dataset.samples) *
                                         dataset.sample_size.value * random.uniform(0, 1.2)};
  }
  if (seed % 10 == 7) scenario.loader.jobs = 1;
  return scenario;
}

/// \param seed  from 1 on; every kind of job comes once in ten of them
inline Scenario long_job(std::uint64_t seed) {
  Random random(seed + 3'000'000);
  std::optional<Scenario> scenario;
  while (!scenario && seed % 10 <= 1) scenario = catalog_job(random);
  if (!scenario) {
    scenario = synthetic_job(seed, random);
    if (!scenario->workload.is<kind::Emulated>() && !scenario->workload.is<kind::Loader>() &&
        random.integer(0, 2) > 0)
      balance_compute(*scenario, random);
  }
  scenario->run = {};
  return *scenario;
}

constexpr int kCapacities = 8;

/// The same job with more of one capacity; false where it has no such part.
inline bool raise_capacity(Scenario& scenario, int which, double factor) {
  System system = *scenario.system;
  Dataset dataset = *scenario.workload.dataset();
  bool raised = true;
  if (which == 0) {
    edit_all(system.drives, [&](Drive& drive) {
      drive.read_bandwidth = drive.read_bandwidth * factor;
      drive.read_rate = drive.read_rate * factor;
    });
    raised = !system.drives.empty();
  } else if (which == 1) {
    edit_all(system.drives,
             [&](Drive& drive) { drive.read_latency = drive.read_latency / factor; });
    raised = !system.drives.empty();
  } else if (which == 2) {
    raised = dataset.decode_time.has_value();
    if (raised) dataset.decode_time = *dataset.decode_time / factor;
  } else if (which == 3) {
    edit_all(system.sockets, [](Cpu& cpu) { cpu.cores *= 2; });
  } else if (which == 4) {
    edit_all(system.sockets,
             [&](Cpu& cpu) { cpu.memory_bandwidth = cpu.memory_bandwidth * factor; });
  } else if (which == 5) {
    raised = scenario.workload.is<kind::Training>();
    if (raised)
      edit(scenario.workload.model(), [&](Model& model) {
        for (auto& row : model.compute) row.rate = row.rate * factor;
      });
  } else if (which == 6) {
    edit_all(system.nics, [&](Nic& nic) { nic.port_bandwidth = nic.port_bandwidth * factor; });
    raised = !system.nics.empty();
  } else {
    raised = !scenario.store.empty();
    for (auto& [name, store] : scenario.store)
      edit(store.model, [&](Array& array) {
        array.read_bandwidth = array.read_bandwidth * factor;
        array.read_rate = array.read_rate * factor;
      });
  }
  scenario.system = ref(std::move(system));
  scenario.workload.dataset() = ref(std::move(dataset));
  return raised;
}

}  // namespace gpufeed::systems
