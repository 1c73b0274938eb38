// SPDX-License-Identifier: Apache-2.0
// How far uncertain parameters leave a result open, against whole simulations and by hand.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "sim/model/uncertain.h"
#include "sim/plan/make/make_plan.h"
#include "sim/range/deviations.h"
#include "sim/range/effects.h"
#include "sim/range/mechanism.h"
#include "sim/range/outlook.h"
#include "sim/range/spread.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"
#include "tests/support/decoders.h"
#include "tests/support/evidence.h"

using namespace gpufeed;

namespace {

Scenario loaded(const std::string& text) {
  return parse_scenario(text, "range.toml", own_catalog());
}

const std::string kDecoded =
    "title = \"t\"\nsystem = \"nvidia-dgx1-p100\"\n"
    "[workload]\nmodel = \"alexnet\"\nbatch_per_gpu = 128\nsamples = 400000\n"
    "[workload.dataset]\ntitle = \"mine\"\nsamples = 400000\nsource = \"s\"\nbasis = \"measured\"\n"
    "sample_size = \"100 kB\"\n"
    "decode_time = { value = \"10 ms\", source = \"a guess\", basis = \"estimate\" }\n";
const std::string kDgxH100 =
    "title = \"t\"\nsystem = \"nvidia-dgx-h100\"\n[workload]\nmodel = \"resnet-50\"\n"
    "dataset = \"imagenet-1k\"\nprecision = \"fp16\"\nbatch_per_gpu = 256\nepochs = 3\n";

ValueEffects effects_in(const std::string& text) {
  const Scenario scenario = loaded(text);
  return effects_of(scenario, simulate(scenario));
}

/// The deviation of the rate's logarithm that this value causes; 0: none.
double effect_of(const ValueEffects& effects, const std::string& name) {
  const auto found = std::ranges::find(effects.causes, name, &RangeCause::parameter);
  return found == effects.causes.end() ? 0 : std::sqrt(found->share);
}

const PredictionInterval& interval_of(const Result& result, const std::string& of) {
  const auto found = std::ranges::find(result.prediction_intervals, of, &PredictionInterval::of);
  REQUIRE(found != result.prediction_intervals.end());
  return *found;
}

Range range_in(const std::string& text) {
  const Result result = simulate(loaded(text));
  REQUIRE(result.range);
  return *result.range;
}

bool rests_on(const Range& range, const std::string& name) {
  return std::ranges::count(range.causes, name, &RangeCause::parameter) > 0;
}

}  // namespace

TEST_CASE("where one estimated time sets the pace, the rate is as open as the time") {
  // 40 cores, 10 ms each: 4000 samples/s, a fraction of what eight P100 compute.
  const Scenario scenario = loaded(kDecoded);
  const Result result = simulate(scenario);
  const double own = deviation_of(Basis::estimate, Measurand::time);
  const ValueEffects effects = effects_of(scenario, result);
  CHECK(effects.mechanism == Mechanism::cores_bind);
  CHECK(effect_of(effects, "decode_time of workload.dataset") ==
        doctest::Approx(own).epsilon(0.05));
  CHECK(effects.of_rate == doctest::Approx(own).epsilon(0.05));
  const PredictionInterval& rate = interval_of(result, "throughput_samples_per_s");
  CHECK(rate.mechanism == Mechanism::cores_bind);
  CHECK(rate.parameters == effects.of_rate);
  CHECK(rate.p50 == result.throughput_samples_per_s);
  const Spread spread =
      *spread_of(scenario.discrepancies, Mechanism::cores_bind, result.steps, effects.of_rate);
  CHECK(std::log(rate.p50 / rate.p10) == doctest::Approx(spread.down));
  // Eight P100 that never wait are far above, and nearly certain to be.
  CHECK(std::log(rate.p90 / rate.p50) <= spread.up);
  CHECK(std::log(rate.p90 / rate.p50) == doctest::Approx(spread.up).epsilon(0.05));
  const PredictionInterval& time = interval_of(result, "training_s");
  CHECK(std::log(time.p90 / time.p50) == doctest::Approx(spread.down));
  CHECK(rests_on(*result.range, "how samples are decoded"));
}

TEST_CASE("a time that does not set the pace is no cause") {
  std::string quick = kDecoded;
  quick.replace(quick.find("10 ms"), 5, "10 us");
  CHECK_FALSE(rests_on(range_in(quick), "decode_time of workload.dataset"));
}

TEST_CASE("a measured rate rests on how GPUs keep pace, on several nodes on how nodes do") {
  const std::string trained =
      "title = \"t\"\nsystem = \"nvidia-dgx-h100\"\n[workload]\nmodel = \"bert-large\"\n"
      "dataset = \"mlperf-bert\"\nprecision = \"fp16\"\nbatch_per_gpu = 48\n"
      "samples = 300000\ncompute = [{ gpu = \"nvidia-h100-sxm5-80gb\", precision = \"fp16\", "
      "batch = 48, rate = \"400 samples/s\", source = \"a test\", basis = \"measured\" }]\n"
      "[loader]\ndecode = \"none\"\n";
  const Range one = range_in(trained);
  CHECK(rests_on(one, std::string(words_of(Mechanism::rate_on_one_node))));
  const Range four = range_in("nodes = 4\n" + trained);
  CHECK(rests_on(four, std::string(words_of(Mechanism::rate_on_several_nodes))));
}

TEST_CASE("a link's rate and the size of its copies are both causes, though they cancel") {
  // A batch of 8 x 64 MiB takes 20.8 ms over the link and 8 ms of the GPU: nothing else counts. The
  // size and the model of copies are known equally well.
  const Scenario scenario = load_scenario(
      GPUFEED_SOURCE_DIR "/examples/05_gpudirect_or_bounce/scenario_four_readers.toml",
      own_catalog());
  const ValueEffects effects = effects_of(scenario, simulate(scenario));
  CHECK(effects.mechanism == Mechanism::storage_binds);
  const double rate = effect_of(effects, "raw_bandwidth of pcie-4.0");
  const double size = effect_of(effects, "input_size of workload.model");
  CHECK(rate == doctest::Approx(deviation_of(Basis::datasheet, Measurand::rate)).epsilon(0.2));
  CHECK(size == doctest::Approx(deviation_of(Basis::estimate, Measurand::size)).epsilon(0.2));
  CHECK(effects.of_rate == doctest::Approx(std::hypot(rate, size)).epsilon(0.05));
}

TEST_CASE("a measured value leaves less open than an estimate") {
  std::string known = kDecoded;
  const std::string guess = "source = \"a guess\", basis = \"estimate\"";
  known.replace(known.find(guess), guess.size(), "source = \"us\", basis = \"measured\"");
  const auto width = [](const Range& range) {
    return range.throughput_samples_per_s.p90 / range.throughput_samples_per_s.p10;
  };
  CHECK(width(range_in(known)) < width(range_in(kDecoded)));
}

TEST_CASE("what a range follows is what whole simulations of its causes find") {
  for (const std::string& text :
       {kDecoded, kDgxH100, kDgxH100 + "[loader]\nworkers_per_gpu = 14\n"}) {
    Scenario scenario = loaded(text);
    scenario.run.once();
    const double now = simulate(scenario).throughput_samples_per_s;
    const double was = sample_time(outlook_of(scenario, make_plan(scenario)));
    const auto values = uncertain_values(scenario);
    for (const RangeCause& cause : range_in(text).causes) {
      const auto at = std::ranges::find(values, cause.parameter, &UncertainValue::name);
      if (at == values.end()) continue;  // a part of the model
      for (const double deviate : {1.0, -1.0}) {
        std::vector<double> factors(values.size(), 1.0);
        factors[static_cast<std::size_t>(at - values.begin())] =
            std::exp(deviate * cause.deviation);
        const Scenario changed = with_factors(scenario, factors);
        CAPTURE(cause.parameter);
        CHECK(was / sample_time(outlook_of(changed, make_plan(changed))) ==
              doctest::Approx(simulate(changed).throughput_samples_per_s / now).epsilon(0.08));
      }
    }
  }
}

TEST_CASE("a store's estimated write rate is a cause where checkpoints wait for it") {
  const ValueEffects effects = effects_in(
      "title = \"t\"\nsystem = \"nvidia-dgx1-p100\"\n"
      "[workload]\nmodel = \"vgg-16\"\ndataset = \"imagenet-1k\"\nsamples = 1000000\n"
      "[data]\nat = \"scratch\"\n[checkpoint]\ninterval_steps = 100\nat = \"nas\"\n"
      "[store.nas.model]\ntitle = \"n\"\nsource = \"s\"\nbasis = \"datasheet\"\n"
      "capacity = \"100 TB\"\nread_bandwidth = \"2 GB/s\"\nread_rate = \"1 MIOPS\"\n"
      "read_latency = \"1 ms\"\nwrite_bandwidth = { value = \"300 MB/s\", source = \"a guess\", "
      "basis = \"estimate\" }\n");
  CHECK(effect_of(effects, "write_bandwidth of store.nas.model") > 0.01);
}

TEST_CASE(
    "a batch at which nobody measured is as open as the part of a step that no batch shortens") {
  const auto effects = [](int batch) {
    const Scenario scenario = loaded(fmt::format(
        "title = \"t\"\nsystem = \"nvidia-dgx-a100\"\n[workload]\nmodel = \"resnet-50\"\n"
        "gpus = 1\nprecision = \"fp16\"\nbatch_per_gpu = {}\nsamples = 400000\n"
        "[workload.dataset]\ntitle = \"little\"\nsamples = 400000\nsample_size = \"1 B\"\n"
        "samples_per_file = 100000\n[loader]\ndecode = \"none\"\norder = \"shards\"\n",
        batch));
    return effects_of(scenario, simulate(scenario));
  };
  // t = t0 + b (t(256) - t0) / 256 with t0 = 10 ms, off by 25 %; t(256) is that of 2,375 samples/s.
  const double measured = 256 / 2375.0;
  const auto expected = [&](double batch) {
    const double rest = batch / 256 * (measured - 0.010);
    const double by_start = 0.25 * 0.010 * (1 - batch / 256) / (0.010 + rest);
    const double by_rate = 0.01 * measured * batch / 256 / (0.010 + rest);
    return std::hypot(by_start, by_rate);
  };
  for (const int batch : {1, 64, 128}) {
    const ValueEffects known = effects(batch);
    CHECK(known.of_rate == doctest::Approx(expected(batch)).epsilon(0.1));
    const auto cause =
        std::ranges::max_element(known.causes, std::ranges::less{}, &RangeCause::share);
    REQUIRE(cause != known.causes.end());
    CHECK(cause->parameter == "fixed part of a step of resnet-50 on nvidia-a100-sxm4-40gb");
    CHECK(cause->remedy ==
          "train on data in memory on one such GPU, as gpufeed calibrate --training --dir DIR "
          "does, and add the rate as [[workload.compute]]");
  }
  CHECK(effects(256).of_rate < 0.02);
}

TEST_CASE(
    "what copies data in before training leaves the time open, and not the pace of training") {
  // 20 GB from a store whose rate is guessed take 200 s; one epoch from memory takes a small part
  // of that, at a rate that the store has no say in.
  const Scenario scenario = loaded(
      "title = \"t\"\nsystem = \"nvidia-dgx1-p100\"\n"
      "[workload]\nmodel = \"alexnet\"\nbatch_per_gpu = 128\nepochs = 1\n"
      "[workload.dataset]\ntitle = \"mine\"\nsamples = 200000\nsource = \"s\"\n"
      "basis = \"measured\"\nsample_size = \"100 kB\"\ndecode_time = \"1 ms\"\n"
      "[data]\nat = \"scratch\"\nstaging = { from = \"nas\", mode = \"before\" }\n"
      "[store.nas.model]\ntitle = \"n\"\nsource = \"s\"\nbasis = \"measured\"\n"
      "capacity = \"100 TB\"\nread_rate = \"1 MIOPS\"\nread_latency = \"1 ms\"\n"
      "read_bandwidth = { value = \"100 MB/s\", source = \"a guess\", basis = \"estimate\" }\n");
  const Result result = simulate(scenario);
  CHECK(result.staging_s == doctest::Approx(200).epsilon(0.01));
  REQUIRE(result.training_s < 0.2 * result.staging_s);
  REQUIRE(result.range);
  const double store = deviation_of(Basis::estimate, Measurand::rate);
  const double share = result.staging_s / result.time_to_result_s;
  const ValueEffects effects = effects_of(scenario, result);
  CHECK(effects.of_time == doctest::Approx(share * store).epsilon(0.1));
  CHECK(effects.of_rate < 0.5 * store);
  CHECK(effect_of(effects, "read_bandwidth of store.nas.model") < 1e-3);
  CHECK(interval_of(result, "staging_s").mechanism == Mechanism::storage_binds);
  // What the screen calls the main uncertainty is that of the whole job.
  REQUIRE(!result.range->causes.empty());
  CHECK(result.range->causes.front().parameter == "how data are copied in");
  CHECK(rests_on(*result.range, "read_bandwidth of store.nas.model"));
  // Single draws of the time feel it, too.
  const Drawn draws = drawn(scenario, result, 400, 1);
  const double counted = scenario.discrepancies.at(draws.mechanism)->parameters;
  const auto deviation = [](const std::vector<double>& logarithms) {
    double sum = 0;
    double squares = 0;
    for (const double one : logarithms) {
      sum += one;
      squares += one * one;
    }
    const auto count = static_cast<double>(logarithms.size());
    return std::sqrt(squares / count - sum * sum / count / count);
  };
  CHECK(deviation(draws.times) == doctest::Approx(counted * share * store).epsilon(0.1));
}

TEST_CASE("the range holds the result, the same seed gives the same one, and no samples none") {
  const Result result = simulate(loaded(kDgxH100));
  REQUIRE(result.range);
  CHECK(result.range->throughput_samples_per_s.p10 < result.throughput_samples_per_s);
  CHECK(result.range->throughput_samples_per_s.p90 > result.throughput_samples_per_s);
  CHECK(result.range->accelerator_utilization.p90 <= 1);
  const Range again = range_in(kDgxH100);
  CHECK(again.throughput_samples_per_s.p10 == result.range->throughput_samples_per_s.p10);
  const Result unasked = simulate(loaded(kDgxH100 + "[run]\nrange_samples = 0\n"));
  CHECK_FALSE(unasked.range);
  CHECK(unasked.prediction_intervals.empty());
  CHECK(unasked.no_interval == NoInterval::not_asked);
  CHECK_FALSE(result.no_interval);
  CHECK(result.range->samples == 160);
  CHECK(range_in("nodes = 16\n" + kDgxH100).samples == 160);
  CHECK(range_in("nodes = 16\n" + kDgxH100 + "[run]\nrange_samples = 20\n").samples == 20);
}

TEST_CASE("a value that parts share is changed in all of them, and no other value is") {
  const Scenario scenario = loaded(kDecoded);
  const auto values = uncertain_values(scenario);
  for (std::size_t i = 1; i < values.size(); ++i)
    CHECK(std::ranges::count(values, values[i].name, &UncertainValue::name) == 1);
  const auto at =
      std::ranges::find(values, "decode_time of workload.dataset", &UncertainValue::name);
  REQUIRE(at != values.end());
  std::vector<double> factors(values.size(), 1.0);
  factors[static_cast<std::size_t>(at - values.begin())] = 1.25;
  const Scenario changed = with_factors(scenario, factors);
  CHECK(changed.workload.dataset()->decode_time->value == doctest::Approx(12.5e-3));
  CHECK(scenario.workload.dataset()->decode_time->value == doctest::Approx(10e-3));
  CHECK(changed.system.entry == scenario.system.entry);
}

TEST_CASE("a loader alone exchanges nothing, whatever its loaders wait for") {
  const Result result = simulate(
      loaded("title = \"t\"\nsystem = \"nvidia-dgx1-v100\"\n[workload]\nkind = \"loader\"\n"
             "dataset = \"imagenet-1k\"\nmodel = \"resnet-50\"\ngpus = 3\n"
             "[loader]\nworkers_per_gpu = 0\n"));
  REQUIRE(result.range);
  CHECK(rests_on(*result.range, "decode_time of imagenet-1k"));
  CHECK_FALSE(rests_on(*result.range, "how gradients are exchanged"));
  CHECK(result.bottleneck.next != fact<LimiterCode::gpu_compute>());
}

TEST_CASE("what a benchmark sleeps is known: no range goes beyond accelerators that never wait") {
  // MLPerf Storage's UNet3D on one drive that is twice as fast as it asks: 7 samples in 323 ms, and
  // nothing that readers, cores or drives are off by can make the sleep shorter.
  for (const int gpus : {1, 4}) {
    CAPTURE(gpus);
    const Result result = simulate(
        loaded("title = \"t\"\n[system]\ntitle = \"s\"\n[[system.socket]]\nid = \"cpu0\"\n"
               "model = \"amd-epyc-74f3\"\nmemory = \"64 GiB\"\n[[system.drive]]\nid = \"nvme0\"\n"
               "model = \"micron-9400-pro-7.68tb\"\nat = \"cpu0\"\n[data]\nat = \"nvme0\"\n"
               "[workload]\nkind = \"emulated\"\njob = \"mlperf-unet3d-h100\"\ngpus = " +
               std::to_string(gpus) + "\n"));
    REQUIRE(result.range);
    CHECK_FALSE(rests_on(*result.range, "compute_time of mlperf-unet3d-h100"));
    CHECK(result.range->throughput_samples_per_s.p90 <= gpus * 7 / 0.323);
    CHECK(result.range->accelerator_utilization.p90 <= 1);
    CHECK(result.range->accelerator_utilization.p90 / result.accelerator_utilization ==
          doctest::Approx(result.range->throughput_samples_per_s.p90 /
                          result.throughput_samples_per_s));
  }
}

TEST_CASE("no range has GPUs compute while they exchange gradients, or in the gaps of a pipeline") {
  const std::string llama =
      "title = \"t\"\nsystem = \"nvidia-dgx-h100\"\nnodes = 4\n[workload]\nmodel = " +
      kLlamaByClass +
      "\n"
      "dataset = \"llama-3-corpus\"\nprecision = \"bf16\"\nbatch_per_gpu = 2\nrecompute = true\n"
      "optimizer = \"adam\"\nsamples = 100000\ndataset_samples = 1000000\n[loader]\ndecode = "
      "\"none\"\n";
  const Result sharded = simulate(loaded(llama + "[parallel]\nshard = \"parameters\"\n"));
  REQUIRE(sharded.range);
  // The exchange takes 4 % of the time beside the computing; it is no more than five times as fast.
  const double exchanging = sharded.gpus.front().share.exchange;
  CHECK(exchanging > 0.03);
  CHECK(sharded.range->accelerator_utilization.p90 < 1 - 0.15 * exchanging);
  CHECK(sharded.range->accelerator_utilization.p90 > sharded.accelerator_utilization);
  // One batch passes four stages: each computes a quarter of the time at most.
  const Result gaps = simulate(loaded(llama + "[parallel]\npipeline = 4\n"));
  REQUIRE(gaps.range);
  CHECK(gaps.range->accelerator_utilization.p90 <= 0.25);
}
