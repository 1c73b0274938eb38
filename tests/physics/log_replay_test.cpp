// SPDX-License-Identifier: Apache-2.0
// Replays of access logs, each against its formula.
#include <doctest/doctest.h>

#include "sim/kinds/io/block_cache.h"
#include "sim/kinds/io/log_pieces.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/approx.h"
#include "tests/support/evidence.h"
#include "tests/support/kinds.h"
#include "tests/support/systems.h"

using namespace gpufeed;
using namespace gpufeed::systems;  // NOLINT: the vocabulary of this file

namespace {

constexpr double kPlenty = 1e13;
constexpr double kLatency = 100e-6;
constexpr double kWriteLatency = 20e-6;
constexpr double kRead = 1e9;
constexpr double kWrite = 5e8;
constexpr double kCopy = 1e10;  ///< at which a core copies

/// "cpu0" with drives "ssd0"... of volume "data".
Scenario box(int drives, Layout layout, std::vector<AccessRequest> requests, bool direct = true) {
  auto system = named<System>("box");
  auto model = *cpu(Bandwidth{kPlenty});
  model.core_copy_bandwidth = Bandwidth{kCopy};
  add_socket(system, "cpu0", ref(std::move(model)));
  auto product = plugged<Drive>("drive", link(Bandwidth{kPlenty}), 1);
  product.capacity = 2_TB;
  product.read_bandwidth = Bandwidth{kRead};
  product.write_bandwidth = Bandwidth{kWrite};
  product.read_rate = Rate{1e12};
  product.read_latency = Seconds{kLatency};
  product.write_latency = Seconds{kWriteLatency};
  product.largest_request = 1_GB;
  const auto shared = ref(std::move(product));
  Volume volume;
  volume.id = Label("data");
  volume.layout = layout;
  for (int i = 0; i < drives; ++i) {
    add_device(system.drives, fmt::format("ssd{}", i), "cpu0", shared);
    volume.drives.push_back({Label(fmt::format("ssd{}", i)), {}});
  }
  volume.stripe_unit = Bytes{524288};
  system.volumes.push_back(std::move(volume));
  Scenario scenario = scenario_on(std::move(system));
  auto log = std::make_shared<AccessLog>();
  for (const auto& request : requests) log->files = std::max(log->files, request.file + 1);
  log->requests = std::move(requests);
  IoJob io;
  io.direct = direct;
  io.log = FileRef{"access.csv", {}};
  io.requests = std::move(log);
  become<kind::Io>(scenario.workload).io = io;
  scenario.data.at = part(scenario, "data");
  return scenario;
}

AccessRequest read_of(double time, std::int64_t offset, std::int64_t bytes, std::int32_t file = 0) {
  return {time, offset, bytes, file, false};
}
AccessRequest write_of(double time, std::int64_t offset, std::int64_t bytes) {
  return {time, offset, bytes, 0, true};
}

constexpr std::int64_t kMB = 1000000;

void check_close(double found, double expected) { CHECK(found == approx(expected).epsilon(1e-6)); }

}  // namespace

TEST_CASE("requests far apart take latency + bytes / bandwidth") {
  std::vector<AccessRequest> requests;
  for (int i = 0; i < 10; ++i) requests.push_back(read_of(i, i * kMB, kMB));
  const Result result = simulate(box(1, Layout::raid0, requests));
  REQUIRE(result.io.size() == 1);
  const double one = kLatency + 1e6 / kRead;
  check_close(result.io[0].latency_mean_s, one);
  check_close(result.io[0].latency_p50_s, one);
  check_close(result.io[0].latency_p99_s, one);
  REQUIRE(result.replay);
  check_close(result.replay->log_s, 9);
  check_close(result.replay->replay_s, 9 + one);
  check_close(result.io[0].iops, 10 / (9 + one));
  CHECK(result.replay->hit_rate == 0);
  check_close(result.replay->read_B, 1e7);
}

TEST_CASE("a burst lasts as long as its bytes one after another") {
  const Result result =
      simulate(box(1, Layout::raid0, std::vector<AccessRequest>(50, read_of(0, 0, kMB))));
  check_close(result.replay->replay_s, kLatency + 50 * 1e6 / kRead);
  check_close(result.io[0].latency_p50_s, kLatency + 50 * 1e6 / kRead);  // all share the drive
  CHECK(result.bottleneck.resource == parts({"ssd0"}));
}

TEST_CASE("storage that is slower than the log falls behind by what it lacks") {
  // 2 GB/s are asked for during 1 s of a drive that gives 1 GB/s.
  std::vector<AccessRequest> requests;
  for (int i = 0; i <= 2000; ++i) requests.push_back(read_of(i / 2000.0, 0, kMB));
  const Result result = simulate(box(1, Layout::raid0, requests));
  check_close(result.replay->replay_s, kLatency + 2001 * 1e6 / kRead);
  CHECK(shown(result, EvidenceCode::replay_behind));
}

TEST_CASE("reads and writes share a drive's time, each at its own rate") {
  const Result result =
      simulate(box(1, Layout::raid0, {read_of(0, 0, 100 * kMB), write_of(0, 0, 100 * kMB)}));
  REQUIRE(result.io.size() == 2);
  const double alone = 1e8 / kRead + 1e8 / kWrite;
  CHECK(result.replay->replay_s == approx(alone).epsilon(1e-3));
  const Result writes = simulate(box(1, Layout::raid0, {write_of(0, 0, kMB)}));
  check_close(writes.io[0].latency_mean_s, kWriteLatency + 1e6 / kWrite);
}

TEST_CASE("a volume spreads requests over its drives") {
  const auto time = [](Layout layout, int drives, std::vector<AccessRequest> requests) {
    return simulate(box(drives, layout, std::move(requests))).replay->replay_s - kLatency;
  };
  check_close(time(Layout::raid0, 4, {read_of(0, 0, 33554432)}), 16 * 524288 / kRead);
  check_close(time(Layout::raid0, 4, {read_of(0, 0, 4096), read_of(0, 524288, 4096)}),
              4096 / kRead);
  check_close(time(Layout::raid0, 4, {read_of(0, 0, 4096), read_of(0, 2097152, 4096)}),
              2 * 4096 / kRead);
  check_close(time(Layout::files, 4, {read_of(0, 0, kMB, 0), read_of(0, 0, kMB, 1)}), 1e6 / kRead);
  check_close(time(Layout::files, 4, {read_of(0, 0, kMB, 0), read_of(0, 0, kMB, 4)}), 2e6 / kRead);
  check_close(time(Layout::raid1, 2, {read_of(0, 0, kMB), read_of(0, 0, kMB)}), 1e6 / kRead);

  std::vector<Piece> pieces;
  Volume volume;
  volume.layout = Layout::raid10;
  volume.stripe_unit = Bytes{1000};
  volume.drives.resize(4);
  split_over_drives(&volume, 4, 1000, 500, 0, true, 0, pieces);
  REQUIRE(pieces.size() == 2);  // both drives of the second pair
  CHECK(pieces[0].drive == 2);
  CHECK(pieces[1].drive == 3);
  volume.layout = Layout::raid5;
  split_over_drives(&volume, 4, 0, 3000, 0, true, 0, pieces);
  double written = 0;
  for (const auto& piece : pieces) written += piece.bytes;
  check_close(written, 4000);
}

TEST_CASE("a second pass finds in the page cache what the first has read") {
  std::vector<AccessRequest> requests;
  for (int pass = 0; pass < 2; ++pass)
    for (int i = 0; i < 100; ++i)
      requests.push_back(read_of(pass * 100 + i, std::int64_t{i} * 409600, 409600));
  Scenario scenario = box(1, Layout::raid0, requests, false);
  const Result result = simulate(scenario);
  check_close(result.replay->hit_rate, 0.5);
  check_close(result.replay->read_B, 100 * 409600);
  check_close(result.io[0].latency_p50_s, 409600 / kCopy);
  check_close(result.io[0].latency_p99_s, kLatency + 409600 / kRead);

  // Half of it fits: LRU has always just thrown away what comes next, pinned keeps one half.
  scenario.loader.cache_memory = Bytes{50 * 409600};
  scenario.loader.cache = CacheRule::lru;
  CHECK(simulate(scenario).replay->hit_rate == 0);
  scenario.loader.cache = CacheRule::pinned;
  check_close(simulate(scenario).replay->hit_rate, 0.25);
  scenario.loader.cache = CacheRule::none;
  CHECK(simulate(scenario).replay->hit_rate == 0);
}

TEST_CASE("pages are read whole, once, and what is written is there") {
  const CachedLog small =
      through_cache(box(1, Layout::raid0, {read_of(0, 0, 100), read_of(1, 100, 100)}, false));
  CHECK(small.needs[0].bytes == 4096);
  CHECK(small.needs[1].bytes == 0);
  check_close(small.hit_bytes, 100);
  const CachedLog written =
      through_cache(box(1, Layout::raid0, {write_of(0, 0, 8192), read_of(1, 4096, 8192)}, false));
  CHECK(written.needs[0].bytes == 8192);
  CHECK(written.needs[1].offset == 8192);
  CHECK(written.needs[1].bytes == 4096);
}

TEST_CASE("buffered writes return at once and reach the drive in the background") {
  const Result result = simulate(box(1, Layout::raid0, {write_of(0, 0, kMB)}, false));
  check_close(result.io[0].latency_mean_s, 1e6 / kCopy);
  check_close(result.replay->written_B, 1e6);
}
