// SPDX-License-Identifier: Apache-2.0
#include "sim/model/purchase/bill_of.h"

#include <doctest/doctest.h>

#include <fmt/format.h>

#include <algorithm>

#include "sim/answer/cost.h"
#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "tests/support/catalog.h"

using namespace gpufeed;

namespace {

const std::string kHead =
    "schema = 1\n[workload]\nmodel = \"resnet-50\"\ndataset = \"imagenet-1k\"\n";

// Of the catalog's products only the quoted price counts here; the rest is written out.
constexpr const char* kMachine = R"(
[system]
title = "a machine from parts"
[[system.socket]]
id = "cpu0"
memory = "384 GiB"
[system.socket.model]
title = "a processor"
cores = 16
memory_bandwidth = "100 GB/s"
memory_efficiency = "80 %"
staged_copy_efficiency = "80 %"
price = { value = "1000 USD", source = "a list", basis = "estimate" }
price_year = 2021
power = "150 W"
[system.socket.model.memory]
title = "a module"
channel_bandwidth = "25 GB/s"
modules = ["64 GiB"]
priced_module = "64 GiB"
price = { value = "200 USD", source = "a shop", basis = "datasheet" }
price_year = 2025
power = "5 W"
[[system.gpu]]
id = "gpu0"
board = "k0"
at = "cpu0"
model = "nvidia-k80-die"
[[system.gpu]]
id = "gpu1"
board = "k0"
at = "cpu0"
model = "nvidia-k80-die"
[[system.gpu]]
id = "gpu2"
board = "k1"
at = "cpu0"
model = "nvidia-k80-die"
[[system.nic]]
id = "nic0"
at = "cpu0"
[system.nic.model]
title = "a network card"
link = "pcie-3.0"
lanes = 8
ports = 1
port_bandwidth = "10 Gb/s"
efficiency = "95 %"
[[system.drive]]
id = "ssd0"
at = "cpu0"
model = "sata-ssd-1.92tb"
[[system.drive]]
id = "ssd1"
at = "cpu0"
model = "sata-ssd-1.92tb"
[[system.volume]]
id = "scratch"
drives = ["ssd*"]
)";

constexpr const char* kNetwork = R"(
[fabric.switch]
title = "a switch"
ports = 8
port_bandwidth = "10 Gb/s"
price = "900 USD"
price_year = 2021
power = "70 W"
[fabric.cable]
title = "a cable"
bandwidth = "10 Gb/s"
price = "20 USD"
price_year = 2021
power = "0 W"
[fabric]
)";

const std::string kK80 = "nvidia-k80-die";
const std::string kSata = "sata-ssd-1.92tb";
const std::string kChassis = "chassis";

const PriceList kQuotes{{kK80, {{500}, 2016, {"quotes.csv", 2, 1}}},
                        {kSata, {{300}, 2018, {"quotes.csv", 3, 1}}},
                        {"samsung-pm983-1.92tb", {{450}, 2024, {"quotes.csv", 4, 1}}}};

Scenario scenario_of(const std::string& text, const std::vector<std::string>& sets = {},
                     const PriceList& quotes = kQuotes) {
  std::vector<Override> overrides;
  for (const auto& set : sets) overrides.push_back(parse_override(set));
  return parse_scenario(text, "test.toml", own_catalog().with_prices(quotes), overrides);
}

BillLine line(const std::vector<BillLine>& bill, const std::string& name) {
  const auto found = std::ranges::find(bill, name, &BillLine::name);
  REQUIRE_MESSAGE(found != bill.end(), name);
  return *found;
}

Result cost_of(const Scenario& scenario) {
  Result result;
  answer_cost(scenario, result);
  return result;
}

}  // namespace

TEST_CASE("a machine from parts costs what they cost: boards of GPUs, memory by its bytes") {
  const Scenario scenario = scenario_of(kHead + kMachine);
  const Result result = cost_of(scenario);
  CHECK(line(result.bill, kK80).count == 2);  // three GPUs on two boards of two each
  CHECK(line(result.bill, kK80).power_W == 2 * scenario.system->gpus.front().model->power->value);
  CHECK(line(result.bill, "system.socket[cpu0].model.memory").count == 384.0 / 64);
  CHECK(line(result.bill, kSata).count == 2);
  CHECK(result.price_USD == 1000 + 384.0 / 64 * 200 + 2 * 500 + 2 * 300);
  CHECK(result.oldest_price_year == 2016);
  CHECK(result.newest_price_year == 2025);
  CHECK(result.without_price == "1 x chassis + 1 x system.nic[nic0].model");
  std::vector<std::string> kinds;
  for (const auto& one : result.bill) kinds.push_back(one.kind);
  CHECK(kinds == std::vector<std::string>{"chassis", "cpu", "memory", "gpu", "nic", "drive"});
}

TEST_CASE("a line of the bill says how its price is known") {
  const auto bill = bill_of(scenario_of(kHead + kMachine));
  const BillLine cpu = line(bill, "system.socket[cpu0].model");
  CHECK(cpu.price_basis == "estimate");
  CHECK(cpu.price_source == "a list");
  CHECK(cpu.power_W == 150);
  const BillLine drive = line(bill, kSata);
  CHECK(drive.price_basis == "quoted");
  CHECK(drive.price_source == "quoted to the buyer: quotes.csv:3");
  CHECK(drive.price_year == 2018);
  CHECK(line(bill, kChassis).price_basis == "");
}

TEST_CASE("several machines cost so many times as much, and what joins them") {
  const auto nodes = [&](const std::string& fabric) {
    return cost_of(scenario_of("nodes = 4\n" + kHead + kMachine + kNetwork + fabric));
  };
  const Result one = cost_of(scenario_of(kHead + kMachine));
  const Result joined = nodes("");
  CHECK(joined.price_USD == 4 * *one.price_USD + 900 + 4 * 20);
  CHECK(joined.power_W == 4 * *one.power_W + 70);
  CHECK(line(joined.bill, kK80).count == 8);
  CHECK(joined.without_price == "4 x chassis + 4 x system.nic[nic0].model");
  CHECK(line(joined.bill, "fabric.switch").kind == "network-switch");
  // Three nodes and their three links upward are six ports of eight; a spine takes all six.
  const Result split = nodes("nodes_per_switch = 3\n");
  CHECK(line(split.bill, "fabric.switch").count == 3);
  CHECK(line(split.bill, "fabric.cable").count == 4 + 6);
  const Result narrow = nodes("nodes_per_switch = 3\nuplink_bandwidth = \"10 Gb/s\"\n");
  CHECK(line(narrow.bill, "fabric.cable").count == 4 + 2);
}

TEST_CASE("a network of which the catalog has no switch that fast has no price") {
  std::string fast = kMachine;
  fast.replace(fast.find("10 Gb/s"), 7, "3200 Gb/s");
  const Result result = cost_of(scenario_of("nodes = 4\n" + kHead + fast));
  CHECK(result.without_price.ends_with("1 x leaf or spine switch + 4 x cable"));
}

TEST_CASE("of a network switch and cables the cheapest that are as fast are taken") {
  const Result result = cost_of(scenario_of("nodes = 4\n" + kHead + kMachine));
  CHECK(line(result.bill, "ethernet-10g-48-ports").count == 1);
  CHECK(line(result.bill, "copper-10g").count == 4);
}

TEST_CASE("stores are bought too, their blades in proportion") {
  const std::string store = R"(
[data]
at = "nas"
[store.nas.model]
title = "a store"
capacity = "100 TB"
read_bandwidth = "10 GB/s"
read_rate = "1 M/s"
read_latency = "1 ms"
blades = 10
price = "90000 USD"
price_year = 2020
power = "2 kW"
[store.nas]
)";
  const Result whole = cost_of(scenario_of(kHead + kMachine + store));
  const Result more = cost_of(scenario_of(kHead + kMachine + store + "blades = 15\n"));
  CHECK(line(whole.bill, "store.nas.model").count == 1);
  CHECK(line(more.bill, "store.nas.model").count == 1.5);
  CHECK(*more.price_USD - *whole.price_USD == 0.5 * 90000);
  CHECK(*more.power_W - *whole.power_W == 0.5 * 2000);
}

TEST_CASE("a machine that is sold as one costs and draws what its entry says, not its parts") {
  const std::string sold = std::string(kMachine).replace(
      1, 8, "[system]\nprice = \"5000 USD\"\nprice_year = 2019\npower = \"700 W\"");
  const Result result = cost_of(scenario_of(kHead + sold));
  CHECK(result.price_USD == 5000);
  CHECK(result.newest_price_year == 2019);
  CHECK(result.power_W == 700);
  CHECK(result.without_price == "");
  CHECK(result.without_power == "");
  CHECK(line(result.bill, kSata).price_basis == "included");
  CHECK(line(result.bill, kSata).price_USD == std::nullopt);
  CHECK(result.bill.front().kind == "system");
}

TEST_CASE("with only a power of its own, a machine costs what its parts cost") {
  const std::string powered = std::string(kMachine).replace(1, 8, "[system]\npower = \"700 W\"");
  const Result result = cost_of(scenario_of(kHead + powered));
  CHECK(result.price_USD == cost_of(scenario_of(kHead + kMachine)).price_USD);
  CHECK(result.power_W == 700);
  CHECK(result.without_power == "");
  CHECK(result.bill.front().price_basis == "of its parts");
}

TEST_CASE("parts put into a machine as sold are bought on top, and draw what they draw") {
  const std::string box =
      "schema = 1\nsystem = \"nvidia-dgx1-p100\"\n[workload]\nmodel = \"resnet-50\"\n"
      "dataset = \"imagenet-1k\"\n";
  const std::string swap =
      "[[replace]]\npart = \"ssd*\"\nat = \"cpu1\"\nlanes = 2\nwith = \"samsung-pm983-1.92tb\"\n";
  const Scenario as_sold = scenario_of(box);
  const Result before = cost_of(as_sold);
  const Scenario swapped = scenario_of(box + swap);
  const Result after = cost_of(swapped);
  CHECK(before.bill.front().name == "nvidia-dgx1-p100");
  CHECK(before.price_USD == as_sold.system->price->value);
  CHECK(*after.price_USD - *before.price_USD == 4 * 450);
  CHECK(line(after.bill, "samsung-pm983-1.92tb").count == 4);
  CHECK(line(after.bill, kSata).count == -4);
  CHECK(line(after.bill, kSata).price_basis == "taken out");
  CHECK(after.newest_price_year == 2024);
  const auto power = [](const auto& drives) {
    const auto& one = drives.front().model->power;
    return one ? 4 * one->value : 0;
  };
  CHECK(*after.power_W ==
        *before.power_W + power(swapped.system->drives) - power(as_sold.system->drives));
  // The catalog does not say what the old drives draw: the system's 3.2 kW still have it in them.
  CHECK(after.without_power == "");
  CHECK(after.removed_power == fmt::format("4 x {} taken out", kSata));
}

TEST_CASE("--set changes the parts of a machine as sold, too; keys that are no parts do not") {
  const std::string box =
      "schema = 1\nsystem = \"nvidia-dgx1-p100\"\n[workload]\nmodel = \"resnet-50\"\n"
      "dataset = \"imagenet-1k\"\n";
  const Result sold = cost_of(scenario_of(box));
  CHECK(cost_of(scenario_of(box, {"system.reserved_memory=16 GiB"})).price_USD == sold.price_USD);
  const Result set =
      cost_of(scenario_of(box, {"system.drive[*].model=samsung-pm983-1.92tb",
                                "system.drive[*].at=cpu1", "system.drive[*].lanes=2"}));
  CHECK(*set.price_USD - *sold.price_USD == 4 * 450);
}

TEST_CASE("where nothing is known, there is no price, and not the price 0") {
  const std::string bare = R"(
[system]
title = "a machine of unknown parts"
[[system.socket]]
id = "cpu0"
memory = "512 GiB"
[system.socket.model]
title = "a processor"
cores = 16
memory_bandwidth = "100 GB/s"
memory_efficiency = "80 %"
staged_copy_efficiency = "80 %"
)";
  const std::string loader =
      "schema = 1\n[workload]\nkind = \"loader\"\ndataset = \"imagenet-1k\"\nglobal_batch = 64\n";
  const Result result = cost_of(scenario_of(loader + bare + R"(
[[system.drive]]
id = "ssd0"
at = "cpu0"
[system.drive.model]
title = "a drive"
capacity = "1 TB"
read_bandwidth = "1 GB/s"
write_bandwidth = "1 GB/s"
read_rate = "100 k/s"
read_latency = "100 us"
[data]
at = "ssd0"
)"));
  CHECK(result.price_USD == std::nullopt);
  CHECK(result.oldest_price_year == std::nullopt);
  CHECK(result.power_W == std::nullopt);
  CHECK(result.without_price ==
        "1 x chassis + 1 x system.socket[cpu0].model + 512 GiB of memory + "
        "1 x system.drive[ssd0].model");
  CHECK(result.without_power == result.without_price);
}

TEST_CASE("a machine of a chassis costs the chassis and its parts; its switches are in it") {
  const auto bill = bill_of(
      parse_scenario(kHead + "[system]\nchassis = \"nvidia-dgx-h200\"\n", "a.toml", own_catalog()));
  const auto line = [&](std::string_view kind) {
    return *std::ranges::find(bill, kind, &BillLine::kind);
  };
  CHECK(line("chassis").name == "nvidia-dgx-h200");
  CHECK(line("chassis").count == 1);
  CHECK(line("chassis").price_USD.has_value());
  CHECK(line("switch").count == 8);
  CHECK_FALSE(line("switch").price_USD.has_value());
  CHECK(line("memory").count == 32);  // 2 TB in modules of 64 GiB, as they are priced
  CHECK(line("gpu").count == 8);
}
