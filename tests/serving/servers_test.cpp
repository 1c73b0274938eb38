// SPDX-License-Identifier: Apache-2.0
// KV caches on a store that is made of servers.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "sim/serving/purchase.h"
#include "tests/serving/engine.h"
#include "tests/support/approx.h"
#include "tests/support/refusals.h"

namespace gpufeed::serving {
namespace {

const std::string kServers =
    "servers = 12\nredundancy = '8+2'\nsoftware = 'ceph'\nserver = { chassis = "
    "'supermicro-as-1115cs-tnr', cpu = 'amd-epyc-9354p', memory = '384 GB', drives = "
    "'10 x micron-7450-pro-7.68tb', nics = 'nvidia-connectx-7-ndr200-200g' }\n";

Document engine(const std::string& store) {
  return engine_of(file_of("llama-3.1-8b", kH100,
                           "rate = '2 requests/s'\nprompt = 8192\nanswer = 64\nprompts = 100\n"
                           "count = 200\n",
                           "[[serving.tier]]\nat = 'nas'\nblock = 512\n[store.nas]\n" + store));
}

std::string told(const std::string& store) {
  return refusal_of([&] { engine(store); });
}

}  // namespace

TEST_CASE("KV caches on a store of servers are answered as on one of the same figures") {
  const Document of_servers = engine(kServers);
  const auto& store = of_servers.stores.at(0);
  REQUIRE(store.of_servers);
  const Array& array = **store.model;
  const Document of_rates = engine(fmt::format(
      "bandwidth = '{} B/s'\nwrite_bandwidth = '{} B/s'\nlatency = '{} s'\ncapacity = '{} B'\n",
      array.read_bandwidth.value, array.write_bandwidth->value, array.read_latency.value,
      array.capacity.value));
  const Answer one = answer_of(of_servers), other = answer_of(of_rates);
  CHECK(one.duration_s == about(other.duration_s));
  CHECK(one.computed_tokens == about(other.computed_tokens));
  CHECK(store.of_servers->read_Bps == about(array.read_bandwidth.value));
}

TEST_CASE("a store of servers costs what its servers do") {
  const Machines twelve = machines_of(engine(kServers));
  const auto fourteen = [](std::string text) {
    return machines_of(engine(text.replace(text.find("12"), 2, "14")));
  }(kServers);
  const Machines none = machines_of(engine("bandwidth = '1 GB/s'\ncapacity = '1 PB'\n"));
  REQUIRE(twelve.price_USD);
  const double servers = *twelve.price_USD - none.price_USD.value_or(0);
  CHECK(servers > 12 * 10000);
  CHECK(*fourteen.price_USD - none.price_USD.value_or(0) == about(servers * 14 / 12));
}

TEST_CASE("what is refused of servers in a scenario is refused where a model is served") {
  CHECK(told(kServers) == "accepted");
  CHECK(told(kServers + "failed_servers = 2\n").find("(min_size)") != std::string::npos);
  CHECK(told(kServers + "model = 'vast-ceres-8-cnodes'\n").find("is given, and servers, too") !=
        std::string::npos);
  CHECK(told("servers = 12\n").find("\"server\" is missing") != std::string::npos);
  // 17 lines before the store's
  CHECK(told(kServers + "failed_servers = 2\n").starts_with("serving.toml:22:1: "));
  CHECK(told("failed_servers = 2\n" + kServers).starts_with("serving.toml:18:1: "));
  std::string half = kServers;
  half.replace(half.find("8+2"), 3, "8+8").replace(half.find("ceph"), 4, "minio");
  half.replace(half.find("12"), 2, "16");
  CHECK(told(half + "failed_servers = 7\n") == "accepted");
  CHECK(told(half + "failed_servers = 8\n").find("take no writes") != std::string::npos);
}

}  // namespace gpufeed::serving
