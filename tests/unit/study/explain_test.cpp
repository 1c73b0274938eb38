// SPDX-License-Identifier: Apache-2.0
// What is seen on a run that differs in one thing must be explained by that thing.
#include "reports/study/explain.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "reports/study/observables.h"
#include "sim/kinds/training/training.h"
#include "sim/load/load.h"
#include "sim/load/study/observed.h"
#include "sim/simulate.h"
#include "tests/support/approx.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"

using namespace gpufeed;

namespace {

/// Cores bind at 6 ms a sample, GPUs at 1 ms.
Scenario images(const std::string& decode) {
  Scenario scenario = parse_scenario(
      "title = 't'\nsystem = 'nvidia-dgx1-p100'\nloader = { workers_per_gpu = 8 }\n"
      "[workload]\nmodel = 'resnet-50'\nbatch_per_gpu = 64\nsamples = 10000000\n"
      "[workload.dataset]\ntitle = 'mine'\nsamples = 10000000\nsource = 's'\n"
      "basis = 'measured'\nsample_size = '110 kB'\ndecode_time = '" +
          decode + "'\n",
      "explain.toml", own_catalog());
  scenario.run.once();
  return scenario;
}

/// All that is seen of a result, each within a percent.
Observed seen_of(const Scenario& scenario, const Result& result) {
  const auto observables = observables_of(scenario, result);
  Observed observed;
  const auto put = [&](auto& seen, std::size_t i) {
    auto& one = seen.emplace();
    const double value = observables[i].value_or(0);
    one.value = {value};
    one.spread.emplace() = {0.01 * value};
  };
  put(observed.gpu_utilization, 0);
  put(observed.samples_per_s, 1);
  put(observed.read_bandwidth, 2);
  put(observed.read_rate, 3);
  put(observed.cores_busy, 5);
  put(observed.memory_bandwidth, 6);
  return observed;
}

Explanation explained(const Scenario& scenario, const Observed& observed) {
  return explain(scenario, observed, 2, [](auto, auto) {});
}

std::string refused(const std::string& text) {
  return refusal_of([&] { parse_observed(text, "seen.toml", own_catalog()); });
}

}  // namespace

TEST_CASE("what is seen follows from rates and sizes") {
  const Scenario scenario = images("6 ms");
  const Result result = simulate(scenario);
  const auto observables = observables_of(scenario, result);
  const double rate = result.throughput_samples_per_s;
  CHECK(*observables[0] == result.accelerator_utilization);
  CHECK(*observables[1] == rate);
  CHECK(*observables[2] == approx(rate * 110e3).epsilon(0.01));
  // Two stripes of 512 KiB at least are read ahead of four drives; a sample is less than that.
  CHECK(*observables[3] == approx(*observables[2] / 110e3).epsilon(0.01));
  CHECK_FALSE(observables[4]);  // nothing comes over a network
  CHECK(*observables[5] >= approx(rate * 6e-3).epsilon(0.05));
}

TEST_CASE("a run of which nothing differs needs no explanation") {
  const Scenario scenario = images("3 ms");
  const Explanation explanation = explained(scenario, seen_of(scenario, simulate(scenario)));
  CHECK(explanation.fits);
  CHECK(explanation.causes.empty());
}

TEST_CASE("decoding that costs three times as much is found, and how much it is") {
  const Scenario said = images("3 ms");
  const Scenario real = images("9 ms");
  const Result result = simulate(real);
  const Explanation explanation = explained(said, seen_of(real, result));
  CHECK_FALSE(explanation.fits);
  REQUIRE_FALSE(explanation.causes.empty());
  CHECK(explanation.causes.front().mechanism == "how fast a core decodes and augments");
  CHECK(explanation.causes.front().factor == approx(1.0 / 3).epsilon(0.05));
  CHECK(explanation.causes.front().explains);
  for (const char* other :
       {"what storage delivers", "what NVLink carries", "how fast a GPU computes"})
    CHECK(std::ranges::count(explanation.ruled_out, other) == 1);
}

TEST_CASE("each mechanism that changes the pace explains the run that it made") {
  const Scenario scenario = images("3 ms");
  struct Made {
    Lever lever;
    double factor;
    const char* mechanism;
  };
  for (const Made& made : {Made{Lever::storage, 0.07, "what storage delivers"},
                           Made{Lever::core_speed, 0.2, "how fast a core decodes and augments"},
                           Made{Lever::compute, 0.5, "how fast a GPU computes"}}) {
    CAPTURE(made.mechanism);
    const Result run = simulate_shifted(scenario, {{made.lever, made.factor}});
    const Explanation explanation = explained(scenario, seen_of(scenario, run));
    const auto cause = std::ranges::find(explanation.causes, made.mechanism, &Cause::mechanism);
    REQUIRE(cause != explanation.causes.end());
    CHECK(cause->explains);
    CHECK(cause->factor == approx(made.factor).epsilon(0.1));
    CHECK(cause->misfit <= explanation.causes.front().misfit + 1);
  }
}

TEST_CASE("a file of observations says what is wrong with it, all at once") {
  CHECK(refused("gpu_utilization = { value = '55 %', spread = '3 %' }") == "accepted");
  CHECK(
      refused("") ==
      "seen.toml: error: nothing was observed; give gpu_utilization = { value = \"55 %\", spread = "
      "\"3 %\" } or another of the keys that gpufeed check --keys observed lists\n");
  CHECK(refused("gpu_utilisation = { value = '55 %' }").find("did you mean \"gpu_utilization\"?") !=
        std::string::npos);
  const std::string bad = refused(
      "gpu_utilization = { value = '155 %' }\nread_bandwidth = { value = '0 GB/s' }\n"
      "samples_per_s = { value = '100 /s', spread = '0 /s' }\n");
  CHECK(bad.find("seen.toml:1:19: error: gpu_utilization.value must be at most 100 %") !=
        std::string::npos);
  CHECK(bad.find("read_bandwidth.value must be more than 0: a run that stands still has no pace") !=
        std::string::npos);
  CHECK(bad.find("samples_per_s.spread must be more than 0: nothing is seen exactly") !=
        std::string::npos);
}

TEST_CASE("what a scenario does not have cannot be explained") {
  const Scenario scenario = images("3 ms");
  Observed observed;
  observed.where = {"seen.toml", 1, 1};
  observed.network_bandwidth.emplace().value = {1e9};
  CHECK(refusal_of([&] { explained(scenario, observed); }) ==
        "seen.toml:1:1: error: network_bandwidth was observed, but this scenario (t) has none: "
        "nothing of it can be explained\n");
}
