// SPDX-License-Identifier: Apache-2.0
// Embedding tables (DLRM), whole on each GPU or split over all: memory, what is exchanged, a step.
#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "sim/load/load.h"
#include "sim/model/compute.h"
#include "sim/model/gpu_memory.h"
#include "sim/model/scenario.h"
#include "sim/plan/exchange/tables.h"
#include "sim/plan/make/make_plan.h"
#include "sim/simulate.h"
#include "tests/support/approx.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"

using namespace gpufeed;

namespace {

constexpr double kTables = 187'500'000. * 128, kDense = 2'368'897;

Scenario dlrm(const std::string& parallel, int nodes = 1, const std::string& workload = "") {
  return parse_scenario(
      "title = \"t\"\nsystem = \"nvidia-dgx-h100\"\nnodes = " + std::to_string(nodes) +
          "\nrun = { max_steps = 60 }\n[workload]\nmodel = \"dlrm-criteo-1tb\"\n"
          "dataset = \"criteo-1tb\"\nprecision = \"fp16\"\nbatch_per_gpu = 8192\n"
          "optimizer = \"sgd\"\nsamples = 100000000\n" +
          workload + "[loader]\ndecode = \"none\"\n[data]\nat = \"scratch\"\n[parallel]\n" +
          parallel,
      "test.toml", own_catalog());
}

const std::string kSplit = "tables = \"split\"\n";

}  // namespace

TEST_CASE("tables that are split fit where each GPU alone would not hold them") {
  const std::string whole = refusal_of([] { dlrm("", 1); });
  CHECK(whole.find("not even one sample fits into the 85.9 GB of nvidia-h100-sxm5") !=
        std::string::npos);
  CHECK(whole.find("parallel.tables = \"split\" divides its tables") != std::string::npos);
  const GpuMemory held = gpu_memory(dlrm(kSplit));
  CHECK(held.weights.value == approx(kTables * 4 / 8 + kDense * 2));
  CHECK(held.gradients.value == approx(kDense * 2));
  CHECK(held.copies.value == approx(kDense * 4));
  CHECK(held.optimizer.value == approx(0));
  // Momentum keeps a number beside each of a row.
  Scenario momentum = dlrm(kSplit, 2);
  momentum.workload.get<kind::Training>().optimizer.value = Optimizer::momentum;
  CHECK(gpu_memory(momentum).optimizer.value == approx((kTables / 16 + kDense) * 4));
}

TEST_CASE("GPUs exchange what samples take of tables, and gradients of the dense part alone") {
  const Scenario one = dlrm(kSplit), two = dlrm(kSplit, 2);
  CHECK(split_parameters(one) == kTables);
  Bytes sent{};
  for (const ExchangePhase& phase : make_plan(one).exchange)
    for (const auto& flow : phase.flows) sent += flow.size;
  CHECK(sent.value < 16 * kDense * 4);
  const Gpu& gpu = *one.system->gpus.front().model;
  // 8192 samples take 26 vectors of 128 numbers of 2 B: 54.5 MB, of which seven eighths lie on
  // others, over NVLink; on two machines half of it goes over a card of each GPU.
  const double pooled = 8192. * 26 * 128 * 2;
  const double at_home = table_times(one, gpu).exchange.value;
  const double links = 2 * pooled * 7 / 8 / at_home;
  CHECK(links > 300e9);
  CHECK(links < 450e9);
  const double card = 2 * pooled / 2 / table_times(two, gpu).exchange.value;
  CHECK(card > 35e9);
  CHECK(card < 50e9);
  // A row of 512 B is read, read again and written.
  CHECK(table_times(one, gpu).lookups.value ==
        approx((8192. * 26 * 512 * 3 + 2 * pooled) / gpu.memory_bandwidth->value));
}

TEST_CASE("a step takes lookups and exchange besides what its products take") {
  Scenario scenario = dlrm(kSplit);
  const Gpu& gpu = *scenario.system->gpus.front().model;
  const double with = make_plan(scenario).gpus.front().compute.value;
  const TableTimes tables = table_times(scenario, gpu);
  Model bare = *scenario.workload.model();
  bare.tables.reset();
  scenario.workload.model().entry = std::make_shared<const Model>(bare);
  scenario.parallel->tables = TableLayout::whole;
  const double without = make_plan(scenario).gpus.front().compute.value;
  CHECK(with - without == approx((tables.lookups + tables.exchange).value).epsilon(1e-6));
}

TEST_CASE("tables are split only where there are some, and several GPUs") {
  CHECK(refusal_of([] {
          parse_scenario(
              "title = \"t\"\nsystem = \"nvidia-dgx-h100\"\n[workload]\nmodel = "
              "\"resnet-50\"\ndataset = \"imagenet-1k\"\nprecision = \"fp16\"\n"
              "[parallel]\ntables = \"split\"\n",
              "test.toml", own_catalog());
        }).find("parallel.tables has no effect: resnet-50 says no tables") != std::string::npos);
  CHECK(refusal_of([] {
          dlrm(kSplit, 1, "gpus = 1\n");
        }).find("parallel.tables has no effect: there is one GPU") != std::string::npos);
}
