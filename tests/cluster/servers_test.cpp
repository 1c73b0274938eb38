// SPDX-License-Identifier: Apache-2.0
// Stores that are made of servers, in files of shared clusters.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "sim/base/diagnostics.h"
#include "sim/cluster/answer.h"
#include "sim/load/cluster/document.h"
#include "sim/model/scenario.h"
#include "tests/support/approx.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"

using namespace gpufeed;

namespace {

const std::string kServers =
    "servers = 12\nredundancy = '8+2'\nsoftware = 'ceph'\nserver = { chassis = "
    "'supermicro-as-1115cs-tnr', cpu = 'amd-epyc-9354p', memory = '384 GB', drives = "
    "'10 x micron-7450-pro-7.68tb', nics = 'nvidia-connectx-7-ndr200-200g' }\n";

cluster::Document cluster_of(const std::string& store) {
  return parse_cluster(
      "[workload]\nkind = 'cluster'\n[store.nas]\n" + store +
          "[[cluster.nodes]]\ncount = 4\ngpus = 8\n"
          "[[cluster.job]]\narrival = '0 s'\ngpus = 32\nwork = '1 h'\nio = '200 GB/s'\n",
      "a.toml", own_catalog());
}

/// What the same keys give a scenario.
StoreOfServers in_scenario(const std::string& store) {
  return *parse_scenario(
              "system = 'nvidia-dgx-h100'\n[workload]\nkind = 'loader'\n"
              "dataset = 'imagenet-1k'\n[data]\nat = 'nas'\n[store.nas]\n" +
                  store,
              "s.toml", own_catalog(), {})
              .store.at(0)
              .of_servers;
}

std::string told(const std::string& store) {
  return refusal_of([&] { cluster_of(store); });
}

}  // namespace

TEST_CASE("a cluster reads a store of servers as fast as a scenario does, failed ones or not") {
  for (const char* failed : {"", "failed_servers = 1\n"}) {
    const std::string store = kServers + failed;
    const double reads = in_scenario(store).read_Bps;
    const cluster::Document document = cluster_of(store);
    CHECK(document.stores.at(0).bandwidth->value == about(reads));
    const auto of_servers = cluster::answer_of(document);
    const auto of_rate =
        cluster::answer_of(cluster_of(fmt::format("bandwidth = '{} B/s'\n", reads)));
    REQUIRE(of_servers.stores.size() == 1);
    CHECK(of_servers.stores[0].bandwidth_Bps == about(reads));
    CHECK(*of_servers.jobs[0].end_s == about(*of_rate.jobs[0].end_s));
    // As it is written again: by what it reads, for a server of it has no name.
    const auto again = parse_cluster(to_toml(document), "b.toml", own_catalog());
    CHECK(again.stores.at(0).bandwidth->value == about(reads));
  }
}

TEST_CASE("what is refused of servers in a scenario is refused in a cluster, at its key") {
  CHECK(told(kServers) == "accepted");
  CHECK(told(kServers + "failed_servers = 2\n").starts_with("a.toml:8:1: "));
  CHECK(told("failed_servers = 2\n" + kServers).starts_with("a.toml:4:1: "));
  CHECK(told(kServers + "failed_servers = 2\n").find("(min_size)") != std::string::npos);
  CHECK(told(kServers + "failed_servers = 6\n").find("too many chunks are lost") !=
        std::string::npos);
  CHECK(told(kServers + "model = 'vast-ceres-8-cnodes'\n").find("is given, and servers, too") !=
        std::string::npos);
  CHECK(told(kServers + "bandwidth = '1 GB/s'\n").find("is given, and servers, too") !=
        std::string::npos);
  CHECK(
      told("model = 'vast-ceres-8-cnodes'\nencrypted = true\n").find("is for stores of servers") !=
      std::string::npos);
  CHECK(told("servers = 12\n").find("\"server\" is missing") != std::string::npos);
}
