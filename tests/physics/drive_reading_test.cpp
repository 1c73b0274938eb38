// SPDX-License-Identifier: Apache-2.0
// Readers of drives: what they wait for, and from how many drives at once.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "sim/model/scenario.h"
#include "tests/support/edits.h"
#include "tests/support/exact_times.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

TEST_CASE("a buffered reader waits once for every window of readahead") {
  Scenario scenario = scenario_of(exact());
  for (const double window : {16384.0, 65536.0, 1e6}) {
    scenario.data.readahead = {window};
    const double waits = std::ceil(1e5 / window);
    CAPTURE(window);
    CHECK(
        first_step(scenario) ==
        approx(32 * (waits * kReadLatency + 1e5 / drive_rate(std::min(window, 1e5)) + kDecodeTime) +
               kCopyAndCompute)
            .epsilon(1e-6));
  }
}

TEST_CASE("a reader with O_DIRECT waits once for every request, a whole sample if it is not told") {
  Scenario scenario = scenario_of(exact());
  scenario.data.mode = ReadMode::direct;
  const auto expected = [](double waits, double request) {
    return approx(32 * (waits * kReadLatency + 1e5 / drive_rate(request) + kDecodeTime) +
                  kCopyAndCompute)
        .epsilon(1e-6);
  };
  CHECK(first_step(scenario) == expected(1, 1e5));
  scenario.data.request = Bytes{4096};
  CHECK(first_step(scenario) == expected(std::ceil(1e5 / 4096), 4096));
}

TEST_CASE("a reader whose memory lies in many pieces waits while the drive looks each up") {
  constexpr double kLookup = 2e-6;
  constexpr double kSample = 131072;
  RandomMachine m = exact();
  m.sample_size = kSample;
  Scenario scenario = scenario_of(m);
  edit(scenario.system, [&](System& system) {
    for (auto& drive : system.drives)
      edit(drive.model, [&](Drive& part) { part.page_time = Seconds{kLookup}; });
  });
  const auto expected = [](double windows, double pieces) {
    const double request = kSample / windows;
    return approx(32 * (windows * kReadLatency + kSample / drive_rate(request) + pieces * kLookup +
                        kDecodeTime) +
                  kCopyAndCompute)
        .epsilon(1e-6);
  };
  scenario.data.mode = ReadMode::direct;
  CHECK(first_step(scenario) == expected(1, kSample / 4096 - 1));
  scenario.data.huge_pages = true;
  CHECK(first_step(scenario) == expected(1, 0));
  // through the page cache: pages of 4 KiB, then of 16, then of 64; no page is larger than a window
  scenario.data.mode = ReadMode::buffered;
  scenario.data.readahead = {kSample};
  CHECK(first_step(scenario) == expected(1, 31));
  scenario.data.readahead = {kSample / 2};
  CHECK(first_step(scenario) == expected(2, 15 + 3));
  scenario.data.readahead = {kSample / 4};
  CHECK(first_step(scenario) == expected(4, 7 + 1));
  // once the cache is full, some of its pages lie behind the one before
  edit(scenario.system, [](System& system) { system.pages_apart = {0.25}; });
  scenario.loader.cache_memory = Bytes{1e6};
  CHECK(first_step(scenario) == expected(4, 0.25 * (7 + 1)));
  scenario.loader.cache_memory = Bytes{1e12};
  CHECK(first_step(scenario) == expected(4, 7 + 1));
}

namespace {

/// Pieces of memory that Linux reads a stretch of a file into, but the first of each read: it takes
/// one window after another, each of pages of 2^order x 4 KiB, as large as fit into it; the order
/// is 0 at first, and goes up by 2 from one window to the next.
double pieces_by_kernel(double stretch, double window) {
  double pieces = 0;
  int order = 0;
  for (double at = 0; at < stretch; at += window, order += 2) {
    const double page = std::min(4096 * std::exp2(order), window);
    pieces += std::ceil(std::min(window, stretch - at) / page) - 1;
  }
  return pieces;
}

}  // namespace

TEST_CASE(
    "a sample read at random out of a record file begins with small pages, a stream has large") {
  constexpr double kLookup = 20e-6;
  constexpr double kSample = 262144;
  constexpr double kSamples = 64;  // of a file
  RandomMachine m = exact();
  m.sample_size = kSample;
  Scenario scenario = scenario_of(m);
  edit(scenario.workload.dataset(),
       [](Dataset& dataset) { dataset.samples_per_file = static_cast<std::int64_t>(kSamples); });
  edit_drives(scenario, [](Drive& drive) { drive.page_time = Seconds{kLookup}; });
  for (const double window : {kSample / 8, kSample / 4, kSample, kSample * 2}) {
    CAPTURE(window);
    scenario.data.readahead = {window};
    const auto expected = [&](double pieces) {
      return approx(32 * (kSample / window * kReadLatency + kSample / drive_rate(window) +
                          pieces * kLookup + kDecodeTime) +
                    kCopyAndCompute)
          .epsilon(1e-6);
    };
    scenario.loader.order = SampleOrder::permutation;
    CHECK(first_step(scenario) == expected(pieces_by_kernel(kSample, window)));
    scenario.loader.order = SampleOrder::shards;
    CHECK(first_step(scenario) ==
          expected(pieces_by_kernel(kSamples * kSample, window) / kSamples));
  }
}

TEST_CASE("record files are read as one stream: a sample waits for its part of a window") {
  Scenario scenario = scenario_of(exact());
  edit(scenario.workload.dataset(), [](Dataset& dataset) { dataset.samples_per_file = 1000; });
  const double waits = 1e5 / 131072;
  CHECK(first_step(scenario) ==
        approx(32 * (waits * kReadLatency + 1e5 / 1e10 + kDecodeTime) + kCopyAndCompute)
            .epsilon(1e-6));
}

TEST_CASE("one stream receives from as many drives as its window has stripe units") {
  RandomMachine m = exact();
  m.drives = 4;
  m.sample_size = 4e6;
  Scenario scenario = scenario_of(m);
  for (const double unit : {1e6, 2e6, 8e6}) {
    edit(scenario.system, [&](System& system) { system.volumes[0].stripe_unit = {unit}; });
    const double drives = std::min(4.0, std::max(1.0, 4e6 / unit));
    CAPTURE(unit);
    CHECK(first_step(scenario) ==
          approx(32 * (kReadLatency + 4e6 / (drives * 1e10) + kDecodeTime) + kCopyAndCompute)
              .epsilon(1e-6));
  }
}

TEST_CASE("a latency-bound loader gains by workers, not by bandwidth") {
  RandomMachine m = ample_machine();
  m.rate[kCompute] = 1e6;
  m.sample_size = 4096;
  m.workers = 2;
  m.batch = 256;
  const double slow = rate_of(scenario_of(m));
  CHECK(slow == approx(2 / (kReadLatency + kDecodeTime)).epsilon(0.02));
  m.rate[kDrive] *= 4;
  m.rate[kDriveLink] *= 4;
  CHECK(rate_of(scenario_of(m)) == approx(slow).epsilon(0.01));
  m.workers = 8;
  CHECK(rate_of(scenario_of(m)) == approx(4 * slow).epsilon(0.02));
}

TEST_CASE("whole files on single drives: the drives of few files wait for one another") {
  RandomMachine m = ample_machine();
  m.drives = 4;
  m.rate[kDrive] = 5e7;
  m.workers = 16;
  Scenario scenario = scenario_of(m);
  CHECK(rate_of(scenario) == approx(1e3).epsilon(0.01));
  edit(scenario.system, [](System& system) { system.volumes[0].layout = Layout::files; });
  CHECK(rate_of(scenario) <= 1e3 * 1.001);
  // Where the drives hold all up, 16 readers keep 4 drives busy for N / (N + D - 1) of the time.
  m.rate[kCompute] = 1e6;
  m.prefetch = 100;  // nobody rests until others have caught up
  scenario = scenario_of(m);
  const double striped = rate_of(scenario);
  CHECK(striped == approx(4 * 5e7 / 1e5).epsilon(0.01));
  edit(scenario.system, [](System& system) { system.volumes[0].layout = Layout::files; });
  CHECK(rate_of(scenario) == approx(striped * 16 / (16 + 4 - 1)).epsilon(0.05));
  // A batch of one file leaves three drives to the other workers.
  m.rate[kDrive] = 2e7;
  m.batch = 1;
  m.workers = 1;
  scenario = scenario_of(m);
  edit(scenario.system, [](System& system) { system.volumes[0].layout = Layout::files; });
  CHECK(rate_of(scenario) == approx(1 / (kReadLatency + 1e5 / 2e7 + kDecodeTime)).epsilon(0.05));
}

// Of a device that serves one request after the other, a request waits for itself and all others
// that are under way: with n readers that read only, n requests of L + n s each; where they do
// something else for Z between two, it meets the others as n - 1 have them.
TEST_CASE(
    "readers of a drive whose roofs slow one another get what its law gives as many requests") {
  constexpr double kWait = 50e-6;
  for (const double service : {15e-6, 100e-6})
    for (const int readers : {1, 2, 4, 8})
      for (const double beside : {1e-6, 60e-6, 300e-6}) {
        CAPTURE(service);
        CAPTURE(readers);
        CAPTURE(beside);
        RandomMachine m = ample_machine();
        m.rate[kCompute] = 1e7;
        m.rate[kDecode] = 1 / beside;
        m.rate[kDriveLink] = 1e12;
        m.sample_size = 16384;
        m.batch = 64;
        m.workers = readers;
        m.prefetch = 8;
        Scenario scenario = scenario_of(m);
        scenario.data.mode = ReadMode::direct;
        edit_drives(scenario, [&](Drive& drive) {
          drive.read_bandwidth = {1e13};
          drive.read_rate = {1 / service};
          drive.read_latency = {kWait};
          drive.request_bandwidth = Bandwidth{1e13};
          drive.largest_request = Bytes{1e9};
          drive.sharpness = Ratio{1};
        });
        const double link = 1e-6;
        double time = 0;
        for (int n = 1; n <= readers; ++n)
          time = kWait + link + service * (1 + (n - 1) * time / (time + beside));
        const double by_law = readers / (time + beside);
        // Readers that would keep it busy without waiting for one another do so in a simulation.
        const bool busy = readers * service > kWait + beside;
        const double rate = rate_of(scenario);
        CHECK(rate >= by_law * 0.93);
        CHECK(rate <= (busy ? std::max(by_law * 1.07, 1 / service) : by_law * 1.07));
      }
}
