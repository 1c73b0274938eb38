// SPDX-License-Identifier: Apache-2.0
// Every kind of workload says where what is measured will lie, and what warns widens.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <string>

#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "sim/plan/limits/stages.h"
#include "sim/plan/make/make_plan.h"
#include "sim/range/intervals.h"
#include "sim/range/mechanism.h"
#include "sim/range/spread.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"
#include "tests/support/draws.h"
#include "tests/support/examples.h"
#include "tests/support/random_machine.h"

using namespace gpufeed;

namespace {

Scenario loaded(const std::string& text) {
  return parse_scenario("title = \"t\"\n" + text, "intervals.toml", own_catalog());
}

const PredictionInterval* interval(const Result& result, std::string_view of) {
  const auto found = std::ranges::find(result.prediction_intervals, of, &PredictionInterval::of);
  return found == result.prediction_intervals.end() ? nullptr : &*found;
}

Mechanism mechanism_in(const std::string& text, std::string_view of) {
  const Result result = simulate(loaded(text));
  const PredictionInterval* found = interval(result, of);
  REQUIRE(found);
  CHECK(found->p10 < found->p50);
  CHECK(found->p50 < found->p90);
  CHECK_FALSE(result.no_interval);
  return found->mechanism;
}

std::string v100(const std::string& keys) {
  return "system = \"nvidia-dgx1-v100\"\n" + keys +
         "[workload]\nmodel = \"resnet-50\"\ndataset = \"imagenet-1k\"\nprecision = \"fp16\"\n"
         "batch_per_gpu = 64\nsamples = 200_000\n[loader]\ndecode = \"none\"\n";
}

double width(const Result& result) {
  const PredictionInterval* rate = interval(result, "throughput_samples_per_s");
  REQUIRE(rate);
  return std::log(rate->p90 / rate->p10);
}

}  // namespace

TEST_CASE("each kind has an interval, by the law that it rests on") {
  CHECK(mechanism_in(v100(""), "throughput_samples_per_s") == Mechanism::rate_on_one_node);
  CHECK(mechanism_in(v100("nodes = 2\n"), "throughput_samples_per_s") ==
        Mechanism::rate_on_several_nodes);
  CHECK(mechanism_in("system = \"nvidia-dgx-h100\"\n[workload]\nkind = \"collective\"\n",
                     "collectives[0].time_s") == Mechanism::collective_small);
  CHECK(mechanism_in("system = \"nvidia-dgx-h100\"\n[workload]\nkind = \"matmul\"\n"
                     "product = [{ m = 64, n = 256, k = 256 }]\n",
                     "products[0].time_s") == Mechanism::matmul);
  CHECK(mechanism_in("system = \"nvidia-dgx-h100\"\ndata = { at = \"nas\" }\nstore = { nas = { "
                     "model = \"weka-wekapod-nitro-8-servers\", protocol = \"weka\" } }\n"
                     "[workload]\nkind = \"checkpointing\"\nmodel = \"llama3-8b\"\n",
                     "checkpointing.load.rank0_Bps") == Mechanism::checkpoint_load);
  CHECK(mechanism_in("system = \"nvidia-dgx-a100\"\n[workload]\nkind = \"inference\"\n"
                     "model = \"resnet-50\"\ndataset = \"imagenet-1k\"\nprecision = \"fp16\"\n"
                     "[workload.serving]\nclients = 8\nrequests = 1000\n",
                     "serving.capacity_requests_per_s") == Mechanism::serving);
}

TEST_CASE("every example has intervals, and each holds what is predicted") {
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(GPUFEED_SOURCE_DIR "/examples")) {
    if (entry.path().filename() != "scenario.toml") continue;
    Scenario scenario = load_scenario(entry.path(), own_catalog());
    scenario.run.range_samples = Run{}.range_samples;  // one asks for none
    const Result result = simulate(scenario);
    CAPTURE(entry.path().string());
    CHECK_FALSE(result.no_interval);
    for (const PredictionInterval& one : result.prediction_intervals) {
      CAPTURE(one.of);
      CHECK(one.p10 <= one.p50);
      CHECK(one.p50 <= one.p90);
      CHECK(one.p90 / one.p50 <= 5.0001);
      CHECK(one.p50 / one.p10 <= 5.0001);
      if (one.of == "accelerator_utilization") CHECK(one.p90 <= 1);
    }
  }
}

namespace {

/// GPUs that never wait, by the plan alone: nothing of what holds the interval.
double rate_of_fed(const Scenario& scenario) {
  const Plan plan = make_plan(scenario);
  return plan.global_batch() /
         (plan.nominal_compute.value > 0 ? plan.nominal_compute : undisturbed_step(plan)).value;
}

/// Neither what is predicted, which nothing holds, nor an end of it.
void check_held(const Scenario& scenario) {
  // GPUs that do not wait for one another have no common step.
  if (!scenario.workload.is<RunsEpochs>() || scenario.exchange.mode == ExchangeMode::asynchronous)
    return;
  const Result result = simulate(scenario);
  const auto rests_on = mechanism_of_fed(scenario);
  const PredictionInterval* rate = interval(result, "throughput_samples_per_s");
  if (!rate || !rests_on) return;
  constexpr double kChance = 1.03;  // steps may be a little shorter than the mean
  const double fed = rate_of_fed(scenario) * kChance;
  CHECK(rate->p50 <= fed);
  double own = 0;
  if (*rests_on != Mechanism::emulated_fed)
    own = spread_of(scenario.discrepancies, *rests_on, result.steps,
                    rate->mechanism == *rests_on ? rate->parameters : 0)
              ->up;
  CHECK(rate->p90 <= fed * std::exp(own));
  const PredictionInterval* busy = interval(result, "accelerator_utilization");
  if (busy) CHECK(busy->p90 <= 1);
  const PredictionInterval* time = interval(result, "training_s");
  if (time) CHECK(time->p50 / time->p10 == doctest::Approx(rate->p90 / rate->p50));
}

}  // namespace

TEST_CASE("no end passes GPUs that never wait, in any example") {
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(GPUFEED_SOURCE_DIR "/examples")) {
    if (entry.path().extension() != ".toml") continue;
    if (example_file(entry.path()) != ExampleFile::scenario) continue;
    CAPTURE(entry.path().string());
    check_held(load_scenario(entry.path(), own_catalog()));
  }
}

TEST_CASE("no end passes GPUs that never wait, on random machines") {
  for (std::uint64_t seed = 1; seed <= costly_draws(60u); ++seed) {
    CAPTURE(seed);
    Scenario scenario = systems::scenario_of(systems::random_machine(seed));
    scenario.run.range_samples = 160;
    scenario.discrepancies = loaded(v100("")).discrepancies;
    check_held(scenario);
  }
}

TEST_CASE(
    "steps that may be longer leave GPUs no idler, shorter ones as idle as the same waits make") {
  // Fifth of the time goes to a checkpoint; the step of the decoder is what is uncertain.
  const Result result = simulate(
      loaded("system = \"nvidia-dgx-h100\"\n[workload]\nmodel = \"llama-3.2-1b\"\ndataset = "
             "\"c4-tokens-2048\"\nsequence = 2048\nprecision = \"bf16\"\nbatch_per_gpu = 8\n"
             "samples = 500_000\n[parallel]\nshard = \"optimizer\"\n[loader]\ndecode = "
             "\"none\"\n[checkpoint]\nat = \"scratch\"\ninterval_steps = 100\n"));
  const PredictionInterval* busy = interval(result, "accelerator_utilization");
  const PredictionInterval* rate = interval(result, "throughput_samples_per_s");
  REQUIRE(busy);
  REQUIRE(rate);
  CHECK(busy->mechanism == Mechanism::decoder_step);
  const auto idle = [](double share) { return 1 / share - 1; };
  CHECK(idle(busy->p10) / idle(busy->p50) == doctest::Approx(rate->p90 / rate->p50));
  CHECK(busy->p90 >= busy->p50);
  CHECK(idle(busy->p90) >= idle(busy->p50) * rate->p10 / rate->p50 * (1 - 1e-9));
}

TEST_CASE("emulated accelerators are no faster than when they never wait") {
  const Result result = simulate(
      loaded("system = \"nvidia-dgx-h100\"\ndata = { at = \"nas\" }\nstore = { nas = { model = "
             "\"lustre-oakforest-pacs\", protocol = \"lustre\" } }\n[workload]\nkind = "
             "\"emulated\"\njob = \"mlperf-resnet50-h100\"\ngpus = 4\nsamples = 500_000\n"));
  const PredictionInterval* rate = interval(result, "throughput_samples_per_s");
  REQUIRE(rate);
  CHECK(rate->p90 <= result.throughput_samples_per_s / result.accelerator_utilization * (1 + 1e-9));
  CHECK(interval(result, "benchmark.utilization_v1")->p90 <= 1 + 1e-9);
}

TEST_CASE("what warns that a job is like none that was measured widens its interval") {
  const double usual = width(simulate(loaded(v100(""))));
  for (const std::string keys :
       {"parallel = { shard = \"parameters\" }\n", "exchange = { mode = \"asynchronous\" }\n",
        "exchange = { algorithm = \"torus\" }\n"}) {
    const Result result = simulate(loaded(v100(keys)));
    CAPTURE(keys);
    CHECK_FALSE(result.steps.empty());
    CHECK(width(result) > usual);
  }
}

TEST_CASE("without what the catalog learned there is a reason instead of an interval") {
  Scenario scenario = loaded(v100(""));
  scenario.discrepancies.clear();
  const Result result = simulate(scenario);
  CHECK(result.prediction_intervals.empty());
  CHECK(result.no_interval == NoInterval::not_learned);
  CHECK_FALSE(result.range);
}
