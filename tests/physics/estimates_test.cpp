// SPDX-License-Identifier: Apache-2.0
// Which estimates a result rests on, against the scenario simulated with each of them changed.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "sim/load/load.h"
#include "sim/model/estimated.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"

using namespace gpufeed;

namespace {

Scenario loaded(const std::string& text) {
  return parse_scenario(text, "estimates.toml", own_catalog());
}

const std::string kDecoded =
    "title = \"t\"\nsystem = \"nvidia-dgx1-p100\"\n"
    "[workload]\nmodel = \"alexnet\"\nbatch_per_gpu = 128\nsamples = 400000\n"
    "[workload.dataset]\ntitle = \"mine\"\nsamples = 400000\nsource = \"s\"\nbasis = \"measured\"\n"
    "sample_size = \"100 kB\"\n"
    "decode_time = { value = \"10 ms\", source = \"a guess\", basis = \"estimate\" }\n";

/// Those that move the throughput by more than `least`, each found by whole simulations.
std::vector<std::string> by_simulation(const Scenario& scenario, double least) {
  Scenario bare = scenario;
  bare.run.estimate_deviation = {};
  const double now = simulate(bare).throughput_samples_per_s;
  const auto names = estimated_values(bare);
  std::vector<std::string> found;
  for (std::size_t i = 0; i < names.size(); ++i)
    for (const double factor : {0.75, 1.25})
      if (std::abs(simulate(with_estimate(bare, i, factor)).throughput_samples_per_s / now - 1) >
          least) {
        found.push_back(names[i]);
        break;
      }
  return found;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::count(names, name) > 0;
}

}  // namespace

TEST_CASE("an estimated time to decode is named where cores limit, not where GPUs do") {
  // 40 cores, 10 ms each: 4000 samples/s, a fraction of what eight P100 compute.
  CHECK(has(simulate(loaded(kDecoded)).estimates, "decode_time of workload.dataset"));
  std::string quick = kDecoded;
  quick.replace(quick.find("10 ms"), 5, "10 us");
  CHECK_FALSE(has(simulate(loaded(quick)).estimates, "decode_time of workload.dataset"));
}

TEST_CASE("a measured value is not named") {
  std::string known = kDecoded;
  const std::string guess = "source = \"a guess\", basis = \"estimate\"";
  known.replace(known.find(guess), guess.size(), "source = \"us\", basis = \"measured\"");
  CHECK_FALSE(has(simulate(loaded(known)).estimates, "decode_time of workload.dataset"));
}

TEST_CASE("a store's estimated write rate is named where checkpoints wait for it") {
  const Result result = simulate(loaded(
      "title = \"t\"\nsystem = \"nvidia-dgx1-p100\"\n"
      "[workload]\nmodel = \"vgg-16\"\ndataset = \"imagenet-1k\"\nsamples = 1000000\n"
      "[data]\nat = \"scratch\"\n[checkpoint]\ninterval_steps = 100\nat = \"nas\"\n"
      "[store.nas.model]\ntitle = \"n\"\nsource = \"s\"\nbasis = \"datasheet\"\n"
      "capacity = \"100 TB\"\nread_bandwidth = \"2 GB/s\"\nread_rate = \"1 MIOPS\"\n"
      "read_latency = \"1 ms\"\nwrite_bandwidth = { value = \"300 MB/s\", source = \"a guess\", "
      "basis = \"estimate\" }\n"));
  CHECK(has(result.estimates, "write_bandwidth of store.nas.model"));
}

TEST_CASE("what is named is what whole simulations find to count") {
  for (const std::string& text :
       {kDecoded, kDecoded + "[loader]\nworkers_per_gpu = 2\n",
        std::string("title = \"t\"\nsystem = \"nvidia-dgx-h100\"\n[workload]\nmodel = "
                    "\"resnet-50\"\ndataset = \"imagenet-1k\"\nprecision = \"fp16\"\n"
                    "batch_per_gpu = 256\nepochs = 3\n[loader]\nworkers_per_gpu = 14\n")}) {
    const Scenario scenario = loaded(text);
    const auto named = simulate(scenario).estimates;
    // Within the noise of a simulation a change of 1 % is not told from one of 2 %.
    for (const auto& name : by_simulation(scenario, 0.02)) CHECK_MESSAGE(has(named, name), name);
    const auto found = by_simulation(scenario, 0.005);
    for (const auto& name : named) CHECK_MESSAGE(has(found, name), name);
  }
}

TEST_CASE("a deviation of nothing looks for no estimate") {
  CHECK(simulate(loaded(kDecoded + "[run]\nestimate_deviation = \"0 %\"\n")).estimates.empty());
}

TEST_CASE("an estimate that parts share is changed in all of them, and no other value is") {
  const Scenario scenario = loaded(kDecoded);
  const auto names = estimated_values(scenario);
  for (std::size_t i = 1; i < names.size(); ++i)
    CHECK(std::count(names.begin(), names.end(), names[i]) == 1);
  const auto at = std::ranges::find(names, "decode_time of workload.dataset");
  REQUIRE(at != names.end());
  const Scenario changed =
      with_estimate(scenario, static_cast<std::size_t>(at - names.begin()), 1.25);
  CHECK(changed.workload.dataset()->decode_time->value == doctest::Approx(12.5e-3));
  CHECK(scenario.workload.dataset()->decode_time->value == doctest::Approx(10e-3));
  CHECK(changed.system.entry == scenario.system.entry);
}
