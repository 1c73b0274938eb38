// SPDX-License-Identifier: Apache-2.0
// Decoding on GPUs: by their processors, which then do not compute, or by engines beside them.
#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "sim/model/scenario.h"
#include "tests/support/draws.h"
#include "tests/support/edits.h"
#include "tests/support/evidence.h"
#include "tests/support/exact_times.h"
#include "tests/support/random_features.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

namespace {

constexpr double kSample = 1e-3;  ///< that ample_machine() computes for one
constexpr int kSteps = 60;

/// The same GPU, whose `engine` takes so long for a sample.
Scenario decoding(const RandomMachine& m, DecodeEngine engine, double per_sample) {
  Scenario scenario = scenario_of(m);
  auto decoder = named<Decoder>("on-gpu");
  DecodeCost cost;
  cost.gpu = scenario.system->gpus.front().model;
  cost.engine = engine;
  cost.per_sample = {per_sample};
  decoder.cost = {cost};
  decode_by(scenario, decoder);
  scenario.loader.decode = DecodeOn::gpu;
  return scenario;
}

/// Few steps, each of which is simulated.
Scenario short_job(std::int64_t batch, DecodeEngine engine, double per_sample) {
  RandomMachine m = exact();
  m.batch = batch;
  m.steps = kSteps;
  Scenario scenario = decoding(m, engine, per_sample);
  scenario.run.extrapolate = false;
  return scenario;
}

RandomMachine four_workers() {
  RandomMachine m = exact();
  m.workers = 4;
  return m;
}

/// How batches reach the GPU: beside its steps, between them, or without a copy.
enum class Way { beside, between, direct };

struct Line {
  double end = 0;      ///< of the last step
  double waiting = 0;  ///< for batches that an engine decodes
};

/// A worker that builds one batch after the other, a copy, an engine and a GPU in a row; each place
/// holds one batch.
Line in_series(double build, double copy, double decode, double compute, Way way) {
  Line out;
  std::vector<double> ready, taken, copied, decoded, done;
  const auto at = [](const std::vector<double>& dates, int i) {
    return i < 0 ? 0.0 : dates[static_cast<std::size_t>(i)];
  };
  const int ahead = way == Way::beside ? 3 : way == Way::direct ? 2 : 1;
  for (int i = 0; i < kSteps; ++i) {
    ready.push_back(std::max(at(ready, i - 1), at(taken, i - 1)) + build);
    taken.push_back(std::max({ready.back(), at(copied, i - 1), at(done, i - ahead)}));
    copied.push_back(taken.back() + (way == Way::direct ? 0 : copy));
    decoded.push_back(std::max(copied.back(), at(decoded, i - 1)) + decode);
    const double from = std::max(copied.back(), at(done, i - 1));
    out.waiting += std::max(0.0, decoded.back() - from);
    done.push_back(std::max(decoded.back(), at(done, i - 1)) + compute);
  }
  out.end = done.back();
  return out;
}

using enum LimiterCode;

double load_of(const Result& result, LimiterCode code) {
  const Stage* stage = stage_of(result, code);
  REQUIRE(stage);
  return result.throughput_samples_per_s / stage->capacity_samples_per_s;
}

void check_holds_together(const Result& result) {
  check_spent_once(result);
  CHECK(result.throughput_samples_per_s <= result.bound.samples_per_s * (1 + 1e-9));
  for (const auto& stage : result.stages) {
    CAPTURE(form_of(stage.stage.code).name);
    CHECK(result.throughput_samples_per_s <= stage.capacity_samples_per_s * (1 + 1e-9));
  }
}

/// A batch of so many samples, built and copied alone.
double build_of(double batch, Way way = Way::beside) {
  const double to_gpu = way == Way::direct ? 1e-6 : 0;  // of its link
  return batch * (kReadLatency + to_gpu + 1e5 / 1e10);
}
double copy_of(double batch) { return 1e-6 + batch * 1e5 / 1e11; }

}  // namespace

TEST_CASE("engines decode a batch while the GPU computes on the one before") {
  for (const std::int64_t batch : {1, 8, 32, 100})
    for (const double ratio : {0.1, 0.5, 0.95, 1.0, 1.05, 2.0, 10.0})
      for (const Way way : {Way::beside, Way::between, Way::direct}) {
        CAPTURE(batch);
        CAPTURE(ratio);
        CAPTURE(static_cast<int>(way));
        const auto size = static_cast<double>(batch);
        Scenario scenario = short_job(batch, DecodeEngine::nvjpg, ratio * kSample);
        if (way == Way::between) scenario.loader.copy = BatchCopy::in_order;
        if (way == Way::direct) scenario.data.path = ReadPath::gpudirect;
        const Result result = simulate(scenario);
        const Line line = in_series(build_of(size, way), copy_of(size), size * ratio * kSample,
                                    size * kSample, way);
        CHECK(result.training_s == about(line.end));
        const GpuShare& share = result.gpus.front().share;
        CHECK(share.compute == about(kSteps * size * kSample / line.end));
        CHECK(result.accelerator_utilization == about(share.compute));
        CHECK(std::abs(share.gpu_decode - line.waiting / line.end) < 1e-6);
        check_holds_together(result);
        CHECK(stage_of(result, gpu_decode)->capacity_samples_per_s == about(1 / (ratio * kSample)));
        CHECK(stage_of(result, gpu_decode)->limit == fact<nvjpg_engines>());
      }
}

TEST_CASE("of engines and processors the slower one sets the pace") {
  for (const double ratio : {0.3, 0.9, 1.1, 3.0}) {
    CAPTURE(ratio);
    const Result result = simulate(decoding(four_workers(), DecodeEngine::nvdec, ratio * kSample));
    CHECK(steady_of(result) == about(1 / (kSample * std::max(1.0, ratio)), 1e-3));
    CHECK(result.bound.samples_per_s == about(1 / (kSample * std::max(1.0, ratio)), 1e-9));
    CHECK(result.bottleneck.resource->code == (ratio > 1 ? gpu_decode : gpu_compute));
    CHECK(result.bottleneck.next->code == (ratio > 1 ? gpu_compute : gpu_decode));
    CHECK(stage_of(result, gpu_decode)->limit == fact<nvdec_engines>());
  }
}

TEST_CASE("what processors decode adds to what they compute, and is told apart from it") {
  for (const std::int64_t batch : {1, 8, 32, 100})
    for (const double ratio : {0.1, 0.5, 1.0, 2.0, 10.0}) {
      CAPTURE(batch);
      CAPTURE(ratio);
      const auto size = static_cast<double>(batch);
      const Result result = simulate(short_job(batch, DecodeEngine::sms, ratio * kSample));
      const double step = size * kSample * (1 + ratio);
      const double end = in_series(build_of(size), copy_of(size), 0, step, Way::beside).end;
      CHECK(result.training_s == about(end));
      const GpuShare& share = result.gpus.front().share;
      CHECK(share.compute == about(kSteps * size * kSample / end));
      CHECK(share.gpu_decode == about(ratio * share.compute));
      CHECK(result.accelerator_utilization == about(share.compute + share.gpu_decode));
      check_holds_together(result);
      CHECK(load_of(result, gpu_decode) == about(share.gpu_decode));
      CHECK(load_of(result, gpu_compute) == about(share.compute));
      CHECK(stage_of(result, gpu_decode)->limit == fact<gpu_processors>());
      CHECK(result.bottleneck.resource->code == (ratio >= 1 ? gpu_decode : gpu_compute));
      CHECK(result.bound.cut == std::vector{fact<decode_and_compute>()});
    }
}

TEST_CASE("a cost on a GPU that names no engine is its processors'") {
  Scenario scenario = short_job(32, DecodeEngine::sms, 0.5e-3);
  const Result processors = simulate(scenario);
  edit(scenario.workload.dataset(), [](Dataset& dataset) {
    edit(*dataset.decoder, [](Decoder& decoder) { decoder.cost[0].engine = {}; });
  });
  CHECK(simulate(scenario).training_s == processors.training_s);
}

TEST_CASE("GPUs that do not decode have no such stage") {
  const Result result = simulate(scenario_of(exact()));
  CHECK_FALSE(stage_of(result, gpu_decode));
  CHECK(result.gpus.front().share.gpu_decode == 0);
}

TEST_CASE("the bottleneck says what of the GPU decodes, and what would relieve it") {
  using Codes = std::vector<EvidenceCode>;
  using enum EvidenceCode;
  const auto why = [&](DecodeEngine engine, double per_sample, LimiterCode binds) {
    const Result result = simulate(decoding(four_workers(), engine, per_sample));
    CHECK(result.bottleneck.resource->code == binds);
    Codes codes;
    for (const Evidence& one : result.bottleneck.evidence) codes.push_back(one.shows.code);
    return codes;
  };
  CHECK(why(DecodeEngine::sms, 0.5e-3, gpu_compute) ==
        Codes{gpus_compute_and_exchange, gpus_decode, wait_hardly_for_data});
  CHECK(why(DecodeEngine::sms, 2e-3, gpu_decode) ==
        Codes{gpus_compute_and_exchange, gpus_decode, wait_hardly_for_data, cores_could_decode});
  CHECK(why(DecodeEngine::nvjpg, 0.9e-3, gpu_compute) ==
        Codes{gpus_compute_and_exchange, wait_for_decoding, wait_hardly_for_data, close_to_limit});
  CHECK(why(DecodeEngine::nvjpg, 2e-3, gpu_decode) ==
        Codes{delivers, wait_for_decoding, cores_could_decode});
}

TEST_CASE("GPUs that wait for the one whose engines are slow wait for its decoding") {
  RandomMachine m = four_ample_gpus();
  m.jitter = 0;
  m.exchange = false;
  Scenario scenario = decoding(m, DecodeEngine::nvjpg, 0.1e-3);
  auto slow = scenario.system->gpus.front().model;
  edit(slow, [](Gpu& gpu) { gpu.name = "slow"; });
  edit(scenario.system, [&](System& system) { system.gpus[3].model = slow; });
  edit(scenario.workload.model(), [&](Model& model) {
    ComputeRow row = model.compute.front();
    row.gpu = slow;
    model.compute.push_back(row);
  });
  edit(scenario.workload.dataset(), [&](Dataset& dataset) {
    edit(*dataset.decoder, [&](Decoder& decoder) {
      DecodeCost cost = decoder.cost.front();
      cost.gpu = slow;
      cost.per_sample = 4_ms;
      decoder.cost.push_back(cost);
    });
  });
  const Result result = simulate(scenario);
  CHECK(steady_of(result) == about(4 / 4e-3, 1e-3));
  for (const auto& group : result.gpus) {
    CAPTURE(group.group);
    CHECK(group.share.gpu_decode == about(0.75, 0.02));
    CHECK(group.share.barrier < 0.01);
  }
  check_holds_together(result);
}

TEST_CASE("both simulation engines decode on GPUs alike") {
  for (const DecodeEngine engine : {DecodeEngine::sms, DecodeEngine::nvjpg})
    for (const double ratio : {0.5, 2.0}) {
      Scenario scenario = short_job(32, engine, ratio * kSample);
      const Result fluid = simulate(scenario);
      scenario.run.engine = EngineKind::simgrid;
      const Result simgrid = simulate(scenario);
      CHECK(fluid.training_s == about(simgrid.training_s));
      CHECK(std::abs(fluid.gpus.front().share.gpu_decode - simgrid.gpus.front().share.gpu_decode) <
            1e-6);
    }
}

TEST_CASE("without a barrier each GPU decodes and computes at its own pace") {
  RandomMachine m = four_ample_gpus();
  m.jitter = 0;
  Scenario scenario = decoding(m, DecodeEngine::nvjpg, 2e-3);
  scenario.exchange.mode = ExchangeMode::asynchronous;
  const Result result = simulate(scenario);
  CHECK(steady_of(result) == about(4 / 2e-3, 0.01));
  check_holds_together(result);
}

TEST_CASE("on random machines that decode on GPUs, nothing beats the bound or a stage") {
  int engines = 0;
  for (std::uint64_t seed = 1; seed <= draws(200u); ++seed) {
    CAPTURE(seed);
    Random random(seed + 9'000'000);
    const RandomMachine m = random_machine(seed);
    Scenario scenario = seed % 3 == 0 ? cluster_of(m, seed) : featured_scenario(m, seed);
    if (!scenario.workload.is<kind::Training>()) continue;
    auto decoder = named<Decoder>("on-gpu");
    DecodeCost cost;
    cost.gpu = scenario.system->gpus.front().model;
    cost.engine = static_cast<DecodeEngine>(random.integer(0, 2));
    const double rate = static_cast<double>(scenario.workload.model()->compute.front().rate.value);
    cost.per_sample = {log_uniform(random, 0.1, 10) / rate};
    decoder.cost = {cost};
    decode_by(scenario, decoder);
    scenario.loader.decode = DecodeOn::gpu;
    if (random.integer(0, 3) == 0) scenario.exchange.mode = ExchangeMode::asynchronous;
    const Result result = simulate(scenario);
    if (cost.engine != DecodeEngine::sms) ++engines;
    check_spent_once(result);
    CHECK(result.throughput_samples_per_s <= result.bound.samples_per_s * (1 + 1e-9));
    CHECK(load_of(result, gpu_decode) <= 1 + 1e-9);
    if (cost.engine == DecodeEngine::sms)
      CHECK(load_of(result, gpu_decode) + load_of(result, gpu_compute) <= 1 + 1e-9);
  }
  CHECK(engines > draws(50));
}
