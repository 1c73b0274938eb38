// SPDX-License-Identifier: Apache-2.0
// Samples over time: what is said of rates, shares, loads and times comes from one account.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "sim/model/scenario.h"
#include "tests/support/catalog.h"
#include "tests/support/checks.h"
#include "tests/support/draws.h"
#include "tests/support/edits.h"
#include "tests/support/evidence.h"
#include "tests/support/exact_times.h"
#include "tests/support/random_features.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

namespace {

constexpr double kRounding = 1e-9;

Result answer(const std::string& text) {
  return simulate(parse_scenario(text, "test.toml", own_catalog()));
}

void check_one_account(const Result& result, double epochs, double samples_per_epoch) {
  const double all = result.first_epoch_s + (epochs - 1) * result.epoch_s;
  CHECK(result.training_s == approx(all).epsilon(kRounding));
  CHECK(result.time_to_result_s == approx(result.staging_s + all).epsilon(kRounding));
  CHECK(result.throughput_samples_per_s <= result.bound.samples_per_s * (1 + kRounding));
  for (const auto& stage : result.stages) {
    CAPTURE(form_of(stage.stage.code).name);
    CHECK(result.throughput_samples_per_s <= stage.capacity_samples_per_s * (1 + kRounding));
  }
  for (const auto& resource : result.resources) {
    CAPTURE(resource.id);
    CHECK(resource.utilization <= 1 + kRounding);
  }
  check_spent_once(result);
  if (epochs == 1)
    CHECK(result.throughput_samples_per_s ==
          approx(samples_per_epoch / result.training_s).epsilon(kRounding));
}

/// When `epochs` of so many steps end: one worker that builds batches one after the other, at most
/// `stock` of them under way or waiting; a copy of the next while the GPU computes.
double end_of(int epochs, int steps, double build, double copy, double compute, int stock,
              bool restart) {
  std::vector<double> ready, taken, copied, done;
  const auto at = [](const std::vector<double>& dates, int i) {
    return i < 0 ? 0.0 : dates[static_cast<std::size_t>(i)];
  };
  for (int i = 0; i < epochs * steps; ++i) {
    const double begin = restart ? at(done, i / steps * steps - 1) : 0.0;
    ready.push_back(std::max({begin, at(ready, i - 1), at(taken, i - stock)}) + build);
    taken.push_back(std::max({ready.back(), at(copied, i - 1), at(done, i - 2)}));
    copied.push_back(taken.back() + copy);
    done.push_back(std::max(copied.back(), at(done, i - 1)) + compute);
  }
  return done.back();
}

/// Epochs of a few steps, which begin with eight batches that a worker each decodes for half a
/// second.
const std::string kShortEpochs =
    "title = \"t\"\nsystem = \"nvidia-dgx-a100\"\n[workload]\nmodel = \"resnet-50\"\n"
    "precision = \"fp16\"\nbatch_per_gpu = 64\nepochs = 20\n[workload.dataset]\n"
    "title = \"small\"\nsamples = 8192\nsample_size = \"110 kB\"\ndecode_time = \"8 ms\"\n"
    "source = \"s\"\nbasis = \"measured\"\n[loader]\nworkers_per_gpu = 8\n";

}  // namespace

TEST_CASE("where epochs take most of their time to begin, that is what holds GPUs back") {
  const Result restarted = answer(kShortEpochs);
  CHECK(restarted.bottleneck.resource == fact<LimiterCode::start_of_epochs>());
  CHECK(restarted.bottleneck.next == fact<LimiterCode::loader_workers>());
  CHECK(restarted.bottleneck.next_limit == fact<LimiterCode::workers_of_gpu>(8));
  CHECK(restarted.bottleneck.distance > 1.5);
  CHECK(restarted.bottleneck.distance * restarted.throughput_samples_per_s <=
        1.001 * restarted.bound.samples_per_s);
  const Result streamed = answer(kShortEpochs + "between_epochs = \"stream\"\n");
  CHECK(streamed.bottleneck.resource == fact<LimiterCode::loader_workers>());
  CHECK(streamed.throughput_samples_per_s > 1.5 * restarted.throughput_samples_per_s);
}

TEST_CASE("a store that is busy while the loaders fill is what holds GPUs back, not the fill") {
  const Result result = answer(
      "nodes = 64\nsystem = 'nvidia-dgx-a100'\ndata = { at = 'nas' }\n"
      "workload = { model = 'resnet-50', dataset = 'imagenet-1k', precision = 'fp16',"
      " batch_per_gpu = 128, epochs = 2 }\n[store.nas]\nprotocol = 'nfs-tcp-nconnect'\n"
      "[store.nas.model]\ntitle = 's'\nsource = 's'\nbasis = 'estimate'\ncapacity = '50 TB'\n"
      "read_bandwidth = '2 GB/s'\nwrite_bandwidth = '2 GB/s'\nread_rate = '1000 kIOPS'\n"
      "read_latency = '500 us'\n");
  CHECK(result.throughput_samples_per_s > 0.9 * result.bound.samples_per_s);
  CHECK(shown(result, EvidenceCode::fills_at_start));
  CHECK(result.bottleneck.resource == fact<LimiterCode::store>());
  CHECK(result.bottleneck.next != fact<LimiterCode::store>());
}

TEST_CASE("epochs shorter than the stock of the loaders are read at the drives' pace") {
  // 160 volumes, 10 steps: 8 workers x 2 batches for each GPU would hold 16.
  const Result result = answer(
      "system = 'nvidia-dgx1-v100'\ndata = { at = 'scratch', mode = 'direct' }\n"
      "loader = { decode = 'none', worker_start = '0 s' }\nworkload = { model = 'unet3d', dataset "
      "= 'kits19-raw', "
      "batch_per_gpu = 2, precision = 'fp16' }\n");
  check_one_account(result, 1, 160);
  const double read = 160 / result.bound.samples_per_s;
  CHECK(result.training_s > read);
  CHECK(result.training_s < read + 0.5);  // the last batches are copied and computed on
  CHECK(result.throughput_samples_per_s == approx(14.4).epsilon(0.01));
}

TEST_CASE("five steps of a drive that takes half a minute for them are no 2,558 samples/s") {
  const Result result = answer(
      "system = 'aws-p3.16xlarge'\nnodes = 4\ndata.at = 'ssd1'\n"
      "workload = { model = 'efficientnet-b0', dataset = 'kits19-raw', batch_per_gpu = 1 }\n"
      "loader = { workers_per_gpu = 16, worker_start = '0 s', cache = 'none', decode = 'none' }\n");
  check_one_account(result, 1, 160);
  CHECK(result.throughput_samples_per_s == approx(4.2).epsilon(0.02));
}

TEST_CASE("as many steps as a segment of the steady state has give numbers") {
  for (const int steps : {1, 2, 8, 9, 10, 17}) {
    CAPTURE(steps);
    const Result result = answer(
        "system = 'nvidia-dgx1-p100'\nloader.worker_start = '0 s'\nworkload = { model = "
        "'resnet-50', "
        "dataset = 'imagenet-1k', samples = " +
        std::to_string(steps * 512) + " }\n");
    check_one_account(result, 1, steps * 512.0);
    const double compute = 512 / result.bound.samples_per_s;
    CHECK(result.training_s > steps * compute);
    CHECK(result.training_s < steps * compute + 1);  // the first batch comes within a second
    CHECK(result.accelerator_utilization ==
          approx(steps * 64 / 237.5 / result.training_s).epsilon(0.01));
  }
}

TEST_CASE("an epoch of loaders that restart costs their fill each time, of others once") {
  for (const double build : {8e-3, 31e-3, 48e-3})
    for (const int steps : {1, 3, 30, 1000})
      for (const bool restart : {true, false})
        for (const std::int64_t prefetch : {1, 4}) {
          CAPTURE(build);
          CAPTURE(steps);
          CAPTURE(restart);
          CAPTURE(prefetch);
          RandomMachine m = exact();
          m.steps = steps;
          m.prefetch = prefetch;
          m.rate[kDecode] = 32 / (build - 32 * (kReadLatency + 1e5 / 1e10));
          Scenario scenario = scenario_of(m);
          scenario.loader.cache = CacheRule::none;
          scenario.loader.between_epochs = restart ? BetweenEpochs::restart : BetweenEpochs::stream;
          scenario.workload.get<RunsEpochs>().epochs = 3;
          const Result result = simulate(scenario);
          const double copy = 1e-6 + 32 * 1e4 / 1e11;
          const auto model = [&](int epochs) {
            return end_of(epochs, steps, build, copy, kStep, static_cast<int>(prefetch), restart);
          };
          CHECK(result.training_s == approx(model(3)).epsilon(1e-6));
          CHECK(result.throughput_samples_per_s == approx(3 * steps * 32 / model(3)).epsilon(1e-6));
          if (restart) CHECK(result.first_epoch_s == approx(model(1)).epsilon(1e-6));
          check_one_account(result, 3, steps * 32.0);
        }
}

TEST_CASE("a first epoch that reads all stands apart: the throughput is that of the others") {
  RandomMachine m = exact();
  m.steps = 20;
  m.rate[kDrive] = 1e8;  // 32 ms a batch, and as much to compute
  for (const bool restart : {true, false}) {
    CAPTURE(restart);
    Scenario scenario = scenario_of(m);
    scenario.loader.cache = CacheRule::pinned;
    scenario.loader.between_epochs = restart ? BetweenEpochs::restart : BetweenEpochs::stream;
    scenario.workload.get<RunsEpochs>().epochs = 5;
    const Result result = simulate(scenario);
    REQUIRE(result.cache.hit_rate == 1);
    const double cold = 32 * (kReadLatency + 1e5 / 1e8 + kDecodeTime);
    const double copy = 1e-6 + 32 * 1e4 / 1e11;
    const double warm = 32 * kDecodeTime;
    // One batch at a time: read, copied, while the GPU computes on the one before.
    CHECK(result.first_epoch_s == approx(end_of(1, 20, cold, copy, kStep, 1, true)).epsilon(1e-6));
    const double later = end_of(1, 20, warm, copy, kStep, 1, true);
    CHECK(result.epoch_s <= later * (1 + 1e-3));
    CHECK(result.epoch_s >= 20 * kStep * (1 - kRounding));
    if (restart) CHECK(result.epoch_s >= 20 * kStep + warm);
    CHECK(result.throughput_samples_per_s == approx(20 * 32 / result.epoch_s).epsilon(kRounding));
    check_one_account(result, 5, 20 * 32);
  }
}

TEST_CASE("who meets the slowest GPU waits for what that one waits for") {
  RandomMachine m = four_ample_gpus();
  m.sockets = 2;  // the drives hang on the first: two GPUs read over the link between
  m.rate[kSocketLink] = 2e7;
  const Result result = simulate(scenario_of(m));
  for (const auto& group : result.gpus) {
    CAPTURE(group.group);
    CHECK(group.share.storage > 0.85);
    CHECK(group.share.barrier < 0.01);
  }
  m = four_ample_gpus();
  Scenario slow_gpu = scenario_of(m);
  slow_gpu.workload.get<kind::Training>().step_jitter = {0.2};
  const Result late = simulate(slow_gpu);
  CHECK(late.gpus.front().share.barrier > 0.1);  // these compute longer, by chance
  CHECK(late.gpus.front().share.storage < 0.01);
}

TEST_CASE("a link that data and gradients share is named where both together fill it") {
  RandomMachine m = four_ample_gpus();
  m.switches = 2;  // a ring over both uplinks, which batches cross, too
  m.exchange = true;
  m.rate[kUplink] = 1e9;
  m.rate[kCompute] = 1e6;
  m.input_size = 1e5;
  m.parameters = 1'000'000;
  const Result result = simulate(scenario_of(m));
  const double bytes = 2 * 32 * 1e5 + 2 * 3.0 / 4 * 4e6;  // of two GPUs, of the ring
  CHECK(result.bound.samples_per_s == approx(4 * 32 / (bytes / 1e9)));
  CHECK(result.bottleneck.resource == fact<LimiterCode::pcie_and_sockets>());
  CHECK(shown(result, EvidenceCode::wait_for_gradients_on_same_way));
}

TEST_CASE("on random machines all numbers come from one account") {
  for (std::uint64_t seed = 1; seed <= costly_draws(300u); ++seed) {
    CAPTURE(seed);
    Random random(seed + 5'000'000);
    RandomMachine m = random_machine(seed);
    m.steps = static_cast<std::int64_t>(log_uniform(random, 1, 400));
    Scenario scenario = scenario_of(m);
    const std::int64_t epochs = random.integer(1, 6);
    scenario.workload.get<RunsEpochs>().epochs = epochs;
    scenario.loader.cache = random.integer(0, 1) == 0 ? CacheRule::none : CacheRule::pinned;
    if (random.integer(0, 1) == 0) scenario.loader.between_epochs = BetweenEpochs::stream;
    const Result result = simulate(scenario);
    check_one_account(result, static_cast<double>(epochs),
                      static_cast<double>(m.steps * m.batch * m.gpus));
    if (epochs > 1 && result.cache.hit_rate > 0)
      CHECK(result.throughput_samples_per_s ==
            approx(static_cast<double>(m.steps * m.batch * m.gpus) / result.epoch_s)
                .epsilon(kRounding));
  }
}

TEST_CASE("with all mechanisms, what is extrapolated is what all steps take") {
  int compared = 0;
  double worst = 0, mean = 0;
  for (std::uint64_t seed = 1; seed <= costly_draws(60u); ++seed) {
    CAPTURE(seed);
    RandomMachine m = random_machine(seed);
    m.steps = 600;
    Scenario scenario = featured_scenario(m, seed);
    scenario.run.precision = {0.005};
    const Result quick = simulate(scenario);
    if (quick.simulated.extrapolated_steps == 0) continue;
    scenario.run.extrapolate = false;
    const Result full = simulate(scenario);
    const double error = std::abs(quick.training_s / full.training_s - 1);
    ++compared;
    worst = std::max(worst, error);
    mean += error;
    CHECK(error < 0.03);
  }
  MESSAGE(compared << " compared, worst " << worst << ", mean " << mean / compared);
  CHECK(compared >= costly_draws(30));
}

TEST_CASE("the first result is told of the same runs as the last one") {
  int repeated = 0;
  for (std::uint64_t seed = 1; seed <= draws(40u); ++seed) {
    Random random(seed + 31);
    RandomMachine m = random_machine(seed);
    m.steps = random.integer(1, 3);
    m.jitter = 0.3;
    Scenario scenario = featured_scenario(m, seed);
    if (scenario.data.staging) continue;
    const Result result = simulate(scenario);
    CAPTURE(seed);
    CHECK(result.time_to_first_result_s <= result.time_to_result_s * (1 + 1e-9));
    const bool together = scenario.workload.kind() == kind_of<kind::Training> &&
                          scenario.exchange.mode == ExchangeMode::synchronous &&
                          !scenario.checkpoint && result.simulated.extrapolated_steps == 0;
    if (result.simulated.steps == 1 && together)
      CHECK(result.time_to_first_result_s == approx(result.time_to_result_s).epsilon(1e-9));
    repeated += result.simulated.runs > 1 ? 1 : 0;
  }
  CHECK(repeated >= draws(10));
}

TEST_CASE("the time to the first result of a short job is the mean over its runs") {
  RandomMachine m = exact();
  m.rate[kDecode] = 1e3;
  m.jitter = 0.3;
  m.steps = 2;
  const Scenario scenario = scenario_of(m);
  const Result result = simulate(scenario);
  REQUIRE(result.simulated.runs > 2);
  double first = 0, all = 0;
  for (std::int64_t run = 0; run < result.simulated.runs; ++run) {
    Scenario alone = scenario;
    alone.run.replications = 1;
    alone.run.seed = scenario.run.seed + (run << 32);
    const Result one = simulate(alone);
    first += one.time_to_first_result_s / static_cast<double>(result.simulated.runs);
    all += one.time_to_result_s / static_cast<double>(result.simulated.runs);
  }
  CHECK(result.time_to_first_result_s == approx(first).epsilon(1e-9));
  CHECK(result.time_to_result_s == approx(all).epsilon(1e-9));
}
