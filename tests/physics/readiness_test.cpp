// SPDX-License-Identifier: Apache-2.0
// Gradients leave in the order of the backward pass, against a wire that takes bucket after bucket.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "sim/model/scenario.h"
#include "sim/plan/limits/stages.h"
#include "sim/plan/make/make_plan.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"
#include "tests/support/checks.h"
#include "tests/support/edits.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

namespace {

constexpr double kParameters = 336e6;

/// In the order of the backward pass: shares of gradients and of its time.
struct Stretch {
  double gradients, time;
};

/// The date of the last byte, where the backward pass is the last 67 % of a step.
double by_buckets(const std::vector<Stretch>& pass, double step, double exchange, double first,
                  double bucket) {
  const auto ready = [&](double share) {
    double date = 0.33 * step;
    for (const Stretch& part : pass) {
      if (share <= part.gradients + 1e-12)
        return date + (part.gradients > 0 ? share / part.gradients : 1) * part.time * 0.67 * step;
      share -= part.gradients, date += part.time * 0.67 * step;
    }
    return step;
  };
  const double each = (1 - first) / std::ceil((1 - first) / bucket);
  double wire = 0, sent = 0;
  for (double size = first > 0 ? first : each; sent < 1 - 1e-9; size = each) {
    sent += size;
    wire = std::max(wire, ready(std::min(sent, 1.0))) + size * exchange;
  }
  return std::max(wire, step);
}

Scenario four_nodes(const std::vector<Stretch>& pass, double step_s) {
  std::string parts;
  for (const Stretch& part : pass)
    parts += fmt::format(
        "[[workload.model.backward]]\nparameters = {}\nmultiply_adds = {}\nsource = \"s\"\n"
        "basis = \"measured\"\n",
        std::lround(part.gradients * kParameters), std::lround(part.time * 1e9));
  const std::string text = fmt::format(
      "title = \"t\"\nsystem = \"nvidia-dgx-a100\"\nnodes = 4\n[workload]\n"
      "framework = \"pytorch\"\nstep_jitter = \"0 %\"\nsamples = 400000\nbatch_per_gpu = 1\n"
      "gpus = 4\n[workload.model]\ntitle = \"m\"\nparameters = {}\ninput_size = \"1 kB\"\n{}"
      "[workload.dataset]\ntitle = \"d\"\nsamples = 400000000\nsample_size = \"1 B\"\n"
      "samples_per_file = 1000000\n"
      "[[workload.compute]]\ngpu = \"nvidia-a100-sxm4-40gb\"\nbatch = 1\nrate = \"{} /s\"\n"
      "source = \"s\"\nbasis = \"measured\"\n[loader]\ndecode = \"none\"\norder = \"shards\"\n",
      std::lround(kParameters), parts, 1 / step_s);
  Scenario scenario = parse_scenario(text, "test.toml", own_catalog());
  edit(scenario.system, [](System& system) {
    edit_all(system.gpus, [](Gpu& model) {
      model.speed_spread = {0};
      edit(*model.collectives, [](CollectiveLibrary& library) { library.contention = {0}; });
    });
  });
  return scenario;
}

void compare(const std::vector<Stretch>& pass, double step, Bytes first, Bytes bucket) {
  Scenario scenario = four_nodes(pass, step);
  const Bytes all{4 * kParameters};
  scenario.exchange.bucket = bucket;
  scenario.exchange.first_bucket.reset();
  if (first.value > 0) scenario.exchange.first_bucket = first;
  const Plan plan = make_plan(scenario);
  const double exchange = exchange_time(plan).value;
  const double expected = by_buckets(pass, step, exchange, first / all, bucket / all);
  CAPTURE(step);
  CAPTURE(exchange);
  CHECK(undisturbed_step(plan).value == approx(expected).epsilon(1e-6));
  const double samples = 16;
  CHECK(samples / simulate(scenario).throughput_samples_per_s == approx(expected).epsilon(0.004));
}

}  // namespace

TEST_CASE("gradients leave in buckets as the backward pass meets their layers") {
  const std::vector<std::vector<Stretch>> passes{
      {{1, 1}},                                                       // at an even pace
      {{0.894, 0.008}, {0.094, 0.39}, {0.012, 0.602}},                // as VGG-16
      {{0.08, 0.001}, {0.586, 0.19}, {0.278, 0.36}, {0.056, 0.449}},  // as ResNet-50
      {{0.7, 1}, {0.3, 0}},                                           // embeddings
      {{0.05, 0.7}, {0.25, 0.2}, {0.7, 0.1}}};                        // most of it at the input
  for (const auto& pass : passes)
    for (const double step : {0.02, 0.05, 0.2})
      for (const double first : {0.0, 1048576.0}) compare(pass, step, {first}, {25 * 1048576.0});
}

TEST_CASE("gradients of random networks leave in buckets of any size") {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> any(0, 1);
  for (int draw = 0; draw < 12; ++draw) {
    std::vector<Stretch> pass(2 + static_cast<std::size_t>(4 * any(random)));
    double gradients = 0, time = 0;
    for (Stretch& part : pass) {
      part = {std::round(1000 * any(random)) + 1, std::round(1000 * any(random)) + 1};
      gradients += part.gradients, time += part.time;
    }
    for (Stretch& part : pass) part = {part.gradients / gradients, part.time / time};
    compare(pass, 0.01 + 0.1 * any(random), {any(random) < 0.5 ? 0 : 3e7 * any(random)},
            {1e7 + 4e8 * any(random)});
  }
}

TEST_CASE("without buckets each gradient leaves when it is there") {
  const std::vector<Stretch> pass{{0.05, 0.7}, {0.25, 0.2}, {0.7, 0.1}};
  for (const double step : {0.02, 0.05, 0.2}) {
    Scenario scenario = four_nodes(pass, step);
    scenario.exchange.bucket.reset();
    const Plan plan = make_plan(scenario);
    const double exchange = exchange_time(plan).value;
    CHECK(undisturbed_step(plan).value ==
          approx(by_buckets(pass, step, exchange, 0, 1e-5)).epsilon(1e-3));
  }
}
