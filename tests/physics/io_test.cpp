// SPDX-License-Identifier: Apache-2.0
// What fio would report of drives and volumes, one limit at a time, against its formula.
#include <doctest/doctest.h>

#include <cmath>

#include "sim/model/scenario.h"
#include "tests/support/checks.h"
#include "tests/support/edits.h"
#include "tests/support/io_box.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

TEST_CASE("with one request under way, Little's law gives one per latency") {
  const double one = kLatency + kBlock / kOneRequest;
  const Result result = simulate(io_on({}, job(kBlock, 1)));
  CHECK(result.io.at(0).iops == about(1 / one));
  CHECK(result.io.at(0).bandwidth_Bps == about(kBlock / one));
  CHECK(result.io.at(0).latency_mean_s == about(one));
  CHECK(iops({}, job(kBlock, 1, 1, 0)) == about(1 / (kWriteLatency + kBlock / kOneRequest)));
}

TEST_CASE("requests under way are those of all jobs, spread over the drives") {
  const double one = kLatency + kBlock / kOneRequest;
  CHECK(iops({}, job(kBlock, 8, 3)) == about(24 / one));
  CHECK(iops({.drives = 4}, job(kBlock, 8, 3)) == about(24 / one));
}

TEST_CASE("many small requests run at the drives' requests per second") {
  Box box{.drives = 3};
  box.drive.read_rate = Rate{1e4};
  const Result result = simulate(io_on(box, job(kBlock, 3000, 1)));
  CHECK(result.io.at(0).iops == about(3 * 1e4));
  CHECK(result.io.at(0).latency_mean_s == about(3000 / (3 * 1e4)));
}

TEST_CASE("many large requests run at the drives' bandwidth") {
  Box box{.drives = 3};
  box.drive.read_bandwidth = 1_GBps;
  CHECK(bandwidth(box, job(1 << 20, 30000, 1)) == about(3e9));
}

TEST_CASE("where two roofs meet, a drive attains 2^(-1/4) of each") {
  Box box;
  box.drive.read_bandwidth = Bandwidth{kBlock * 1e4};
  box.drive.read_rate = Rate{1e4};
  CHECK(iops(box, job(kBlock, 100000)) == about(1e4 * std::pow(2, -0.25)));
}

TEST_CASE("reads and writes share the time of a drive") {
  Box box;
  box.drive.read_rate = Rate{3e4};
  box.drive.write_rate = Rate{1e4};
  const Result result = simulate(io_on(box, job(kBlock, 100000, 1, 0.7)));
  const double all = 1 / (0.7 / 3e4 + 0.3 / 1e4);
  REQUIRE(result.io.size() == 3);
  CHECK(result.io[0].iops == about(0.7 * all));
  CHECK(result.io[1].iops == about(0.3 * all));
  CHECK(result.io[2].iops == about(all));
  CHECK(result.io[2].latency_mean_s == about(100000 / all));
  CHECK(std::isinf(result.io[0].latency_mean_s));  // only the mean of both is known
}

TEST_CASE("every layout writes what its redundancy asks for") {
  struct Case {
    Layout layout;
    int drives;
    double writes;  ///< of a drive, for each small one of the user
    double reads;
  };
  const double w = 1e4;
  const double r = 3e4;
  for (const auto& [layout, drives, writes, reads] :
       {Case{Layout::raid0, 4, 1, 0}, Case{Layout::files, 4, 1, 0}, Case{Layout::raid1, 4, 4, 0},
        Case{Layout::raid10, 4, 2, 0}, Case{Layout::raid5, 4, 2, 2},
        Case{Layout::raid6, 6, 3, 3}}) {
    Box box{.drives = drives, .layout = layout};
    box.drive.write_rate = Rate{w};
    box.drive.read_rate = Rate{r};
    const auto name = name_of(layout);
    CAPTURE(name);
    CHECK(iops(box, job(kBlock, 1000000, 1, 0)) == about(drives / (writes / w + reads / r)));
    CHECK(iops(box, job(kBlock, 1000000)) == about(drives * r));
  }
}

TEST_CASE("a full stripe writes its parity without reading first") {
  Box box{.drives = 5, .layout = Layout::raid5};
  box.drive.write_bandwidth = 1_GBps;
  CHECK(bandwidth(box, job(4 * kUnit, 100000, 1, 0)) == about(5e9 * 4 / 5));
  box.layout = Layout::raid6;
  CHECK(bandwidth(box, job(3 * kUnit, 100000, 1, 0)) == about(5e9 * 3 / 5));
}

TEST_CASE("one small write to RAID 5 waits for its reads, then for its writes") {
  const Box box{.drives = 4, .layout = Layout::raid5};
  const double both = kLatency + kWriteLatency + 2 * kBlock / kOneRequest;
  CHECK(iops(box, job(kBlock, 1, 1, 0)) == about(1 / both));
  const double mean = 0.5 * (kLatency + kBlock / kOneRequest) + 0.5 * both;
  CHECK(iops(box, job(kBlock, 6, 1, 0.5)) == about(6 / mean));
}

TEST_CASE("a request larger than the stripe unit is read from several drives at once") {
  const Box box{.drives = 4};
  CHECK(iops(box, job(kUnit, 1)) == about(1 / (kLatency + kUnit / kOneRequest)));
  CHECK(iops(box, job(3 * kUnit, 1)) == about(1 / (kLatency + kUnit / kOneRequest)));
  const Box whole{.drives = 4, .layout = Layout::files};
  CHECK(iops(whole, job(3 * kUnit, 1)) == about(1 / (kLatency + 3 * kUnit / kOneRequest)));
}

TEST_CASE("small sequential requests keep only the drives of their stripe units busy") {
  Box box{.drives = 4};
  box.drive.read_rate = Rate{1e4};
  IoJob io = job(kBlock, 128);  // 512 KiB in a row: one unit
  io.pattern = AccessPattern::sequential;
  box.drive.read_latency = 1_us;
  const double one = iops(box, io);
  CHECK(one == approx(1e4).epsilon(1e-3));  // Little's law allows 25 times as much
  io.queue_depth = 256;
  CHECK(iops(box, io) == approx(2e4).epsilon(1e-3));
  io.jobs = 2;
  CHECK(iops(box, io) == approx(4e4).epsilon(1e-3));
  io.pattern = AccessPattern::random;
  io.queue_depth = 128;
  io.jobs = 1;
  CHECK(iops(box, io) == approx(4e4).epsilon(1e-3));
}

TEST_CASE("a disk seeks between random requests and not within one sequential stream") {
  Box box;
  box.drive.medium = Medium::disk;
  box.drive.read_bandwidth = 200_MBps;
  box.drive.read_rate = Rate{200};
  IoJob io = job(1 << 20, 1000000);
  CHECK(bandwidth(box, io) == approx(1 / (1 / 200e6 + 1 / (200.0 * (1 << 20)))).epsilon(1e-3));
  io.pattern = AccessPattern::sequential;
  io.queue_depth = 1;
  CHECK(bandwidth(box, io) == about(200e6));
}

TEST_CASE("without O_DIRECT a sequential job has one window of readahead under way") {
  Box box;
  IoJob io = job(kBlock, 32);
  io.direct = false;
  io.pattern = AccessPattern::sequential;
  const double window = 131072;
  const Result result = simulate(io_on(box, io));
  const double rate = window / (kLatency + window / kOneRequest);
  CHECK(result.io.at(0).bandwidth_Bps == about(rate));
  CHECK(result.io.at(0).iops == about(rate / kBlock));
  CHECK(result.warnings.size() == 1);  // queue_depth has no effect
  io.pattern = AccessPattern::random;
  CHECK(iops(box, io) == about(1 / (kLatency + kBlock / kOneRequest)));
}

TEST_CASE("without O_DIRECT writes return at once, and full stripes reach the drives") {
  Box box{.drives = 5, .layout = Layout::raid5};
  box.drive.write_bandwidth = 1_GBps;
  IoJob io = job(kBlock, 1, 1, 0);
  io.direct = false;
  io.pattern = AccessPattern::sequential;
  CHECK(bandwidth(box, io) == about(5e9 * 4 / 5));
}

TEST_CASE("a slow drive holds a striped volume back, but not whole files on other drives") {
  Box box{.drives = 2, .layout = Layout::raid0};
  box.drive.read_bandwidth = 1_GBps;
  for (const bool striped : {true, false}) {
    box.layout = striped ? Layout::raid0 : Layout::files;
    Scenario scenario = io_on(box, job(1 << 20, 100000));
    edit(scenario.system, [](System& system) {
      edit(system.drives[1].model, [](Drive& slow) { slow.read_bandwidth = 250_MBps; });
    });
    CHECK(simulate(scenario).io.at(0).bandwidth_Bps == about(striped ? 0.5e9 : 1.25e9));
  }
}

TEST_CASE("a drive lasts its endurance over the rate at which it is written, copies included") {
  Box box{.drives = 4, .layout = Layout::raid10};
  box.drive.write_bandwidth = 1_GBps;
  box.drive.endurance = 1_PB;
  const Result result = simulate(io_on(box, job(1 << 20, 100000, 1, 0)));
  CHECK(result.io.at(0).bandwidth_Bps == about(2e9));
  CHECK(result.io.at(0).drive_lifetime_s == about(1e15 / 1e9));
  CHECK(std::isinf(simulate(io_on(box, job(1 << 20, 100000))).io.at(0).drive_lifetime_s));
}
