// SPDX-License-Identifier: Apache-2.0
#include "calib/fit/drive_entry.h"
#include "sim/model/scenario.h"

#include <doctest/doctest.h>

#include <limits>

#include "tests/support/approx.h"
#include "tests/support/catalog.h"

namespace gpufeed {
namespace {

using namespace literals;

constexpr double kUnlimited = std::numeric_limits<double>::infinity();

DriveSide side() {
  DriveSide side;
  side.points.resize(2);
  side.points[0].block_size = Bytes{4096};
  side.points[1].block_size = Bytes{1048576};
  side.fit.law = {2_GBps, Rate{1e5}, 25_us, 3_GBps, Bytes{kUnlimited}, kManyAtOnce};
  side.fit.known = {{"bandwidth", 1.9e9, 2.1e9},
                    {"request_rate", 1e5, kUnlimited},
                    {"latency", 20e-6, 30e-6},
                    {"request_bandwidth", 2e9, 4e9}};
  return side;
}

const std::string kHead =
    "title = \"Mine\"\n"
    "source = \"fio\"\n"
    "basis = \"calibrated\"\n";

}  // namespace

TEST_CASE("without a drive to take them from, the keys that fio cannot tell are asked for") {
  const DriveSide reads = side();
  const std::string text = drive_toml({"Mine", "fio", {}}, &reads, nullptr);
  CHECK(text.starts_with(kHead));
  CHECK(text.find("\nread_bandwidth = \"2 GB/s\"\n") != std::string::npos);
  CHECK(text.find("\n# read_rate: at least 100 k/s; the measurements never came to that limit.\n"
                  "read_rate = \"100 k/s\"\n") != std::string::npos);
  CHECK(text.find("\nread_latency = \"25 us\"\n") != std::string::npos);
  CHECK(text.find("\n# capacity = ...  # usable size\n") != std::string::npos);
  CHECK(text.find("\n# write_bandwidth = ...") != std::string::npos);
  // A drive need not be behind lanes.
  CHECK(text.find("lanes") == std::string::npos);
}

TEST_CASE("a limit beyond all that drives may have is no limit, and is left out") {
  DriveSide reads = side();
  reads.fit.law.request_bandwidth = Bandwidth{1.73e26};
  reads.fit.known.pop_back();
  const std::string note = "\n# request_bandwidth: the measurements never came to that limit.\n";
  std::string text = drive_toml({"Mine", "fio", {}}, &reads, nullptr);
  CHECK(text.find(note) != std::string::npos);
  CHECK(text.find("\nrequest_bandwidth =") == std::string::npos);
  EntryText like{"drive", "x", "X", "datasheet", "its page", {}, {}, {}};
  like.lines = {{"request_bandwidth", "5 GB/s", "", ""}};
  text = drive_toml({"Mine", "fio", like}, &reads, nullptr);
  CHECK(text.find(note + "request_bandwidth = { value = \"5 GB/s\"") != std::string::npos);
}

TEST_CASE("what the points do not tell stays as the catalog has it, with its own source") {
  EntryText like{"drive", "x", "X", "datasheet", "its page", {}, {}, {}};
  like.lines = {{"capacity", "4 TB", "", ""},
                {"link", "pcie-4.0", "", ""},
                {"lanes", "4", "", ""},
                {"read_rate", "900 k/s", "measured", "a review"},
                {"read_bandwidth", "7 GB/s", "", ""},
                {"price_year", "2,021", "", ""},
                {"power", "unknown", "", ""}};
  const DriveSide reads = side();
  std::string text = drive_toml({"Mine", "fio", like}, &reads, nullptr);
  CHECK(text.find("\ncapacity = { value = \"4 TB\", source = \"its page\", basis = \"datasheet\" "
                  "}\n") != std::string::npos);
  CHECK(text.find("\nlink = \"pcie-4.0\"\n") != std::string::npos);
  CHECK(text.find("\nlanes = { value = 4, source") != std::string::npos);
  CHECK(text.find("\nprice_year = { value = 2021, source") != std::string::npos);
  CHECK(text.find("\nread_bandwidth = \"2 GB/s\"\n") != std::string::npos);
  CHECK(text.find("power") == std::string::npos);
  CHECK(text.find("that limit.\nread_rate = { value = \"900 k/s\", source = \"a review\", basis = "
                  "\"measured\" }\n") != std::string::npos);
  // ... unless the points contradict it.
  like.lines[3].value = "50 k/s";
  text = drive_toml({"Mine", "fio", like}, &reads, nullptr);
  CHECK(text.find("that limit.\nread_rate = \"100 k/s\"\n") != std::string::npos);
}

/// The drive that an entry describes, of a whole machine: entries are read where something names
/// them.
Drive read_again(const std::string& entry) {
  std::string inline_keys;
  for (std::size_t at = 0; at < entry.size(); at = entry.find('\n', at) + 1) {
    const std::string line = entry.substr(at, entry.find('\n', at) - at);
    if (!line.starts_with('#')) inline_keys += (inline_keys.empty() ? "" : ", ") + line;
  }
  const Scenario scenario = parse_scenario(
      "[system]\ntitle = \"box\"\n"
      "[[system.socket]]\nid = \"cpu0\"\nmodel = \"intel-xeon-e5-2698v4\"\nmemory = \"64 GiB\"\n"
      "[[system.gpu]]\nid = \"gpu0\"\nmodel = \"nvidia-p100-sxm2-16gb\"\nat = \"cpu0\"\n"
      "[[system.drive]]\nid = \"ssd0\"\nat = \"cpu0\"\nmodel = { " +
          inline_keys +
          " }\n"
          "[[system.volume]]\nid = \"scratch\"\ndrives = [\"ssd0\"]\n"
          "[workload]\nmodel = \"resnet-50\"\ndataset = \"imagenet-1k\"\n",
      "fitted.toml", own_catalog());
  return *scenario.system->drives.at(0).model;
}

TEST_CASE("a drive written from a fit is read again") {
  const DriveSide reads = side();
  const DriveSide writes = side();
  for (auto& like : describe_entry(own_catalog(), "samsung-pm9a3-3.84tb")) {
    const Drive drive = read_again(drive_toml({"Mine", "fio", like}, &reads, &writes));
    CHECK(drive.read_bandwidth.value == 2e9);
    CHECK(drive.write_bandwidth.value == 2e9);
    CHECK(drive.read_latency.value == approx(25e-6));
    CHECK(drive.provenance_of("read_bandwidth").basis == Basis::calibrated);
    CHECK(drive.provenance_of("capacity").basis == Basis::datasheet);
  }
}

TEST_CASE("an entry has the laws of reads and of writes as they were fitted, each with its own") {
  DriveSide reads = side();
  DriveSide writes = side();
  reads.fit.law = {3_GBps, Rate{2e4}, 80_us, 1_GBps, Bytes{65536}, 1.3};
  reads.fit.known = {{"bandwidth", 1, 9e9},       {"request_rate", 1, 9e9},
                     {"latency", 1e-9, 1},        {"request_bandwidth", 1, 9e9},
                     {"largest_request", 1, 1e9}, {"sharpness", 1, 2}};
  writes.fit.law = {1_GBps, Rate{5e3}, 300_us, 2_GBps, Bytes{kUnlimited}, kManyAtOnce};
  writes.fit.known = {{"bandwidth", 1, 9e9},
                      {"request_rate", 1, 9e9},
                      {"latency", 1e-9, 1},
                      {"request_bandwidth", 1, 9e9}};
  for (auto& like : describe_entry(own_catalog(), "samsung-pm9a3-3.84tb")) {
    const Drive drive = read_again(drive_toml({"Mine", "fio", like}, &reads, &writes));
    for (const double block : {4096.0, 65536.0, 1048576.0})
      for (const double depth : {1.0, 8.0, 64.0}) {
        CAPTURE(block);
        CAPTURE(depth);
        CHECK(attained_bandwidth(drive.read_law(), Bytes{block}, depth).value ==
              approx(attained_bandwidth(reads.fit.law, Bytes{block}, depth).value).epsilon(1e-3));
        CHECK(attained_bandwidth(drive.write_law(), Bytes{block}, depth).value ==
              approx(attained_bandwidth(writes.fit.law, Bytes{block}, depth).value).epsilon(1e-3));
      }
  }
}

TEST_CASE("a measured drive without lanes is limited by nothing but itself") {
  const DriveSide reads = side();
  const DriveSide writes = side();
  const std::string text = drive_toml({"Mine", "fio", {}}, &reads, &writes);
  const Drive drive = read_again("capacity = \"1 TB\"\n" + text);
  CHECK_FALSE(drive.link);
}

TEST_CASE("repeats scatter about the median of their setting") {
  FioPoint point;
  point.block_size = Bytes{4096};
  std::vector<FioPoint> points;
  for (const double mbps : {90, 100, 120}) {
    point.bandwidth = Bandwidth{mbps * 1e6};
    points.push_back(point);
  }
  CHECK(scatter(points) == approx(0.1));
  point.iodepth = 2;  // stands alone: tells nothing of the scatter
  points.push_back(point);
  CHECK(scatter(points) == approx(0.1));
  CHECK(scatter({point}) == 0);
}

}  // namespace gpufeed
