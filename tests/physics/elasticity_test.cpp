// SPDX-License-Identifier: Apache-2.0
// More or less of one thing: against scenarios that say so themselves, and against what follows
// from units alone.
#include "sim/elasticity.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "sim/kinds/training/training.h"
#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "sim/plan/make/make_plan.h"
#include "sim/simulate.h"
#include "tests/support/approx.h"
#include "tests/support/catalog.h"
#include "tests/support/draws.h"
#include "tests/support/evidence.h"
#include "tests/support/random_features.h"

using namespace gpufeed;

namespace {

/// Eight P100 that read images of 100 kB and decode each in `decode`, by so many workers each.
Scenario images(const std::string& decode, int workers, const std::string& size = "100 kB") {
  return parse_scenario(
      "title = 't'\nsystem = 'nvidia-dgx1-p100'\nloader = { workers_per_gpu = " +
          std::to_string(workers) +
          ", persistent_workers = true }\n"
          "[workload]\nmodel = 'alexnet'\nbatch_per_gpu = 128\nsamples = 1500000\n"
          "[workload.dataset]\ntitle = 'mine'\nsamples = 1500000\nsource = 's'\n"
          "basis = 'measured'\nsample_size = '" +
          size + "'\ndecode_time = '" + decode + "'\n",
      "elasticity.toml", own_catalog());
}

const LeverGain& lever(const Elasticity& elasticity, const Limiter& of) {
  const auto found = std::ranges::find(elasticity.levers, of, &LeverGain::resource);
  REQUIRE(found != elasticity.levers.end());
  return *found;
}

double capacity(const Result& result, LimiterCode stage) {
  const Stage* const found = stage_of(result, stage);
  REQUIRE(found);
  return found->capacity_samples_per_s;
}

Elasticity of(const Scenario& scenario) { return elasticity_of(scenario, simulate(scenario)); }

double shifted_rate(const Scenario& scenario, const std::vector<Shift>& shifts) {
  return simulate_shifted(scenario, shifts).throughput_samples_per_s;
}

}  // namespace

TEST_CASE("where cores decode all the time, a tenth more of them gives a tenth") {
  // 40 cores, 20 ms each: some 2000 samples/s, far below drives and GPUs.
  const Elasticity elasticity = of(images("20 ms", 16));
  CHECK(lever(elasticity, fact<LimiterCode::cpu_cores>()).gain_per_10pct ==
        approx(0.1).epsilon(0.05));
  CHECK(lever(elasticity, fact<LimiterCode::core_speed>()).gain_per_10pct ==
        approx(0.1).epsilon(0.05));
  CHECK_FALSE(lever(elasticity, fact<LimiterCode::drives>()).counts());
  CHECK_FALSE(lever(elasticity, fact<LimiterCode::gpu_compute>()).counts());
  CHECK(lever(elasticity, fact<LimiterCode::cpu_cores>()).limit ==
        fact<LimiterCode::cores_with_smt>(40.0));
}

TEST_CASE("where drives deliver all they can, they bind, and what comes next is named") {
  const Scenario scenario = images("10 us", 16, "4 MB");
  const Result now = simulate(scenario);
  const Elasticity elasticity = elasticity_of(scenario, now);
  CHECK(elasticity.binds == fact<LimiterCode::drives>());
  // Their SATA ports are but 2 % wider: more than that is not had from faster drives alone.
  const double room =
      capacity(now, LimiterCode::pcie_and_sockets) / capacity(now, LimiterCode::drives) - 1;
  REQUIRE(room < 0.05);
  CHECK(lever(elasticity, fact<LimiterCode::drives>()).gain_per_10pct == approx(room).epsilon(0.1));
  const double both = shifted_rate(scenario, {{Lever::storage, 1.1}, {Lever::pcie, 1.1}});
  CHECK(both / shifted_rate(scenario, {}) == approx(1.1).epsilon(0.01));
  const Result freed = simulate_shifted(scenario, {{Lever::storage, 1000}});
  CHECK(elasticity.next == freed.bottleneck.resource);
  CHECK(elasticity.next == fact<LimiterCode::pcie_and_sockets>());
  CHECK(elasticity.distance ==
        about(freed.throughput_samples_per_s / now.throughput_samples_per_s));
}

TEST_CASE("workers are tried in whole ones, and the gain is that of a tenth") {
  // One worker of each GPU decodes all the time: two do twice as much.
  const Scenario one = images("20 ms", 1);
  const double twice = shifted_rate(one, {{Lever::workers, 1.1}}) / shifted_rate(one, {});
  CHECK(twice == approx(2).epsilon(0.05));
  CHECK(lever(of(one), fact<LimiterCode::loader_workers>()).gain_per_10pct ==
        approx(0.1).epsilon(0.1));
}

TEST_CASE("more than enough workers are no more than serve best: too many wait for one another") {
  const auto restarted = [](int workers) {
    Scenario scenario = images("20 ms", workers);
    scenario.loader.persistent_workers = false;
    scenario.run.once();
    return scenario;
  };
  const Result now = simulate(restarted(1));
  const Elasticity elasticity = elasticity_of(restarted(1), now);
  CHECK(elasticity.binds == fact<LimiterCode::loader_workers>());
  Result best = now;
  for (int workers = 2; workers <= 64; workers *= 2)
    if (const Result more = simulate(restarted(workers));
        more.throughput_samples_per_s > best.throughput_samples_per_s)
      best = more;
  CHECK(elasticity.distance > 2);
  CHECK(elasticity.distance ==
        about(best.throughput_samples_per_s / now.throughput_samples_per_s).epsilon(0.01));
  CHECK(elasticity.next == best.bottleneck.resource);
}

TEST_CASE("a lever does what the scenario that says so does") {
  Scenario scenario = images("5 ms", 4, "400 kB");
  scenario.run.once();
  Scenario slower = images("6.25 ms", 4, "400 kB");
  slower.run.once();
  // 5 ms / 0.8; reading takes no core's time here, but copying out of the page cache does.
  CHECK(shifted_rate(scenario, {{Lever::core_speed, 0.8}}) ==
        approx(simulate(slower).throughput_samples_per_s).epsilon(0.01));
  Scenario more = images("5 ms", 8, "400 kB");
  more.run.once();
  Scenario few = images("5 ms", 4, "400 kB");
  CHECK(shifted_rate(few, {{Lever::workers, 2}, {Lever::cores, 1}}) ==
        approx(simulate(more).throughput_samples_per_s).epsilon(0.05));
}

TEST_CASE("where everything is a tenth faster, so is the job") {
  // Nothing but time has the unit of a second: the rate must scale with all that has one.
  for (const char* size : {"20 kB", "400 kB", "4 MB"}) {
    Scenario scenario = images("2 ms", 6, size);
    scenario.run.once();
    std::vector<Shift> all;
    for (const Lever one : levers_of(make_plan(scenario)))
      if (one != Lever::cores && one != Lever::workers) all.push_back({one, 1.1});
    CHECK(shifted_rate(scenario, all) / shifted_rate(scenario, {}) == approx(1.1).epsilon(0.01));
  }
}

TEST_CASE("no shift is the same simulation, to the last bit") {
  Scenario scenario = images("5 ms", 4);
  scenario.run.once();
  CHECK(shifted_rate(scenario, {}) == simulate(scenario).throughput_samples_per_s);
  for (const Lever one : levers_of(make_plan(scenario)))
    CHECK(shifted_rate(scenario, {{one, 1}}) == shifted_rate(scenario, {}));
}

TEST_CASE("another seed finds the same gains, within the noise of both") {
  for (const char* size : {"20 kB", "400 kB", "4 MB"}) {
    Scenario scenario = images("3 ms", 6, size);
    const Elasticity one = of(scenario);
    scenario.run.seed = 77;
    const Elasticity other = of(scenario);
    for (const LeverGain& gain : one.levers) {
      const LeverGain& again = lever(other, gain.resource);
      CHECK(gain.gain_per_10pct ==
            doctest::Approx(again.gain_per_10pct).scale(1).epsilon(gain.noise + again.noise));
    }
  }
}

TEST_CASE("on random machines and clusters, what all levers move together is the whole time") {
  // Nothing is left that is no faster where all is a tenth faster: no part of the time lacks an
  // owner. Cores are faster instead of more, and workers are no rate.
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= draws(60u); ++seed) {
    CAPTURE(seed);
    Scenario scenario = seed % 2 == 0
                            ? systems::featured_scenario(systems::random_machine(seed), seed)
                            : systems::cluster_of(systems::random_machine(seed), seed);
    scenario.run.once();
    std::vector<Shift> all;
    for (const Lever one : levers_of(make_plan(scenario)))
      if (one != Lever::cores && one != Lever::workers) all.push_back({one, 1.1});
    const Result now = simulate_shifted(scenario, {});
    const Result faster = simulate_shifted(scenario, all);
    const double noise = noise_of(now, faster, 0.002);
    if (noise > 0.02) continue;
    ++compared;
    const double times = faster.throughput_samples_per_s / now.throughput_samples_per_s;
    CHECK(times >= 1.1 * (1 - 0.002 - noise));
    CHECK(times <= 1.1 * 1.02);  // loosely: time without a lever shows as less
  }
  CHECK(compared > draws(30));
}

TEST_CASE("the time of gradients between cards has a lever: T = c + e becomes c + e / 1.1") {
  Scenario scenario = parse_scenario(
      "title = 't'\nsystem = { chassis = 'dell-r760xa', cpu = '2 x intel-xeon-gold-6430', memory "
      "= '512 GB', gpu = '4 x nvidia-l40s', drives = '4 x solidigm-d5-p5430-15.36tb' }\n"
      "workload = { model = 'vit-l-16', dataset = 'imagenet-1k', precision = 'fp32', batch_per_gpu "
      "= 64 }\nloader = { workers_per_gpu = 16 }\n",
      "staged.toml", own_catalog());
  const Result now = simulate(scenario);
  const double share = now.gpus.front().share.exchange;
  REQUIRE(share > 0.1);
  const double expected = 1 / (1 - share + share / 1.1) - 1;
  const LeverGain pcie = lever(elasticity_of(scenario, now), fact<LimiterCode::pcie>());
  CHECK(pcie.gain_per_10pct == approx(expected).epsilon(0.1));
}
