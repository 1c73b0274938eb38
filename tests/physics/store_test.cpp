// SPDX-License-Identifier: Apache-2.0
// Stores, and the protocols and connections by which they are read.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "sim/model/scenario.h"
#include "sim/plan/make/make_plan.h"
#include "tests/support/edits.h"
#include "tests/support/exact_times.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

namespace {

Protocol protocol(std::string name) { return named<Protocol>(std::move(name)); }

}  // namespace

TEST_CASE("blades add bandwidth up to the front end, and others leave what they do not use") {
  RandomMachine m = ample_machine();
  m.store = true;
  Scenario scenario = scenario_of(m);
  const auto with = [&](std::int64_t blades, double other_load) {
    Store& store = scenario.store["nas"];
    edit(store.model, [](Array& array) {
      array.read_bandwidth = {3e7};
      array.blades = 3;
      array.front_end_bandwidth = Bandwidth{5e7};
    });
    store.blades = blades;
    store.other_load = {other_load};
    return rate_of(scenario);
  };
  CHECK(with(2, 0) == approx(2e7 / 1e5).epsilon(0.01));
  CHECK(with(4, 0) == approx(4e7 / 1e5).epsilon(0.01));
  CHECK(with(9, 0) == approx(5e7 / 1e5).epsilon(0.01));
  CHECK(with(9, 0.5) == approx(2.5e7 / 1e5).epsilon(0.01));
}

TEST_CASE("many small files are limited by how many can be opened, record files are not") {
  RandomMachine m = ample_machine();
  m.store = true;
  Scenario scenario = scenario_of(m);
  edit(scenario.store["nas"].model, [](Array& array) { array.metadata_rate = Rate{200}; });
  CHECK(rate_of(scenario) == approx(200).epsilon(0.01));
  edit(scenario.workload.dataset(), [](Dataset& dataset) { dataset.samples_per_file = 1000; });
  CHECK(rate_of(scenario) == approx(1e3).epsilon(0.01));
}

TEST_CASE("a machine's connections carry what they carry, and more of them more") {
  RandomMachine m = ample_machine();
  m.rate[kDecode] = 1e5;
  m.store = true;
  Scenario scenario = scenario_of(m);
  auto nfs = protocol("nfs");
  nfs.connection_bandwidth = Bandwidth{2e7};
  scenario.store["nas"].protocol = ref(nfs);
  CHECK(rate_of(scenario) == approx(2e7 / 1e5).epsilon(0.01));
  scenario.store["nas"].connections = 3;
  CHECK(rate_of(scenario) == approx(3 * 2e7 / 1e5).epsilon(0.01));
}

TEST_CASE("two readers share a busy store by chance, the unlucky one holds up the step") {
  RandomMachine m = exact();
  m.gpus = 2;
  m.store = true;
  m.rate[kArray] = 1e8;
  Scenario scenario = scenario_of(m);
  auto uneven = protocol("uneven");
  uneven.share_deviation = {0.3};
  scenario.store["nas"].protocol = ref(uneven);
  edit(scenario.store["nas"].model, [](Array& array) { array.read_latency = {}; });
  for (const std::int64_t seed : {1, 2, 3, 4, 5}) {
    scenario.run.seed = seed;
    const Plan plan = make_plan(scenario);
    const double one = plan.gpus[0].share.value(), other = plan.gpus[1].share.value();
    const double least = std::min(one, other) / (one + other);
    CAPTURE(least);
    CHECK(first_step(scenario) ==
          approx(32 * 1e5 / (1e8 * least) + kCopyAndCompute).epsilon(0.005));
  }
}

TEST_CASE("a client takes cores for every byte and every request") {
  RandomMachine m = ample_machine();
  m.store = true;
  m.cores = 2;
  m.workers = 8;
  Scenario scenario = scenario_of(m);
  auto tcp = protocol("tcp");
  const auto check = [&](double client) {
    scenario.store["nas"].protocol = ref(tcp);
    CHECK(rate_of(scenario) == approx(2 / (client + kDecodeTime)).epsilon(0.01));
  };
  tcp.core_bandwidth = Bandwidth{2e7};
  check(1e5 / 2e7);
  tcp.request_core_time = 2_ms;
  tcp.open_requests = 0;
  check(1e5 / 2e7 + 2e-3);
  tcp.largest_request = 25_kB;
  check(1e5 / 2e7 + 4 * 2e-3);
  tcp.open_requests = 3;
  check(1e5 / 2e7 + (4 + 2 * 3) * 2e-3);
  tcp.core_bandwidth.reset();
  check((4 + 2 * 3) * 2e-3);
}

TEST_CASE("the client's work goes on beside a decoder that starts while it reads") {
  RandomMachine m = exact();
  m.store = true;
  Scenario scenario = scenario_of(m);
  auto decoder = named<Decoder>("npz");
  decoder.decodes_while_reading = true;
  decoder.cost = {DecodeCost{}};
  decoder.cost[0].per_sample = 1_ms;
  decode_by(scenario, decoder);
  // It reads at the decoder's pace even where the copy out of the page cache is slow: that is part
  // of the decoder's own rate.
  edit_cpus(scenario, [](Cpu& cpu) { cpu.core_copy_bandwidth = Bandwidth{5e7}; });
  for (const double client : {2e8, 5e7}) {
    CAPTURE(client);
    auto tcp = protocol("tcp");
    tcp.core_bandwidth = Bandwidth{client};
    scenario.store["nas"].protocol = ref(tcp);
    CHECK(first_step(scenario) ==
          approx(32 * std::max(1e-3, 1e5 / client) + kCopyAndCompute).epsilon(0.02));
  }
}

TEST_CASE("a protocol adds its latency, an opening and its largest request") {
  RandomMachine m = exact();
  m.store = true;
  Scenario scenario = scenario_of(m);
  auto s3 = protocol("s3");
  s3.request_latency = 10_ms;
  s3.largest_request = 40_kB;
  scenario.store["nas"].protocol = ref(s3);
  const double latency = 1e-3 + 10e-3 + 2e-6;  // array, protocol, NIC's link
  const double waits = std::ceil(1e5 / 4e4) + 1;
  CHECK(first_step(scenario) ==
        approx(32 * (waits * latency + 1e5 / 1e11 + kDecodeTime) + kCopyAndCompute).epsilon(0.001));
}

TEST_CASE("a file on few storage targets is read at what they give") {
  RandomMachine m = exact();
  m.store = true;
  Scenario scenario = scenario_of(m);
  edit(scenario.store["nas"].model, [](Array& array) { array.stripe_bandwidth = Bandwidth{1e6}; });
  scenario.store["nas"].stripes = 2;
  CHECK(first_step(scenario) == approx(32 * 1e5 / 2e6).epsilon(0.03));
}
