// SPDX-License-Identifier: Apache-2.0
// Bills added up by hand, from the chassis to the cable, each part at a price of its own.
#include <doctest/doctest.h>

#include <algorithm>

#include "sim/answer/cost.h"
#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "tests/support/approx.h"
#include "tests/support/catalog.h"

using namespace gpufeed;

namespace {

const std::string kJob = "[workload]\nmodel = \"resnet-50\"\ndataset = \"imagenet-1k\"\n";

PriceList quotes() {
  PriceList list;
  int line = 1;
  for (const auto& [name, price] :
       std::vector<std::pair<std::string, double>>{{"supermicro-sys-421ge-tnrt", 6100},
                                                   {"intel-xeon-platinum-8460y-plus", 5200},
                                                   {"ddr5-4800-rdimm", 310},
                                                   {"nvidia-l40s", 7300},
                                                   {"solidigm-d5-p5430-7.68tb", 510},
                                                   {"nvidia-dgx-h100", 250000},
                                                   {"nvidia-dgx1-p100", 129000},
                                                   {"samsung-pm983-1.92tb", 450},
                                                   {"nvidia-qm9700-ndr-400g", 31000},
                                                   {"optics-400g", 1500},
                                                   {"copper-10g", 25},
                                                   {"copper-400g", 0},
                                                   {"pure-flashblade-s500-10-blades", 200000},
                                                   {"dell-r760", 2900},
                                                   {"nvidia-l4", 2600},
                                                   {"workstation-trx50", 1900},
                                                   {"amd-threadripper-7970x", 2400},
                                                   {"ddr5-5200-rdimm", 400},
                                                   {"nvidia-rtx-6000-ada", 7000},
                                                   {"samsung-990-pro-4tb", 320},
                                                   {"supermicro-as-4125gs-tnrt", 8800},
                                                   {"amd-epyc-9354", 2100},
                                                   {"nvidia-h100-pcie-80gb", 27000},
                                                   {"kioxia-cm7-r-7.68tb", 2300},
                                                   {"nvidia-connectx-7-ndr-400g", 1700}})
    if (name != "copper-400g") list[name] = {{price}, 2026, {"quotes.csv", ++line, 1}};
  return list;
}

Result bill(const std::string& text) {
  Result result;
  answer_cost(parse_scenario(text, "test.toml", own_catalog().with_prices(quotes())), result);
  CAPTURE(result.without_price);
  return result;
}

double rent_per_hour(const Result& result) {
  double sum = 0;
  for (const BillLine& line : result.bill) sum += line.rent_per_hour_USD.value_or(0) * line.count;
  return sum;
}

}  // namespace

TEST_CASE("first: a server of a chassis and parts") {
  const Result result = bill(
      "[system]\nchassis = \"supermicro-sys-421ge-tnrt\"\n"
      "cpu = \"2 x intel-xeon-platinum-8460y-plus\"\nmemory = \"512 GB\"\n"
      "gpu = \"8 x nvidia-l40s\"\ndrives = \"4 x solidigm-d5-p5430-7.68tb\"\n" +
      kJob);
  // 512 GiB are eight of the modules of 64 GiB that are priced.
  REQUIRE(result.price_USD);
  CHECK(*result.price_USD == 6100 + 2 * 5200 + 8 * 310 + 8 * 7300 + 4 * 510);
  CHECK(result.without_price == "");
}

TEST_CASE("second: four DGX H100 as they are sold, a switch, and a cable for each port") {
  const Result result = bill("nodes = 4\nsystem = \"nvidia-dgx-h100\"\n" + kJob);
  // Eight cards of one port and two of two: 48 ports on a switch of 64.
  CHECK(result.price_USD == 4 * 250000 + 31000 + 4 * (8 + 2 * 2) * 1500);
  CHECK(result.without_price == "");
}

TEST_CASE("third: a DGX-1 as it was sold, and the drives put into it") {
  const Result result = bill(
      "system = \"nvidia-dgx1-p100\"\n" + kJob +
      "[[replace]]\npart = \"ssd*\"\nat = \"plx0\"\nwith = \"samsung-pm983-1.92tb\"\ncount = 4\n");
  CHECK(result.price_USD == 129000 + 4 * 450);
  CHECK(result.without_price == "");
}

TEST_CASE("fourth: rented machines and a store that is rented by its capacity") {
  const Result result =
      bill("nodes = 4\nsystem = \"aws-p5en.48xlarge\"\n" + kJob +
           "[data]\nat = \"pfs\"\n[store.pfs]\nmodel = \"amazon-fsx-lustre-1000-24tib\"\n");
  CHECK(result.rented);
  CHECK(result.price_USD == std::nullopt);
  CHECK(result.without_price == "");  // network and cables are in the machines' rent
  // 24 TiB are 26.39 TB at 558.8 USD a month of 730 hours.
  CHECK(rent_per_hour(result) == about(24 * 1.099511627776 * 558.8 / 730));
}

TEST_CASE("a store whose rent nobody knows is named as not counted") {
  const Result result =
      bill("nodes = 4\nsystem = \"aws-p5en.48xlarge\"\n" + kJob +
           "[data]\nat = \"pfs\"\n[store.pfs]\nmodel = \"azure-native-qumulo-v2\"\n");
  CHECK(result.without_price == "1 x azure-native-qumulo-v2");
}

TEST_CASE("fifth: a server with a store of its own, and the cables between them") {
  const Result result = bill(
      "[system]\nchassis = \"dell-r760\"\ncpu = \"2 x intel-xeon-platinum-8460y-plus\"\n"
      "memory = \"512 GB\"\ngpu = \"1 x nvidia-l4\"\ndrives = \"none\"\n"
      "nics = \"1 x intel-x710-10g\"\n" +
      kJob +
      "[data]\nat = \"nas\"\n[store.nas]\nmodel = \"pure-flashblade-s500-10-blades\"\n"
      "blades = 15\n");
  // Fifteen blades of a store whose price is that of ten; a card of four ports.
  const auto& nic = *std::ranges::find(result.bill, "nic", &BillLine::kind);
  const auto& cables = *std::ranges::find(result.bill, "cable", &BillLine::kind);
  CAPTURE(nic.name);
  CAPTURE(result.without_price);
  REQUIRE(nic.price_USD);
  CHECK(*result.price_USD ==
        2900 + 2 * 5200 + 8 * 310 + 2600 + *nic.price_USD + 1.5 * 200000 + cables.count * 25);
  CHECK(cables.count >= 1);
  CHECK(result.without_price == "");
}

TEST_CASE("sixth: a workstation with two GPUs") {
  const Result result = bill(
      "[system]\nchassis = \"workstation-trx50\"\ncpu = \"1 x amd-threadripper-7970x\"\n"
      "memory = \"256 GB\"\ngpu = \"2 x nvidia-rtx-6000-ada\"\n"
      "drives = \"1 x samsung-990-pro-4tb\"\nnics = \"none\"\n" +
      kJob);
  CHECK(result.price_USD == 1900 + 2400 + 4 * 400 + 2 * 7000 + 320);
  CHECK(result.without_price == "");
}

TEST_CASE("seventh: a cluster of four servers with eight H100 cards, its switch and a store") {
  const std::string servers =
      "[system]\nchassis = \"supermicro-as-4125gs-tnrt\"\ncpu = \"2 x amd-epyc-9354\"\n"
      "memory = \"768 GB\"\ngpu = \"8 x nvidia-h100-pcie-80gb\"\n"
      "drives = \"2 x kioxia-cm7-r-7.68tb\"\nnics = \"1 x nvidia-connectx-7-ndr-400g\"\n" +
      kJob;
  constexpr double kServer = 8800 + 2 * 2100 + 12 * 310 + 8 * 27000 + 2 * 2300 + 1700;
  CHECK(bill(servers).price_USD == kServer);
  const Result result =
      bill("nodes = 4\n" + servers +
           "[data]\nat = \"nas\"\n[store.nas]\nmodel = \"pure-flashblade-s500-10-blades\"\n");
  // Four ports on one switch of 64, a cable each.
  CHECK(result.price_USD == 4 * kServer + 31000 + 4 * 1500 + 200000);
  CHECK(result.without_price == "");
}

TEST_CASE("object stores charge for requests and bytes, by the job") {
  const std::string job =
      "[system]\nchassis = \"dell-r760\"\ncpu = \"2 x intel-xeon-platinum-8460y-plus\"\n"
      "memory = \"512 GB\"\ngpu = \"1 x nvidia-l4\"\ndrives = \"none\"\n"
      "nics = \"1 x intel-x710-10g\"\n" +
      kJob + "[data]\nat = \"s3\"\n[store.s3]\nmodel = \"amazon-s3-100-prefixes\"\n";
  const Result result = bill(job);
  // 147 GB of images at 21.4 USD a TB and month: what lies there, not what it holds.
  const Scenario scenario = parse_scenario(job, "test.toml", own_catalog());
  const auto& data = *scenario.workload.find<ReadsDataset>()->dataset;
  const double stored_TB = data.sample_size.value * static_cast<double>(data.samples) / 1e12;
  CHECK(rent_per_hour(result) == about(stored_TB * 21.4 / 730));
}
