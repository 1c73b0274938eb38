// SPDX-License-Identifier: Apache-2.0
// Decoders: what a sample costs, and where.
#include <doctest/doctest.h>

#include <algorithm>

#include "sim/model/scenario.h"
#include "tests/support/edits.h"
#include "tests/support/exact_times.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

TEST_CASE("a decoder costs so much a sample, a byte and a pixel") {
  RandomMachine m = ample_machine();
  m.cores = 2;
  Scenario scenario = scenario_of(m);
  auto decoder = named<Decoder>("jpeg");
  DecodeCost cost;
  cost.per_sample = 1_ms;
  cost.byte_rate = Bandwidth{5e7};
  cost.pixel_rate = Rate{1e8};
  decoder.cost = {cost};
  decode_by(scenario, decoder);
  edit(scenario.workload.dataset(), [](Dataset& dataset) { dataset.pixels = 300000; });
  CHECK(rate_of(scenario) == approx(2 / (1e-3 + 1e5 / 5e7 + 3e5 / 1e8)).epsilon(0.01));
}

TEST_CASE("what was measured on one CPU takes as much longer as a core of another is slower") {
  RandomMachine m = ample_machine();
  m.cores = 2;
  Scenario scenario = scenario_of(m);
  auto measured = named<Cpu>("other");
  measured.core_speed = Ratio{1.2};
  auto decoder = named<Decoder>("jpeg");
  DecodeCost cost;
  cost.per_sample = 5_ms;
  cost.measured_on = ref(measured);
  decoder.cost = {cost};
  decode_by(scenario, decoder);
  CHECK(rate_of(scenario) == approx(2 / 5e-3).epsilon(0.01));  // how fast this one is, is not known
  edit_cpus(scenario, [](Cpu& cpu) { cpu.core_speed = Ratio{0.8}; });
  CHECK(rate_of(scenario) == approx(2 / (5e-3 * 1.2 / 0.8)).epsilon(0.01));
}

TEST_CASE("a decoder that starts while it reads hides the shorter of both") {
  RandomMachine m = exact();
  Scenario scenario = scenario_of(m);
  auto decoder = named<Decoder>("npz");
  decoder.decodes_while_reading = true;
  DecodeCost cost;
  decoder.cost = {cost};
  for (const double decode : {50e-6, 500e-6}) {
    decoder.cost[0].per_sample = {decode};
    decode_by(scenario, decoder);
    CAPTURE(decode);
    CHECK(first_step(scenario) ==
          approx(32 * std::max(kReadLatency + 1e5 / 1e10, decode) + kCopyAndCompute).epsilon(1e-6));
  }
}

TEST_CASE("a direct reader has the whole sample before it decodes, at no buffered reader's rate") {
  RandomMachine m = exact();
  Scenario scenario = scenario_of(m);
  auto decoder = named<Decoder>("npz");
  decoder.decodes_while_reading = true;
  decoder.reader_bandwidth = Bandwidth{1e5 / 8e-3};
  decoder.cost = {DecodeCost{}};
  decoder.cost[0].per_sample = 2_ms;
  decode_by(scenario, decoder);
  const double read = kReadLatency + 1e5 / 1e10;
  CHECK(first_step(scenario) == approx(32 * 8e-3 + kCopyAndCompute).epsilon(1e-6));
  scenario.data.mode = ReadMode::direct;
  CHECK(first_step(scenario) == approx(32 * (read + 2e-3) + kCopyAndCompute).epsilon(1e-6));
  decoder.direct_byte_rate = Bandwidth{1e9};
  decode_by(scenario, decoder);
  CHECK(first_step(scenario) == approx(32 * (read + 1e5 / 1e9) + kCopyAndCompute).epsilon(1e-6));
}

TEST_CASE("a reader that waits between its reads leaves the core to others") {
  RandomMachine m = ample_machine();
  m.cores = 1;
  Scenario scenario = scenario_of(m);
  auto decoder = named<Decoder>("npz");
  decoder.decodes_while_reading = true;
  decoder.reader_bandwidth = Bandwidth{1e5 / 8e-3};
  decoder.cost = {DecodeCost{}};
  decoder.cost[0].per_sample = 2_ms;
  decode_by(scenario, decoder);
  for (const LoaderStyle style : {LoaderStyle::pytorch, LoaderStyle::tensorflow})
    for (const std::int64_t workers : {1, 2, 8}) {  // four keep the core busy
      CAPTURE(name_of(style));
      CAPTURE(workers);
      scenario.loader.style = style;
      scenario.loader.workers_per_gpu = workers;
      const double readers = static_cast<double>(workers) / 8e-3;
      CHECK(rate_of(scenario) == approx(std::min(readers, 1 / 2e-3)).epsilon(0.01));
    }
  // What is not decoded is read as fast as it comes.
  scenario.loader.decode = DecodeOn::none;
  CHECK(rate_of(scenario) == approx(1000).epsilon(0.01));
}

TEST_CASE("decoding on the GPU takes its time there and copies what is stored") {
  RandomMachine m = ample_machine();
  m.cores = 1;
  Scenario scenario = scenario_of(m);
  auto decoder = named<Decoder>("nvjpeg");
  DecodeCost cost;
  cost.gpu = scenario.system->gpus.front().model;
  cost.per_sample = {1e-3};
  decoder.cost = {cost};
  edit(scenario.workload.dataset(), [&](Dataset& dataset) { dataset.decoder = ref(decoder); });
  scenario.loader.decode = DecodeOn::gpu;
  const Result result = simulate(scenario);
  CHECK(steady_of(result) == approx(1 / (1e-3 + 1e-3)).epsilon(0.01));
  const auto copy = std::ranges::find(result.resources, "cpu0 -> gpu0", &ResourceUse::id);
  REQUIRE(copy != result.resources.end());
  CHECK(copy->utilization == approx(500 * 1e5 / 1e11).epsilon(0.01));
}
