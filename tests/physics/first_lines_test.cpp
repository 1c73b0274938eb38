// SPDX-License-Identifier: Apache-2.0
// What the first lines say of jobs that planners describe in a few words.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/approx.h"
#include "tests/support/catalog.h"

using namespace gpufeed;

namespace {

Result answer(const std::string& text) {
  return simulate(parse_scenario("title = \"t\"\n" + text, "t.toml", own_catalog()));
}

const std::string kResNet =
    "[workload]\nmodel = \"resnet-50\"\nframework = \"pytorch\"\ndataset = \"imagenet-1k\"\n"
    "precision = \"fp16\"\nbatch_per_gpu = 256\n";

}  // namespace

TEST_CASE("one machine has one price, one power and one rate, by its system or its chassis") {
  const Result system = answer("system = \"nvidia-dgx-h100\"\n" + kResNet);
  const Result chassis = answer("system = { chassis = \"nvidia-dgx-h100\" }\n" + kResNet);
  CHECK(*system.price_USD == *chassis.price_USD);
  CHECK(system.without_price == chassis.without_price);
  CHECK(*system.power_W == *chassis.power_W);
  CHECK(system.job_samples_per_s == chassis.job_samples_per_s);
}

TEST_CASE("rented nodes on a rented store cost the rent of both") {
  const std::string store =
      "[data]\nat = \"pfs\"\n[store.pfs]\nmodel = \"amazon-fsx-lustre-1000-24tib\"\n"
      "protocol = \"lustre\"\n";
  const std::string nodes = "system = \"aws-p5en.48xlarge\"\nnodes = 4\n" + kResNet;
  const Result alone = answer(nodes), both = answer(nodes + store);
  REQUIRE(alone.running_cost);
  REQUIRE(both.running_cost);
  REQUIRE(both.running_cost->store_rent_per_hour_USD);
  CHECK(*both.running_cost->store_rent_per_hour_USD > 1);
  CHECK(both.running_cost->per_hour_USD ==
        approx(alone.running_cost->per_hour_USD + *both.running_cost->store_rent_per_hour_USD));
}

TEST_CASE("a store whose protocol nobody gave says what another client would make of the job") {
  const Result result = answer(
      "nodes = 4\nsystem = { chassis = \"nvidia-dgx-h200\" }\n[workload]\nmodel = \"resnet-50\"\n"
      "framework = \"pytorch\"\ndataset = \"imagenet-200kb-10m\"\nprecision = \"bf16\"\n"
      "batch_per_gpu = 256\n[loader]\nworkers_per_gpu = 14\n[data]\nat = \"pfs\"\n[store.pfs]\n"
      "model = \"vast-ebox-11-nodes\"\nvia = [\"nic8\", \"nic9\"]\n");
  const auto found = std::ranges::find(result.deciding_defaults, KeyPath("store.pfs.protocol"),
                                       &DecidingDefault::key);
  REQUIRE(found != result.deciding_defaults.end());
  CHECK(found->value == "nfs-tcp");
  CHECK(found->effect > 1);
}

TEST_CASE("what eight P100 reached on AlexNet lies in the interval") {
  // 9,968 images/s (Pure Storage, 2017), as the tests of the loader have it.
  const Result result = answer(
      "system = \"nvidia-dgx1-p100\"\nworkload = { model = \"alexnet\", dataset = \"imagenet-1k\", "
      "precision = \"fp32\", batch_per_gpu = 128 }\n");
  REQUIRE(result.range);
  CHECK(result.range->job_samples_per_s.p10 < 9968);
  CHECK(result.range->job_samples_per_s.p90 > 9968);
}
