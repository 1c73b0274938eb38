// SPDX-License-Identifier: Apache-2.0
#include "sim/answer/cost.h"

#include <doctest/doctest.h>

#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/catalog.h"

using namespace gpufeed;

namespace {

Result result_of(const std::string& system, const std::string& more = "") {
  return simulate(parse_scenario("title = \"t\"\nsystem = \"" + system +
                                     "\"\n[workload]\nmodel = \"resnet-50\"\n"
                                     "dataset = \"imagenet-1k\"\nprecision = \"fp16\"\n"
                                     "batch_per_gpu = 256\nepochs = 2\n" +
                                     more,
                                 "cost.toml", own_catalog()));
}

}  // namespace

TEST_CASE("what is bought costs its part of a life and the building's power") {
  const Result result =
      result_of("nvidia-dgx-a100",
                "[cost]\nlife_time = \"26280 h\"\nelectricity_per_kwh = \"0.2 USD\"\n"
                "power_usage_effectiveness = 1.5\n");
  REQUIRE(result.running_cost);
  const RunningCost& cost = *result.running_cost;
  const double write_off = *result.price_USD / 26280;
  const double kilowatts = *result.power_W * 1.5 / 1000;
  const double hour = write_off + 0.2 * kilowatts;
  CHECK(cost.how == "bought");
  CHECK(cost.per_hour_USD == doctest::Approx(hour));
  CHECK(*cost.per_million_samples_USD ==
        doctest::Approx(hour * 1e6 / result.throughput_samples_per_s / 3600));
  CHECK(*cost.per_result_USD == doctest::Approx(hour * result.time_to_result_s / 3600));
  CHECK(*cost.gpus_waiting_USD ==
        doctest::Approx(*cost.per_result_USD -
                        hour / 3600 * 2 * result.epoch_s * result.accelerator_utilization));
  CHECK(*cost.energy_per_epoch_kWh == doctest::Approx(kilowatts * result.epoch_s / 3600));
}

TEST_CASE("GPUs wait for the copy-in, and in the first epoch for what later ones find in memory") {
  const Result result = simulate(parse_scenario(
      "title = \"t\"\nsystem = \"nvidia-dgx-a100\"\n[workload]\nmodel = \"resnet-50\"\n"
      "dataset = \"imagenet-1k\"\nprecision = \"fp16\"\nbatch_per_gpu = 256\nepochs = 3\n"
      "[data]\nat = \"nas\"\n[store.nas]\nmodel = \"linux-nfs-server-10g\"\n"
      "protocol = \"nfs-tcp\"\n",
      "cost.toml", own_catalog()));
  REQUIRE(result.first_epoch_s > 1.5 * result.epoch_s);
  const double computing = 3 * result.epoch_s * result.accelerator_utilization;
  CHECK(*result.running_cost->gpus_waiting_USD ==
        doctest::Approx(result.running_cost->per_hour_USD / 3600 *
                        (result.time_to_result_s - computing)));
  CHECK(result.running_cost->per_epoch_USD);
}

TEST_CASE("training on a part of the data has no cost of an epoch") {
  const Result result = simulate(parse_scenario(
      "title = \"t\"\nsystem = \"nvidia-dgx-a100\"\n[workload]\nmodel = \"resnet-50\"\n"
      "dataset = \"imagenet-1k\"\nprecision = \"fp16\"\nbatch_per_gpu = 256\nsamples = 400000\n",
      "cost.toml", own_catalog()));
  REQUIRE(result.running_cost);
  CHECK_FALSE(result.running_cost->per_epoch_USD);
  CHECK_FALSE(result.running_cost->energy_per_epoch_kWh);
  CHECK(result.running_cost->per_result_USD);
}

TEST_CASE("what is rented costs its rent for each machine, and no electricity") {
  const Result result = result_of("aws-p4d.24xlarge", "[cost]\nrent_per_hour = \"20 USD\"\n");
  REQUIRE(result.running_cost);
  CHECK(result.running_cost->how == "rented");
  CHECK(result.running_cost->per_hour_USD == doctest::Approx(20));
  CHECK_FALSE(result.running_cost->electricity_per_hour_USD);
  CHECK(result.running_cost->rent_basis == "quoted");
  const Result listed = result_of("aws-p4d.24xlarge");
  CHECK(listed.running_cost->per_hour_USD == doctest::Approx(21.958));
  CHECK(listed.running_cost->rent_year == 2026);
}

TEST_CASE("a building cannot take less power than its machines") {
  CHECK_THROWS_WITH_AS(
      result_of("nvidia-dgx-a100", "[cost]\npower_usage_effectiveness = 0.9\n"),
      doctest::Contains("cost.power_usage_effectiveness must be from 1 to 10; found 0.9"),
      InputError);
}
