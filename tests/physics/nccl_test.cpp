// SPDX-License-Identifier: Apache-2.0
// Collectives as NCCL's cost model has them, against a model of a few lines that shares no code.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "sim/model/scenario.h"
#include "sim/plan/limits/lasting_speed.h"
#include "sim/plan/limits/stages.h"
#include "sim/plan/make/make_plan.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"
#include "tests/support/checks.h"
#include "tests/support/cluster.h"
#include "tests/support/decoders.h"
#include "tests/support/edits.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

namespace {

/// Eight H100 behind NVSwitches: microseconds of an all-reduce of n of them.
double h100_us(double n, double bytes) {
  const double link = 18 * 25e3 * 0.824;  // bytes a microsecond
  const double own = 0.65 * bytes / n / link;
  const double ring = 2 * (n - 1) / n * bytes, tree = 2 * bytes;
  double best = 6.6 + 2 * (n - 1) * 0.6 + std::max(ring / link / 0.5, ring / 141e3) + own;
  const auto offer = [&](double us) { best = std::min(best, us); };
  offer(14 + 2 * (n - 1) * 1.9 + std::max(ring / link / 0.92, ring / 880.8e3) + own);
  offer(8.4 + 2 * (n - 1) * 3.4 + ring / link + own);
  offer(6.8 + 2 * (n - 1) * 0.6 + std::max(tree / link / 0.242, tree / 141e3) + own);
  offer(14 + 2 * (n - 1) * 1.25 + std::max(tree / link / 0.716, tree / 880.8e3) + own);
  offer(8.4 + 2 * (n - 1) * 4 + std::max(tree / link / 0.92, tree / 928.8e3) + own);
  if (n > 2) offer(25 + bytes * (1 + 1 / n) / link / 0.797);
  return best;
}

/// Four A100, whose cycles are longer than those of the tables: microseconds of an all-gather.
double a100_us(double bytes) {
  const double cycle = 1.98 / 1.41, sent = 0.75 * bytes, plain = sent / (12 * 25e3 * 0.8);
  struct Protocol {
    double start, steps, transfer;
  };
  // By the tables LL128 is never the quickest of four.
  const Protocol ll{6.6, 3 * 0.6, std::max(plain / 0.5, sent / 87.7e3)};
  const Protocol simple{8.4, 3 * 3.4, plain};
  const auto expected = [](const Protocol& p) { return p.start + p.steps + p.transfer; };
  const Protocol& chosen = expected(ll) < expected(simple) ? ll : simple;
  return (chosen.start + chosen.steps) * cycle + chosen.transfer + 0.65 * bytes / 4 / sent * plain;
}

const std::string kSums =
    "title = \"t\"\nsystem = \"nvidia-dgx-h100\"\n[workload]\nkind = \"collective\"\n";

Scenario loaded(const std::string& text) {
  return parse_scenario(text, "test.toml", own_catalog());
}

/// Two GPUs a node, four nodes, and what the gradients take.
Scenario cluster() {
  RandomMachine m = machine_of_cluster(2);
  m.rate[kMemory] = 1e13;
  m.parameters = kParameters;
  Scenario scenario = scenario_of(m);
  scenario.nodes = 4;
  scenario.exchange.algorithm = Algorithm::ring;
  return scenario;
}

}  // namespace

TEST_CASE("an all-reduce takes the quickest of NCCL's patterns and protocols, over all sizes") {
  for (const double n : {2.0, 4.0, 8.0}) {
    const Result result = simulate(loaded(kSums + fmt::format("gpus = {}\nto = \"4 GiB\"\n", n)));
    REQUIRE(result.collectives.size() == 30);
    for (const auto& line : result.collectives) {
      CAPTURE(n);
      CAPTURE(line.size_B);
      CHECK(line.time_s * 1e6 == approx(h100_us(n, line.size_B)).epsilon(0.002));
      CHECK(line.bus_Bps == approx(2 * (n - 1) / n * line.size_B / line.time_s));
    }
    CHECK(result.collectives.front().protocol == "ll");
    CHECK(result.collectives.back().algorithm == (n > 2 ? "nvls" : "ring"));
  }
}

TEST_CASE(
    "starts and steps over NVLink take cycles of the GPU, of which the library's choice knows "
    "nothing") {
  const Result result = simulate(
      loaded("title = \"t\"\nsystem = \"nvidia-dgx-a100\"\n[workload]\nkind = \"collective\"\n"
             "operations = [\"all-gather\"]\ngpus = 4\nto = \"1 GiB\"\n"));
  bool both[2] = {};
  for (const auto& line : result.collectives) {
    CAPTURE(line.size_B);
    CHECK(line.time_s * 1e6 == approx(a100_us(line.size_B)).epsilon(0.002));
    both[line.protocol == "ll" ? 0 : 1] = true;
  }
  CHECK(both[0]);
  CHECK(both[1]);
}

TEST_CASE("gathering and scattering send half of what summing for all does") {
  const auto last = [](const std::string& operation) {
    const auto result = simulate(loaded(kSums + "operations = [\"" + operation +
                                        "\"]\ngpus = 2\nfrom = \"1 GiB\"\nto = \"1 GiB\"\n"));
    return result.collectives.back().time_s;
  };
  const double bytes = 1073741824, link = 18 * 25e9 * 0.824;
  const double own = 0.65 * bytes / 2 / link;
  CHECK(last("all-reduce") == approx(bytes / link + own + 15.2e-6));
  CHECK(last("all-gather") == approx(bytes / 2 / link + own + 11.8e-6));
  CHECK(last("reduce-scatter") == last("all-gather"));
}

TEST_CASE("every bucket takes the steps of its algorithm, whichever that is") {
  Scenario scenario = loaded(
      "title = \"t\"\nsystem = \"nvidia-dgx-a100\"\nnodes = 3\n[workload]\nmodel = \"vgg-19\"\n"
      "dataset = \"imagenet-1k\"\nprecision = \"fp16\"\nbatch_per_gpu = 64\n");
  const auto latency_us = [&](Algorithm algorithm, double bucket) {
    scenario.exchange.algorithm = algorithm;
    scenario.exchange.bucket = Bytes{bucket};
    double sum = 0;
    for (const ExchangePhase& phase : make_plan(scenario).exchange) sum += phase.latency.value;
    return sum * 1e6;
  };
  const double parameters = 143'667'240, cycle = 1.98 / 1.41;  // LL is the quickest of small ones
  const double row = (6.6 + 7 * 0.6) * cycle, ring_of_3 = 6.6 * cycle + 4 * 2.7;
  for (const double bucket : {2e3, 5e3}) {
    const double buckets = std::ceil(parameters * 2 / bucket);
    using enum Algorithm;
    CHECK(latency_us(ring, bucket) ==
          approx(buckets * ((6.6 + 2 * 21 * 0.6) * cycle + 4 * 2.7)).epsilon(1e-6));
    CHECK(latency_us(tree, bucket) ==
          approx(buckets * ((6.8 + 2 * 7 * 0.6) * cycle + 2 * 5.0)).epsilon(1e-6));
    CHECK(latency_us(torus, bucket) == approx(buckets * (2 * row + ring_of_3)).epsilon(1e-6));
    CHECK(latency_us(hierarchical, bucket) ==
          approx(buckets * (2 * row + ring_of_3)).epsilon(1e-6));
    // Small buckets cost what they cost: no other algorithm is a way out.
    const double least = std::min(latency_us(ring, bucket), latency_us(tree, bucket));
    CHECK(latency_us(automatic, bucket) == approx(least));
    CHECK(rate_of(scenario) < 1.1 * 64 * 24 / (least * 1e-6));
  }
}

TEST_CASE("without a library every bucket takes the rounds of its ring") {
  Scenario scenario = cluster();
  scenario.exchange.bucket = Bytes{kGradients / 4};
  const auto latency = [&] {
    double sum = 0;
    for (const ExchangePhase& phase : make_plan(scenario).exchange) sum += phase.latency.value;
    return sum;
  };
  const double of4 = latency();
  scenario.exchange.bucket = Bytes{kGradients / 12};
  CHECK(of4 > 0);
  CHECK(latency() == approx(3 * of4));
}

TEST_CASE("each sum of a split model's outputs is a collective of its own") {
  const Scenario scenario = loaded(
      "title = \"t\"\nsystem = \"nvidia-dgx-h100\"\n[workload]\nmodel = \"gpt-2-large\"\n"
      "dataset = \"openwebtext-gpt2\"\nprecision = \"fp16\"\nbatch_per_gpu = 2\n[parallel]\n"
      "tensor = 8\nmicro_batches = 4\n");
  // 36 blocks of 1024 tokens of 1280 numbers of 2 B; 2 x 8 samples of a replica in 4 parts.
  const double output = 1024 * 1280 * 2.0 * 16 / 4;
  CHECK(exchange_time(make_plan(scenario)).value * 1e6 ==
        approx(4 * 36 * 4 * h100_us(8, output)).epsilon(0.002));
}

TEST_CASE(
    "replicas that share parameters gather them block by block, whatever a framework's buckets") {
  const auto latency_us = [](const std::string& more) {
    const Scenario scenario =
        loaded("title = \"t\"\nsystem = \"nvidia-dgx-h100\"\n[workload]\nmodel = " + kLlamaByClass +
               "\nframework = \"pytorch\"\ndataset = \"llama-2-corpus\"\nprecision = \"bf16\"\n"
               "optimizer = \"adam\"\nbatch_per_gpu = 1\n[parallel]\nshard = "
               "\"parameters\"\n[exchange]\n" +
               more);
    double sum = 0;
    for (const ExchangePhase& phase : make_plan(scenario).exchange) sum += phase.latency.value;
    return sum * 1e6;
  };
  // Two passes of gathering and one of scattering take the steps of one and a half all-reduces, in
  // which bytes count so; 32 blocks, Simple.
  CHECK(latency_us("") == approx(32 * (8.4 + 14 * 3.4)));
  const double buckets = std::ceil(8030261248 * 2 * 1.5 / 100e6);
  CHECK(latency_us("bucket = \"100 MB\"\n") == approx(buckets * (8.4 + 14 * 3.4)));
}

TEST_CASE("the last bucket leaves when all have computed, and nothing hides it") {
  Scenario scenario = cluster();
  scenario.exchange.overlap = {0.5};
  const double compute = kStep;
  const double samples = kBatch * 2 * 4;
  scenario.exchange.bucket = Bytes{kGradients / 4};
  const auto exchange = [&] { return exchange_time(make_plan(scenario)).value; };
  const double bound = throughput_bound(make_plan(scenario)).rate.value;
  const double first = compute * (0.5 + 0.5 / 4);  // when its last gradient is there
  const double before = first + exchange() * 3 / 4;
  CHECK(samples / bound == approx(std::max(compute, before) + exchange() / 4));
  CHECK(samples / rate_of(scenario) == approx(samples / bound).epsilon(0.003));
  scenario.exchange.bucket = Bytes{2 * kGradients};  // all of it in one
  CHECK(samples / throughput_bound(make_plan(scenario)).rate.value == approx(compute + exchange()));
}

TEST_CASE("the slowest of many lastingly unequal GPUs holds up all, whatever node it is in") {
  const double of8 = lasting_slowness({0.01}, 7, 8, 8);
  // The expected order is Blom's approximation: within 1 % of the spread.
  CHECK(of8 - 1 == approx(0.01 * kGreatestOf8).epsilon(0.01));
  CHECK(lasting_slowness({0.01}, 0, 1, 1) == approx(1));
  double sum = 0;
  for (int gpu = 0; gpu < 8; ++gpu) sum += lasting_slowness({0.01}, gpu, 8, 8);
  CHECK(sum == approx(8));
  CHECK(lasting_slowness({0.01}, 7, 8, 1024) == approx(1 + 0.01 * 3.2).epsilon(1e-3));
  RandomMachine m = ample_machine();
  m.gpus = 8;
  m.exchange = true;
  m.parameters = 1000;  // a barrier, which costs next to nothing itself
  Scenario scenario = scenario_of(m);
  edit(scenario.system, [](System& system) {
    edit_all(system.gpus, [](Gpu& model) { model.speed_spread = {0.02}; });
  });
  CHECK(rate_of(scenario) == approx(8e3 / (1 + 0.02 * kGreatestOf8)).epsilon(0.003));
  // A rate that was measured on all eight of a node has that in it; of 1024, it does not.
  edit(scenario.workload.model(), [](Model& model) {
    for (auto& row : model.compute) row.includes = {Includes::exchange, Includes::barrier};
  });
  scenario.workload.get<kind::Training>().step_jitter.value = {0.03};
  CHECK(rate_of(scenario) == approx(8e3).epsilon(0.003));
  const double of_one = make_plan(scenario).gpus.front().compute.value;
  scenario.nodes = 128;
  CHECK(make_plan(scenario).gpus.front().compute.value / of_one ==
        approx((1 + 0.02 * 3.2) / (1 + 0.02 * kGreatestOf8)).epsilon(1e-3));
}

TEST_CASE("a network's latency is that of each step between nodes, and NCCL does not know of it") {
  const auto time_of = [](const std::string& latency) {
    const Result result =
        simulate(loaded("nodes = 4\nfabric = { latency = \"" + latency + "\" }\n" + kSums));
    return result.collectives.front().time_s;
  };
  // Of four nodes a tree is two deep: two steps up, and two down.
  CHECK(time_of("1 ms") - time_of("2 us") == doctest::Approx(4 * 998e-6));
  CHECK(time_of("2 us") - time_of("0 s") == doctest::Approx(4 * 2e-6));
  const auto exchange_of = [](const std::string& algorithm, const std::string& latency) {
    return simulate(loaded("nodes = 4\nfabric = { latency = \"" + latency +
                           "\" }\nexchange = { algorithm = \"" + algorithm +
                           "\", overlap = \"0 %\" }\n"
                           "title = \"t\"\nsystem = \"nvidia-dgx-h100\"\n[workload]\n"
                           "model = \"resnet-50\"\ndataset = \"imagenet-1k\"\nbatch_per_gpu = 64\n"
                           "precision = \"fp16\"\n"))
        .exchange->alone_s;
  };
  CHECK(exchange_of("ring", "1 ms") - exchange_of("ring", "2 us") ==
        doctest::Approx(2 * 3 * 998e-6).epsilon(1e-3));
}

TEST_CASE("collectives over several nodes say that none of those was measured") {
  CHECK(simulate(loaded(kSums)).warnings.empty());
  CHECK(simulate(loaded("nodes = 2\n" + kSums)).warnings ==
        std::vector{fact<WarningCode::collectives_between_nodes_by_library>()});
}

TEST_CASE("more nodes in step than any row of several has say so") {
  const auto says_so = [](std::int64_t nodes) {
    Scenario scenario = cluster();
    scenario.nodes = nodes;
    const auto warnings = simulate(scenario).warnings;
    return std::ranges::count(warnings, fact<WarningCode::nodes_unseen>(nodes, 130)) == 1;
  };
  CHECK_FALSE(says_so(130));
  CHECK(says_so(131));
}
