// SPDX-License-Identifier: Apache-2.0
// The law of stores of servers against clusters that others measured: README.md's evidence.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

#include "sim/model/storage/server_law.h"

using namespace gpufeed;

namespace {

/// Gb/s of all cards of a server, at the 93 % that cards of the catalog reach.
Bandwidth cards(double gigabits) { return {gigabits / 8 * 1e9 * 0.93}; }

ServerLaw servers(double count, double drives, double read_GBps, double write_GBps,
                  double gigabits) {
  ServerLaw law;
  law.servers = count;
  law.one.drives = drives;
  law.one.drive_reads = {drives * read_GBps * 1e9};
  law.one.drive_writes = {drives * write_GBps * 1e9};
  law.one.drive_read_rate = {drives * 1e6};
  law.one.sends = law.one.receives = cards(gigabits);
  law.one.memory = {1e12};
  law.one.cores = 48;
  return law;
}

/// Ten drives and 2 x 100 Gb/s each; drives, cards and cores of these from memory.
ServerLaw ceph(double count, Redundancy redundancy) {
  ServerLaw law = servers(count, 10, 6.8, 4.3, 200);
  law.redundancy = redundancy;
  law.chunks_by = ChunksBy::server;
  law.whole_stripes = true;
  law.core_reads = law.core_writes = Bandwidth{316e6};
  law.drive_read_rate = Rate{63e3};
  return law;
}

struct Row {
  std::string store, what;
  double law, measured;  ///< GB/s, or millions of requests a second
  double error() const { return law / measured - 1; }
};

/// \source  IO500 submissions 780, 779, 670 (DAOS) and 25 (BeeGFS), ior-easy; posts of ceph.io and
///          of AIStore
std::vector<Row> rows() {
  const auto read = [](const ServerLaw& law) { return most_read(law).most / 1e9; };
  const auto written = [](const ServerLaw& law) { return most_written(law).most / 1e9; };
  const auto small = [](const ServerLaw& law) { return most_small_reads(law).most / 1e6; };
  constexpr double kGi = 1.073741824;
  const ServerLaw daos_8 = servers(8, 4, 14, 6.6, 400), daos_1 = servers(1, 20, 14, 6.6, 800),
                  daos_18 = servers(18, 8, 7, 4.3, 400), beegfs = servers(170, 1, 3.2, 3.2, 25);
  return {
      {"DAOS, 8 servers of 4 drives, 400 Gb/s", "read", read(daos_8), 379.7},
      {"", "write", written(daos_8), 155.7},
      {"DAOS, 1 server of 20 drives, 2 x 400 Gb/s", "read", read(daos_1), 97.9},
      {"", "write", written(daos_1), 95.9},
      {"DAOS, 18 servers of 8 drives, 2 x 200 Gb/s", "read", read(daos_18), 831.2},
      {"", "write", written(daos_18), 471.2},
      {"BeeGFS, 170 servers of 1 drive, 25 Gb/s", "read", read(beegfs), 453.3},
      {"", "write", written(beegfs), 358.5},
      {"AIStore, 3 servers of 8 drives, 50 Gb/s", "read", read(servers(3, 8, 7, 3.8, 50)), 17.7},
      {"AIStore, 10 of these, 2 x 50 Gb/s", "read", read(servers(10, 8, 7, 3.8, 100)), 110.9},
      {"Ceph, 3 servers of 10 drives, 3 copies", "write", written(ceph(3, {1, 2})), 15 * kGi},
      {"Ceph, 10 of these, 3 copies", "write", written(ceph(10, {1, 2})), 46 * kGi},
      {"", "10^6 reads/s", small(ceph(10, {1, 2})), 5.8},
      {"Ceph, 63 of these, 3 copies", "write", written(ceph(63, {1, 2})), 270 * kGi},
      {"", "10^6 reads/s", small(ceph(63, {1, 2})), 25.5},
      {"Ceph, 63 of these, 6+2", "read", read(ceph(63, {6, 2})), 547 * kGi},
      {"", "write", written(ceph(63, {6, 2})), 387 * kGi},
      {"", "10^6 reads/s", small(ceph(63, {6, 2})), 3.4}};
}

double median_of(std::vector<double> values) {
  std::ranges::sort(values);
  return (values[values.size() / 2] + values[(values.size() - 1) / 2]) / 2;
}

}  // namespace

TEST_CASE("the page of stores of servers has what the law says of measured clusters") {
  std::ifstream in(std::filesystem::path(GPUFEED_SOURCE_DIR) / "sim/model/storage/README.md");
  const std::string page{std::istreambuf_iterator<char>(in), {}};
  for (const Row& row : rows()) {
    const std::string line = fmt::format("\n| {} | {} | {:.3g} | {:.3g} | {:+.0f} % |\n", row.store,
                                         row.what, row.law, row.measured, row.error() * 100);
    CAPTURE(line);
    CHECK(page.find(line) != std::string::npos);
  }
}

TEST_CASE("half of the measured clusters are within a tenth of the law, all within twice") {
  std::vector<double> errors;
  for (const Row& row : rows()) errors.push_back(std::abs(row.error()));
  CHECK(median_of(errors) <= 0.10);
  CHECK(std::accumulate(errors.begin(), errors.end(), 0.0) / 18 <= 0.25);
  CHECK(std::ranges::max(errors) <= 1);
}
