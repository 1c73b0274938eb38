// SPDX-License-Identifier: Apache-2.0
// One store over several network cards: what leads to it is used, and alike.
#include <doctest/doctest.h>

#include "sim/simulate.h"
#include "tests/support/approx.h"
#include "tests/support/catalog.h"

using namespace gpufeed;

namespace {

constexpr double kCard = 10e9 / 8;

/// Two sockets, and so many cards of 10 Gb/s, half of them on each, to a store that is never full.
std::string machine(int cards) {
  std::string text =
      "title = \"t\"\n[system]\ntitle = \"s\"\nsource = \"t\"\nbasis = \"estimate\"\nsocket = [{ "
      "id = "
      "\"cpu0\", model = \"amd-epyc-9554\", memory = \"256 GB\" }, { id = \"cpu1\", model = "
      "\"amd-epyc-9554\", memory = \"256 GB\" }]\nsocket_link = [{ between = [\"cpu0\", \"cpu1\"], "
      "link = "
      "\"xgmi-32\", count = 4 }]\n";
  for (int i = 0; i < cards; ++i)
    text += "[[system.nic]]\nid = \"net" + std::to_string(i) + "\"\nat = \"cpu" +
            std::to_string(2 * i / cards) +
            "\"\nmodel = { title = \"card\", source = \"t\", basis = \"estimate\", link = "
            "\"pcie-4.0\", lanes "
            "= 16, ports = 1, port_bandwidth = \"10 Gb/s\", efficiency = \"100 %\" }\n";
  return text +
         "[store.fs.model]\ntitle = \"fs\"\ncapacity = \"500 TB\"\nread_bandwidth = \"500 "
         "GB/s\"\nread_rate "
         "= \"9000000 /s\"\nread_latency = \"100 us\"\n[data]\nat = \"fs\"\n";
}

double loaders_Bps(int cards, int loaders) {
  const std::string text =
      machine(cards) + "[workload]\nkind = \"loader\"\nbatch_per_gpu = 8\nepochs = 1\ngpus = " +
      std::to_string(loaders) +
      "\n[workload.dataset]\ntitle = \"files\"\nsamples = 30_000\nsample_size = \"10 "
      "MB\"\n[loader]\n"
      "decode = \"none\"\nworkers_per_gpu = 8\nworker_start = \"0 s\"\ncache = \"none\"\n[run]\n"
      "range_samples = 0\n";
  return simulate(parse_scenario(text, "t.toml", own_catalog())).throughput_samples_per_s * 10e6;
}

double jobs_Bps(int cards, int jobs) {
  const std::string text =
      machine(cards) +
      "[workload]\nkind = \"io\"\n[workload.io]\nblock_size = \"4 MiB\"\nqueue_depth = "
      "256\npattern = \"sequential\"\njobs = " +
      std::to_string(jobs) + "\n";
  return simulate(parse_scenario(text, "t.toml", own_catalog())).io.at(0).bandwidth_Bps;
}

}  // namespace

TEST_CASE("loaders read a store over every card that leads to it, however many there are") {
  for (const int cards : {1, 2, 4})
    for (const int loaders : {1, 2, 3, 4, 5}) {
      CAPTURE(cards);
      CAPTURE(loaders);
      CHECK(loaders_Bps(cards, loaders) == doctest::Approx(cards * kCard).epsilon(0.03));
    }
}

TEST_CASE("so do jobs of io") {
  for (const int cards : {1, 2, 4})
    for (const int jobs : {1, 2, 3, 4, 5}) {
      CAPTURE(cards);
      CAPTURE(jobs);
      CHECK(jobs_Bps(cards, jobs) == approx(cards * kCard));
    }
}
