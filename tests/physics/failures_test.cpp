// SPDX-License-Identifier: Apache-2.0
// What failures make of a job, against the formulas of Young and Daly and against jobs that fail.
#include <doctest/doctest.h>

#include <cmath>

#include "sim/base/diagnostics.h"
#include "sim/base/numbers/random.h"
#include "sim/load/load.h"
#include "sim/model/failures/goodput.h"
#include "sim/model/failures/machine.h"
#include "sim/model/scenario.h"
#include "sim/range/failing.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"
#include "tests/support/checkpoints.h"
#include "tests/support/checks.h"
#include "tests/support/draws.h"

using namespace gpufeed;

namespace {

const std::string kJob =
    "[workload]\nmodel = 'resnet-50'\ndataset = 'imagenet-1k'\nbatch_per_gpu = 64\nepochs = 1\n"
    "[data]\nat = 'scratch'\n";

/// Work that checkpoints of `cost` cut into pieces, with failures drawn one by one.
double drawn_time(double work, double interval, const FailureTimes& times, Random& random) {
  const auto next = [&] { return -times.between * std::log(1 - random.uniform(0, 1)); };
  double time = 0;
  double to_failure = next();
  for (double left = work; left > 0;) {
    const double piece = std::min(interval, left) + (left > interval ? times.checkpoint : 0);
    if (to_failure >= piece) {
      time += piece;
      to_failure -= piece;
      left -= interval;
      continue;
    }
    time += to_failure;
    to_failure = next();
    while (to_failure < times.restart) {
      time += to_failure;
      to_failure = next();
    }
    time += times.restart;
    to_failure -= times.restart;
  }
  return time;
}

Scenario failing(std::int64_t every, double mtbf, double restart) {
  Scenario scenario = systems::saved_every(every);
  scenario.failures = Failures{Seconds{mtbf}, {}, Seconds{restart}, {}};
  return scenario;
}

}  // namespace

TEST_CASE("a stretch of work takes what drawn failures make of it, and the check value") {
  const FailureTimes times{3600, 120, 60};
  CHECK(199 * time_through(660, times) + time_through(600, times) ==
        doctest::Approx(149711).epsilon(1e-5));
  Random random(3);
  double sum = 0;
  const int runs = draws(400);
  for (int i = 0; i < runs; ++i) sum += drawn_time(120000, 600, times, random) / runs;
  CHECK(sum == doctest::Approx(149711).epsilon(0.01 * std::sqrt(400.0 / runs)));
}

TEST_CASE("the best interval is that of Young and Daly, and none is better") {
  for (const double cost : {1.0, 10.0, 60.0, 300.0}) {
    CAPTURE(cost);
    const FailureTimes times{36000, 120, cost};
    const double best = best_interval(times);
    const double root = std::sqrt(cost / (2 * times.between));
    const double daly =
        std::sqrt(2 * cost * times.between) * (1 + root / 3 + root * root / 9) - cost;
    CHECK(best == doctest::Approx(daly).epsilon(0.001));
    CHECK(goodput(best, times) >= goodput(best * 1.02, times));
    CHECK(goodput(best, times) >= goodput(best / 1.02, times));
  }
  CHECK(best_interval({3600, 10, 0}) == 0);
}

TEST_CASE("goodput of a job is the formula of its own checkpoint and step") {
  for (const double mtbf : {300.0, 3000.0, 30000.0}) {
    CAPTURE(mtbf);
    const Result result = simulate(failing(100, mtbf, 20));
    REQUIRE(result.failures);
    const FailureCost& cost = *result.failures;
    const CheckpointUse& use = *result.checkpoint;
    const double t = 100 * steady_step_of(result);
    const double d = use.cost_s;
    const double through =
        mtbf * std::exp((20 + use.restart_s) / mtbf) * std::expm1((t + d) / mtbf);
    CHECK(cost.goodput == doctest::Approx(t / through).epsilon(0.01));
    CHECK(cost.time_s == doctest::Approx(result.training_s / (t + d) * through).epsilon(0.01));
    CHECK(cost.count == doctest::Approx(cost.time_s / mtbf));
    CHECK(cost.checkpoints_s + cost.restarts_s + cost.lost_s + cost.goodput * cost.time_s ==
          doctest::Approx(cost.time_s));
    CHECK(*cost.best_interval_s == doctest::Approx(best_interval({mtbf, 0, d})));
    CHECK(*cost.best_goodput >= cost.goodput * (1 - 1e-9));
    CHECK(*cost.free_goodput >= *cost.best_goodput);
  }
}

TEST_CASE("time, rate, busy GPUs, cost and energy of a job are those with its failures") {
  Scenario without = parse_scenario("system = 'nvidia-dgx-h100'\n" + kJob +
                                        "[checkpoint]\ninterval_steps = 200\nat = 'scratch'\n"
                                        "[[workload.target]]\nglobal_batch = 512\nsamples = "
                                        "3000000\nsource = 's'\nbasis = 'measured'\n",
                                    "a.toml", own_catalog());
  const Result calm = simulate(without);
  Scenario scenario = without;
  scenario.failures = Failures{Seconds{600}, {}, Seconds{60}, {}};
  const Result result = simulate(scenario);
  REQUIRE(result.checkpoint->count > 1);
  const double t = *result.failures->interval_s;
  const double d = result.checkpoint->cost_s;
  const double M = 600;
  const double longer =
      M * std::exp((60 + result.checkpoint->restart_s) / M) * std::expm1((t + d) / M) / (t + d);
  REQUIRE(longer > 1.1);
  CHECK(result.training_s == calm.training_s);
  CHECK(result.time_to_result_s == result.failures->time_s);
  const auto near = [&](double value) { return doctest::Approx(value).epsilon(0.01); };
  CHECK(result.time_to_result_s == near(result.staging_s + calm.training_s * longer));
  CHECK(result.job_samples_per_s ==
        doctest::Approx(static_cast<double>(result.job_samples) / result.time_to_result_s));
  CHECK(result.job_samples_per_s == near(calm.job_samples_per_s / longer));
  CHECK(result.job_gpu_utilization == near(calm.job_gpu_utilization / longer));
  CHECK(*result.time_to_target_s == near(*calm.time_to_target_s * longer));
  REQUIRE(result.running_cost->per_result_USD);
  CHECK(*result.running_cost->per_result_USD == near(*calm.running_cost->per_result_USD * longer));
  CHECK(*result.running_cost->energy_per_result_kWh ==
        near(*calm.running_cost->energy_per_result_kWh * longer));
  CHECK(result.throughput_samples_per_s == calm.throughput_samples_per_s);
}

TEST_CASE("a job that is twice as slow fails more than twice as long, and its interval says so") {
  Scenario scenario = failing(100, 100, 20);
  const Result result = simulate(scenario);
  const double length = *result.failures->interval_s + result.checkpoint->cost_s;
  const double now = result.time_to_result_s - result.staging_s;
  const double twice = std::expm1(2 * length / 100) / std::expm1(length / 100);
  REQUIRE(twice > 2.02);
  CHECK(training_with_failures(result, 1) == doctest::Approx(now));
  CHECK(training_with_failures(result, 2) / now == doctest::Approx(twice).epsilon(0.02));
  Result calm = result;
  calm.failures.reset();
  CHECK(training_with_failures(calm, 2) == doctest::Approx(2 * now));
}

TEST_CASE("failures far apart change nothing, and without checkpoints all of the job is lost") {
  Scenario scenario = failing(100, 1e12, 20);
  const Result rare = simulate(scenario);
  CHECK(rare.time_to_result_s == doctest::Approx(rare.staging_s + rare.training_s).epsilon(1e-6));
  CHECK(rare.failures->count < 1e-6);
  scenario.checkpoint.reset();
  scenario.failures->mtbf = Seconds{1000};
  const Result whole = simulate(scenario);
  CHECK_FALSE(whole.failures->interval_s);
  CHECK_FALSE(whole.failures->best_interval_s);
  CHECK(whole.failures->time_s ==
        doctest::Approx(time_through(whole.training_s, {1000, 20, 0})).epsilon(1e-9));
  // one that hardly ever gets through is told never to end, and nothing of its range
  scenario.failures->mtbf = Seconds{whole.training_s / 20};
  scenario.run.range_samples = 100;
  const Result never = simulate(scenario);
  CHECK(std::isinf(never.time_to_result_s));
  CHECK(never.job_samples_per_s == 0);
  CHECK(never.failures->goodput == 0);
  CHECK_FALSE(never.range);
  scenario.failures.reset();
  CHECK_FALSE(simulate(scenario).failures);
}

TEST_CASE("a machine fails as often as its parts together, or as it says itself") {
  System system =
      *parse_scenario("system = 'nvidia-dgx-h100'\n" + kJob, "a.toml", own_catalog()).system;
  CHECK(failures_per_second(system, 8).rate == doctest::Approx(1 / (6330 * 3600.0)));
  system.mtbf.reset();
  const FailureRate parts = failures_per_second(system, 8);
  CHECK(parts.rate > 8 / (86300 * 3600.0));
  CHECK(parts.rate < 8 / (86300 * 3600.0) + 10 / (607000 * 3600.0));
  CHECK(failures_per_second(system, 4).rate < parts.rate);
}

TEST_CASE("failures of what nobody knows are refused, with what to give") {
  try {
    parse_scenario(
        "system = 'nvidia-dgx1-p100'\n[workload]\nkind = 'training'\nmodel = 'resnet-50'\n"
        "dataset = 'imagenet-1k'\nbatch_per_gpu = 64\nepochs = 1\n[failures]\n"
        "restart = '60 s'\n",
        "a.toml", own_catalog());
    FAIL("it was taken");
  } catch (const InputError& error) {
    CHECK(std::string(error.what()).find("failures.mtbf is needed") != std::string::npos);
  }
}
