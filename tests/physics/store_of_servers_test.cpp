// SPDX-License-Identifier: Apache-2.0
// Stores that are made of servers, from their parts to what a job and its bill see of them.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/load/load.h"
#include "sim/model/purchase/bill_of.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "sim/topology/graph.h"
#include "tests/support/approx.h"
#include "tests/support/catalog.h"
#include "tests/support/evidence.h"
#include "tests/support/refusals.h"

using namespace gpufeed;

namespace {

/// Samples read from a store of so many servers, each ten drives of 6.8 GB/s and a card of two
/// ports of 25 GB/s.
std::string job(const std::string& keys) {
  return "system = \"nvidia-dgx-h100\"\n[workload]\nkind = \"loader\"\nsamples = 2000000\n"
         "[workload.dataset]\ntitle = \"t\"\nsamples = 2000000\nsample_size = \"1 MB\"\n"
         "[data]\nat = \"nas\"\n[loader]\ndecode = \"none\"\ncache = \"none\"\n"
         "workers_per_gpu = 64\n[store.nas]\nserver = { chassis = \"supermicro-as-1115cs-tnr\", "
         "cpu = \"amd-epyc-9354p\", memory = \"384 GB\", "
         "drives = \"10 x micron-7450-pro-7.68tb\", nics = \"nvidia-connectx-7-ndr200-200g\" }\n" +
         keys;
}

Scenario scenario_of(const std::string& keys, const std::vector<std::string>& sets = {}) {
  std::vector<Override> overrides;
  for (const auto& set : sets) overrides.push_back(parse_override(set));
  return parse_scenario(job(keys), "servers.toml", own_catalog(), overrides);
}

const Store& store_in(const Scenario& scenario) { return scenario.store.at(0); }

const std::string kTwelve = "servers = 12\nredundancy = \"8+2\"\n";
constexpr double kCards = 2 * 25e9 * 0.93;  // of one server

double sum_of(const std::vector<BillLine>& bill, std::optional<double> BillLine::*each) {
  double sum = 0;
  for (const auto& line : bill)
    if (!line.store.empty()) sum += (line.*each).value_or(0) * line.count;
  return sum;
}

}  // namespace

TEST_CASE("what drives, cards, cores and code leave becomes the array that a job reads") {
  const Scenario scenario = scenario_of(kTwelve);
  const Array& array = *store_in(scenario).model;
  CHECK(array.capacity.value == about(12 * 10 * 7.68e12 * 8 / 10));
  CHECK(array.read_bandwidth.value == about(12 * kCards));
  CHECK(array.front_end_bandwidth->value == about(12 * kCards));
  CHECK(array.read_rate.value == about(12 * std::min(10 * 1e6, kCards / 4096)));
  CHECK(array.write_bandwidth->value == about(12 * std::min(10 * 5.6e9 / 1.25, kCards / 1.25)));
  CHECK(array.provenance_of("read_bandwidth").basis == Basis::estimate);
  CHECK(store_in(scenario).of_servers->survives == 2);
}

TEST_CASE("a change of a part is a change of the store") {
  const auto read = [](const std::vector<std::string>& sets) {
    return store_in(scenario_of(kTwelve, sets)).of_servers.value();
  };
  const auto slow = read({"store.nas.server.drive[*].model.read_bandwidth=1 GB/s"});
  CHECK(slow.read_Bps == about(12 * 10e9));
  CHECK(slow.read_limit == ServerPart::drives);
  const auto narrow = read({"store.nas.server.nic[*].lanes=4"});
  CHECK(narrow.read_limit == ServerPart::card_slots);
  CHECK(narrow.read_Bps == about(12 * 4 * 3938.5e6 * 0.88));
  const auto fewer = read({"store.nas.servers=10"});
  CHECK(fewer.read_Bps == about(10 * kCards));
  const auto failed = read({"store.nas.failed_servers=2"});
  CHECK(failed.read_Bps == about(10 * kCards));
  CHECK(failed.survives == 0);
  CHECK(failed.small_read_amplification == about(10.0 / 12 + 2 * 8.0 / 12));
}

TEST_CASE("what limits reads is not told of writes, nor the other way round") {
  // One lane of PCIe 4.0 gives 1.73 GB/s, four lanes of a card's PCIe 5.0 give 13.9 GB/s.
  const auto read = [](const std::vector<std::string>& sets) {
    return store_in(scenario_of(kTwelve, sets)).of_servers.value();
  };
  const std::string lane = "store.nas.server.drive[*].lanes=1";
  const auto slow_writes = read({lane, "store.nas.server.drive[*].model.write_bandwidth=1 GB/s"});
  CHECK(slow_writes.read_limit == ServerPart::drive_slots);
  CHECK(slow_writes.write_limit == ServerPart::drives);
  CHECK(slow_writes.write_Bps == about(12 * 10e9 / 1.25));
  const auto slow_reads = read({lane, "store.nas.server.drive[*].model.read_bandwidth=1 GB/s"});
  CHECK(slow_reads.read_limit == ServerPart::drives);
  CHECK(slow_reads.write_limit == ServerPart::drive_slots);

  const std::string lanes = "store.nas.server.nic[*].lanes=4";
  const auto slow_sends = read({lanes, "store.nas.server.nic[*].model.send_bandwidth=2 GB/s"});
  CHECK(slow_sends.read_limit == ServerPart::cards);
  CHECK(slow_sends.write_limit == ServerPart::card_slots);
  const auto slow_receives =
      read({lanes, "store.nas.server.nic[*].model.receive_bandwidth=2 GB/s"});
  CHECK(slow_receives.read_limit == ServerPart::card_slots);
  CHECK(slow_receives.write_limit == ServerPart::cards);
}

TEST_CASE("what of the servers limits a job is named") {
  const auto limit = [](const std::vector<std::string>& sets) {
    const Scenario scenario = scenario_of(kTwelve, sets);
    const Result result = simulate(scenario);
    const Stage* const stage = stage_of(result, LimiterCode::store);
    REQUIRE(stage);
    return stage->limit;
  };
  const auto named = [](StorageLimit what) {
    return fact<LimiterCode::storage_parts>(std::vector{std::string("nas")}, name_of(what));
  };
  CHECK(limit({}) == named(StorageLimit::server_cards));
  CHECK(limit({"store.nas.server.drive[*].model.read_bandwidth=1 GB/s"}) ==
        named(StorageLimit::server_drives));
  CHECK(limit({"store.nas.software=ceph"}) == named(StorageLimit::server_cores));
}

TEST_CASE("a store costs and draws what the parts of its servers do, and one more server its own") {
  const auto bill = bill_of(scenario_of(kTwelve));
  const auto with = [&](const std::string& set) { return bill_of(scenario_of(kTwelve, {set})); };
  // chassis, CPU, twelve modules of 32 GB, ten drives, one card
  const auto price = sum_of(bill, &BillLine::price_USD);
  const auto power = sum_of(bill, &BillLine::power_W);
  for (const int servers : {10, 13}) {
    const auto other = with("store.nas.servers=" + std::to_string(servers));
    CHECK(sum_of(other, &BillLine::price_USD) == about(price * servers / 12));
    CHECK(sum_of(other, &BillLine::power_W) == about(power * servers / 12));
  }
  const auto drives = std::ranges::find_if(
      bill, [](const BillLine& line) { return line.store == "nas" && line.kind == Drive::kKind; });
  REQUIRE(drives != bill.end());
  CHECK(drives->count == 120);
  const auto dearer = with("store.nas.server.drive[*].model.price=2000 USD");
  CHECK(sum_of(dearer, &BillLine::price_USD) == about(price + 120 * (2000 - *drives->price_USD)));
  // One whose price nobody knows is said to be missing, not taken as nothing.
  const Result result =
      simulate(scenario_of(kTwelve, {"store.nas.server.drive[*].model.price=",
                                     "store.nas.server.drive[*].model.price_year="}));
  CHECK(result.without_price.find("120 x ") != std::string::npos);
}

TEST_CASE("without what its software costs a core, a store is outside what is known") {
  const auto warned = [](const std::string& keys) {
    return simulate(scenario_of(kTwelve + keys)).warnings;
  };
  const auto has = [](const auto& warnings, const auto& one) {
    return std::ranges::count(warnings, one) > 0;
  };
  CHECK(has(warned(""), fact<WarningCode::software_of_store_unknown>(std::string("nas"))));
  CHECK(has(warned("software = \"daos\"\n"),
            fact<WarningCode::cores_of_store_unknown>(std::string("nas"), std::string("DAOS"))));
  CHECK_FALSE(has(warned("software = \"ceph\"\n"),
                  fact<WarningCode::software_of_store_unknown>(std::string("nas"))));
}
