// SPDX-License-Identifier: Apache-2.0
// What computing loses to the exchange beside it, and what batches of unequal work cost, against
// models of a few lines that share no code.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "sim/load/read/reader.h"
#include "sim/model/scenario.h"
#include "sim/plan/limits/stages.h"
#include "sim/plan/make/make_plan.h"
#include "tests/support/catalog.h"
#include "tests/support/checks.h"
#include "tests/support/edits.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

namespace {

/// BERT with gradients of 1.34 GB on GPUs that step in `step_s`, alike and without jitter.
std::string text_of(const std::string& system, double step_s, int nodes) {
  return fmt::format(
      "title = \"t\"\nsystem = \"{}\"\nnodes = {}\n[workload]\nframework = \"pytorch\"\n"
      "step_jitter = \"0 %\"\nsamples = 400000\nbatch_per_gpu = 1\ngpus = {}\n"
      "[workload.model]\ntitle = \"m\"\nparameters = 336000000\ninput_size = \"1 kB\"\n"
      "[workload.dataset]\ntitle = \"d\"\nsamples = 400000000\nsample_size = \"1 B\"\n"
      "samples_per_file = 1000000\n"
      "[[workload.compute]]\ngpu = \"nvidia-a100-sxm4-40gb\"\nbatch = 1\nrate = \"{} /s\"\n"
      "source = \"s\"\nbasis = \"measured\"\n[loader]\ndecode = \"none\"\norder = \"shards\"\n",
      system, nodes, 4, 1 / step_s);
}

Scenario scenario_with(const std::string& text, double contention) {
  Scenario scenario = parse_scenario(text, "test.toml", own_catalog());
  edit(scenario.system, [&](System& system) {
    edit_all(system.gpus, [&](Gpu& model) {
      model.speed_spread = {0};
      edit(*model.collectives,
           [&](CollectiveLibrary& library) { library.contention = {contention}; });
    });
  });
  return scenario;
}

/// What its gradients are.
constexpr double kBytes = 4 * 336e6;

/// Share of one of equal buckets of at most 25 MiB, after one of 1 MiB.
double each_bucket() {
  const double rest = kBytes - (1 << 20);
  return rest / kBytes / std::ceil(rest / (25 << 20));
}

double step_of(const Scenario& scenario) { return undisturbed_step(make_plan(scenario)).value; }

/// The standard deviation over the mean, of one value for each batch.
double spread_of(const std::vector<double>& values) {
  double sum = 0, squares = 0;
  for (const double value : values) sum += value, squares += value * value;
  const double mean = sum / static_cast<double>(values.size());
  return std::sqrt(squares / static_cast<double>(values.size()) - mean * mean) / mean;
}

/// Multiply-adds of batches of at most `most` tokens, padded to their longest, by millions of
/// parameters that see each token of either side: cut from sentences in the order of their length,
/// by eights, as fairseq does.
std::vector<double> work_of_batches(double most, double source_weight, double target_weight) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> length(3.1, 0.6), translation(0, 0.25);
  std::vector<std::pair<double, double>> sentences(100000);
  for (auto& [source, target] : sentences) {
    source = std::clamp(std::round(std::exp(length(random))), 1.0, 250.0);
    target = std::clamp(std::round(source * std::exp(translation(random))), 1.0, 250.0);
  }
  std::ranges::sort(sentences);
  std::vector<double> work;
  for (std::size_t i = 0; i < sentences.size();) {
    std::size_t j = i;
    for (double longest = 0; j < sentences.size(); ++j) {
      longest = std::max({longest, sentences[j].first, sentences[j].second});
      if (longest * static_cast<double>(j + 1 - i) > most) break;
    }
    if (j - i > 8) j = i + (j - i) / 8 * 8;
    double source = 0, target = 0;
    for (std::size_t k = i; k < j; ++k) {
      source = std::max(source, sentences[k].first);
      target = std::max(target, sentences[k].second);
    }
    work.push_back(static_cast<double>(j - i) * (source_weight * source + target_weight * target));
    i = j;
  }
  return work;
}

}  // namespace

TEST_CASE("of gradients over NVLink computing hides what contention leaves, but no last bucket") {
  const double first = (1 << 20) / kBytes, last = each_bucket();
  for (const double step : {0.005, 0.3}) {
    const std::string text = text_of("nvidia-dgx-a100", step, 1);
    const double exchange = exchange_time(make_plan(scenario_with(text, 1))).value;
    CAPTURE(step);
    CHECK(step_of(scenario_with(text, 1)) == approx(step + exchange));
    for (const double contention : {0.0, 0.4}) {
      const double after = last + (1 - last) * contention;
      const double second = (0.33 + 0.67 * (first + last)) * step;  // of all but the first
      const double before = second + (1 - first - last) * (1 - contention) * exchange;
      CHECK(step_of(scenario_with(text, contention)) ==
            approx(std::max(step, before) + after * exchange));
    }
  }
}

TEST_CASE("gradients of embeddings wait for the end of the backward pass: bucket by bucket") {
  // Here each bucket has its own time, on one wire.
  const auto by_buckets = [](double step, double exchange, double late) {
    constexpr int kBuckets = 52;
    double wire = 0;
    for (int i = 0; i < kBuckets; ++i) {
      const double part = static_cast<double>(i + 1) / kBuckets;
      const double ready = part <= 1 - late ? step * (0.33 + 0.67 * part / (1 - late)) : step;
      wire = std::max(wire, ready) + exchange / kBuckets;
    }
    return wire;
  };
  for (const double step : {0.02, 0.05, 0.1, 0.5})
    for (const double late : {0.1, 0.3, 0.7}) {
      CAPTURE(step);
      CAPTURE(late);
      std::string text = text_of("nvidia-dgx-a100", step, 4);
      text.insert(text.find("input_size"),
                  fmt::format("late_parameters = {}\n", std::lround(late * 336e6)));
      const Scenario scenario = scenario_with(text, 0);
      const double exchange = exchange_time(make_plan(scenario)).value;
      CHECK(std::abs(step_of(scenario) - by_buckets(step, exchange, late)) < 0.04 * exchange);
      const double first = (1 << 20) / kBytes, each = each_bucket();
      const double whole = std::floor((1 - late - first) / each) * each;  // that need none of it
      if (step > 2 * exchange)
        CHECK(step_of(scenario) == approx(step + (1 - first - whole) * exchange));
    }
}

TEST_CASE("what waits for a network leaves computing alone") {
  const std::string text = text_of("nvidia-dgx-a100", 2, 4);
  const double exchange = exchange_time(make_plan(scenario_with(text, 0))).value;
  const double none = step_of(scenario_with(text, 0)), all = step_of(scenario_with(text, 1));
  CHECK(all > none);
  CHECK(all - 2 < exchange);
}

TEST_CASE("batches that differ in work add to what steps vary by") {
  const std::string text = text_of("nvidia-dgx-a100", 0.3, 1);
  const auto jitter_of = [&](const std::string& own, const std::string& batches) {
    std::string with = text;
    with.replace(with.find("\"0 %\""), 5, own);
    with.insert(with.find("input_size"), "batch_spread = " + batches + "\n");
    return make_plan(parse_scenario(with, "test.toml", own_catalog())).step_jitter.value;
  };
  CHECK(jitter_of("\"3 %\"", "\"4 %\"") == approx(0.05));
  CHECK(jitter_of("\"3 %\"", "\"0 %\"") == approx(0.03));
  CHECK(jitter_of("\"0 %\"", "\"4 %\"") == approx(0.04));
}

TEST_CASE("batches of as many tokens differ in work as the Transformer's entry says") {
  // Millions of parameters that see a token: of six blocks forth; of six back and the words' table.
  const double forth = 6 * 12.6, back = 6 * 16.8 + 34.5;
  Diagnostics problems;
  Reader reader(own_catalog(), "", problems);
  const auto model = reader.entry_of<Model>(*own_catalog().find(Model::kKind, "transformer-big"));
  for (const double most : {5120.0, 10240.0}) {
    CAPTURE(most);
    CHECK(spread_of(work_of_batches(most, forth, back)) == about(model->batch_spread.value, 0.2));
  }
}
