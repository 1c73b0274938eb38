// SPDX-License-Identifier: Apache-2.0
// By what a store is read whose protocol nobody gives.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "reports/writers/json.h"
#include "sim/load/load.h"
#include "sim/load/read/toml_text.h"
#include "sim/load/read/usual_clients.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/approx.h"
#include "tests/support/catalog.h"

using namespace gpufeed;

namespace {

/// Of one GPU that decodes nothing and would take 20,000 samples of 1 MB a second.
std::string job(const std::string& store, const std::string& data = "",
                const char* system = "nvidia-dgx-h100") {
  return fmt::format(
      "title = 't'\nsystem = '{}'\n[workload]\nmodel = 'resnet-50'\nprecision = 'fp16'\n"
      "batch_per_gpu = 64\nsamples = 64000\n[workload.dataset]\ntitle = 'd'\nsource = 's'\n"
      "basis = 'estimate'\nsamples = 1000000\nsample_size = '1 MB'\ndecode_time = '1 us'\n"
      "[loader]\ncache = 'none'\nworkers_per_gpu = 4\n[data]\nat = 'nas'\n{}\n[store.nas]\n{}\n",
      system, data, store);
}

const std::string kFlashBlade = "model = 'pure-flashblade-s500-r2-10-blades'\n";

Scenario read(const std::string& text, const std::vector<std::string>& sets = {}) {
  std::vector<Override> overrides;
  for (const auto& set : sets) overrides.push_back(parse_override(set));
  return parse_scenario(text, "t.toml", own_catalog(), overrides);
}

const Store& nas(const Scenario& scenario) { return scenario.store.find("nas")->second; }

using enum StoreClient::Word;

std::string client(const Scenario& scenario) {
  return nas(scenario).protocol ? nas(scenario).protocol->name : "";
}

bool is_default(const Scenario& scenario, const std::string& value) {
  const DefaultValue one{"store.nas.protocol", '"' + value + '"'};
  return std::ranges::count(scenario.defaults, one) == 1;
}

/// What was computed, without what tells who gave it.
std::string numbers(Result result) {
  result.defaults.clear();
  result.deciding_defaults.clear();
  result.storage.clear();
  result.scenario.clear();
  return to_json(result);
}

std::string storage_of(Scenario scenario) {
  scenario.run.once();
  return simulate(scenario).storage;
}

void check_every_array(const char* system, bool rdma) {
  for (const std::string& name : own_catalog().names(Array::kKind)) {
    CAPTURE(name);
    const Scenario scenario = read(job("model = '" + name + "'\n", "", system));
    const Store& store = nas(scenario);
    const auto clients = usual_clients(*store.model, own_catalog());
    if (clients.empty()) {
      CHECK(scenario.client_of(0) == unknown);
      CHECK_FALSE(store.protocol);
      continue;
    }
    if (!store.protocol) {  // DAOS over TCP: nobody measured it
      CHECK_FALSE(rdma);
      CHECK(scenario.client_of(0) == not_here);
      CHECK(storage_of(scenario).find("; its usual client, daos, does not run here, and none is "
                                      "counted") != std::string::npos);
      CHECK(store.model->protocols == std::vector<std::string>{"daos"});
      continue;
    }
    CHECK(scenario.client_of(0) == usual);
    CHECK(is_default(scenario, store.protocol->name));
    CHECK(std::ranges::count(clients, store.protocol->name) == 1);
    if (rdma) CHECK(store.protocol->name == clients.front());
    if (!rdma) CHECK_FALSE((*store.protocol)->needs_rdma);
  }
}

}  // namespace

TEST_CASE("a store without a protocol is read by the usual client, as a default that is named") {
  const Scenario scenario = read(job(kFlashBlade));
  CHECK(client(scenario) == "nfs-tcp");
  CHECK(is_default(scenario, "nfs-tcp"));
  CHECK(simulate(scenario).storage.find("by nfs-tcp, its usual client") != std::string::npos);
}

TEST_CASE("it computes as where the same protocol is given") {
  const Result left_out = simulate(read(job(kFlashBlade)));
  const Result given = simulate(read(job(kFlashBlade + "protocol = 'nfs-tcp'\n")));
  CHECK(numbers(left_out) == numbers(given));
  CHECK(given.storage.find("usual") == std::string::npos);
  CHECK_FALSE(is_default(read(job(kFlashBlade + "protocol = 'nfs-tcp'\n")), "nfs-tcp"));
}

TEST_CASE("none counts no client, as for a product without a usual one") {
  const std::string no_client = "protocol = 'none'\n";
  const Scenario asked = read(job(kFlashBlade + no_client));
  CHECK(asked.client_of(0) == none);
  CHECK_FALSE(nas(asked).protocol);
  Scenario without = read(job(kFlashBlade));
  without.store["nas"].protocol.reset();
  without.clients.at(0).word = unknown;
  without.data.open_requests.value = asked.data.open_requests.value;
  CHECK(numbers(simulate(asked)) == numbers(simulate(without)));
  const Result free = simulate(asked);
  CHECK(free.storage.find("no client is counted, as asked") != std::string::npos);
  // One connection carries 1.28 GB/s, and the samples are of 1 MB.
  const double bound = simulate(read(job(kFlashBlade))).throughput_samples_per_s;
  CHECK(bound == approx(1280).epsilon(0.02));
  CHECK(free.throughput_samples_per_s > 3 * bound);
  CHECK(client(read(job(kFlashBlade + no_client), {"store.nas.protocol="})) == "nfs-tcp");
  CHECK(read(job(kFlashBlade), {"store.nas.protocol=none"}).client_of(0) == none);
}

TEST_CASE(
    "where the scenario says what opening a file takes, no client is counted, and that is told") {
  const Scenario scenario = read(job(kFlashBlade, "open_time = '1 ms'"));
  CHECK(scenario.client_of(0) == replaced);
  CHECK(storage_of(scenario).find("; opening a file takes what is given, and no client is "
                                  "counted") != std::string::npos);
}

TEST_CASE("a told scenario keeps its client, also that there is none") {
  for (const char* const protocol : {"", "protocol = 'none'\n", "protocol = 'nfs-rdma'\n"}) {
    CAPTURE(protocol);
    const Scenario first = read(job(kFlashBlade + protocol));
    const Scenario again = read(to_toml(first));
    CHECK(client(again) == client(first));
    CHECK((again.client_of(0) == none) == (first.client_of(0) == none));
  }
}

TEST_CASE("a store of one's own numbers has no usual client, unless they say what it speaks") {
  const std::string own =
      "[store.nas.model]\ntitle = 'n'\nsource = 's'\nbasis = 'measured'\ncapacity = '500 TB'\n"
      "read_bandwidth = '3 GB/s'\nread_rate = '1 MIOPS'\nread_latency = '1 ms'\n";
  const Scenario scenario = read(job("") + own);
  CHECK(scenario.client_of(0) == unknown);
  CHECK(simulate(scenario).storage.find("its client is not known") != std::string::npos);
  CHECK(client(read(job("") + own + "protocols = ['smb']\n")) == "smb-3");
}

TEST_CASE("every array of the catalog loads with what is usual, on cards with RDMA and without") {
  check_every_array("nvidia-dgx-h100", true);
  check_every_array("aws-g5.48xlarge", false);
}

TEST_CASE("past host memory it is read by a client over RDMA, or by none that is counted") {
  const std::string past = "path = 'gpudirect'\n";
  for (const std::string& name : own_catalog().names(Array::kKind)) {
    CAPTURE(name);
    const Scenario scenario = read(job("model = '" + name + "'\n", past), {"loader.decode=none"});
    const Store& store = nas(scenario);
    if (store.protocol) CHECK((*store.protocol)->rdma);
  }
  CHECK(client(read(job(kFlashBlade, past), {"loader.decode=none"})) == "nfs-rdma");
}

TEST_CASE("what says itself what opening a file costs keeps its word") {
  const Scenario scenario = read(job(kFlashBlade, "open_requests = 2\n"));
  CHECK(scenario.client_of(0) == replaced);
  CHECK(scenario.data.open_requests.value == 2);
}

TEST_CASE("connections, and keys of a client that nobody names, are of the usual one") {
  const double one = simulate(read(job(kFlashBlade))).throughput_samples_per_s;
  const double two =
      simulate(read(job(kFlashBlade + "connections = 2\n"))).throughput_samples_per_s;
  CHECK(two == approx(2 * one).epsilon(0.03));
  const Scenario faster =
      read(job(kFlashBlade), {"store.nas.protocol.connection_bandwidth=2.56 GB/s"});
  CHECK((*nas(faster).protocol)->connection_bandwidth->value == 2.56e9);
  CHECK((*nas(faster).protocol)->largest_request->value == 1048576);
  CHECK(simulate(faster).throughput_samples_per_s == approx(2 * one).epsilon(0.03));
}

TEST_CASE("the default tells what else reads the same family") {
  const Result result = simulate(read(job(kFlashBlade)));
  const auto found = std::ranges::find(result.deciding_defaults, KeyPath("store.nas.protocol"),
                                       &DecidingDefault::key);
  REQUIRE(found != result.deciding_defaults.end());
  CHECK(found->value == "nfs-tcp");
  const Result other =
      simulate(read(job(kFlashBlade), {"store.nas.protocol=" + found->alternative}));
  CHECK(other.throughput_samples_per_s / result.throughput_samples_per_s - 1 ==
        approx(found->effect).epsilon(0.03));
}

TEST_CASE("a client of which nothing is known about writes limits none") {
  const auto writes = [](const std::string& protocol) {
    return simulate(read("title = 't'\nsystem = 'nvidia-dgx-h100'\n[workload]\nkind = 'io'\n"
                         "[workload.io]\nblock_size = '64 MiB'\njobs = 8\nread_share = '0 %'\n"
                         "[data]\nat = 'nas'\n[store.nas]\nmodel = 'vast-ebox-11-nodes'\n" +
                         protocol))
        .io.at(0)
        .bandwidth_Bps;
  };
  CHECK(writes("") > 0);
  CHECK(writes("") == writes("protocol = 'nfs-tcp'\n"));
}
