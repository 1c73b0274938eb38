// SPDX-License-Identifier: Apache-2.0
#include "calib/fit/raw_drives.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "calib/fit/raw_fit.h"
#include "sim/load/study/parameters.h"
#include "sim/model/scenario.h"
#include "tests/support/catalog.h"
#include "tests/support/temporary_folder.h"

using namespace gpufeed;

namespace {

/// What fio would have measured of a drive: \param bandwidth  in B/s, of a block in B and a depth
///                                          \param runtime_ms  of each test
///                                          \param memory_alignment  of fio's buffers; 2 MiB: huge
Calibration fit_of(const std::string& side, const std::vector<double>& blocks,
                   const std::vector<double>& depths,
                   const std::function<double(double, double)>& bandwidth, int runtime_ms = 2000,
                   int memory_alignment = 4096) {
  std::string jobs;
  int group = 0;  // one after the other
  for (const double block : blocks)
    for (const double depth : depths) {
      const double rate = bandwidth(block, depth);
      jobs += fmt::format(
          R"({}{{"jobname": "{}-{}", "groupid": {}, "error": 0, "job options": {{"bs": "{}",
          "iodepth": "{}"}}, "{}": {{"runtime": {}, "bw_bytes": {}, "iops": {}, "lat_ns": {{"mean": 1}}}}}})",
          jobs.empty() ? "" : ",", block, depth, group++, block, depth, side, runtime_ms, rate,
          rate / block);
    }
  return fit_raw(fmt::format(
                     R"({{"gpufeed_raw": 1, "drive": "ssd0", "fio": [{{"fio version": "fio-3.33",
      "global options": {{"direct": "1", "ioengine": "libaio", "kb_base": "1000", "rw": "rand{}",
      "iomem_align": "{}"}}, "jobs": [{}]}}]}})",
                     side, memory_alignment, jobs),
                 "raw", "none");
}

/// Made up: writes that wait for one another longer than any law says, each tested for so long.
Calibration made_writes(int runtime_ms) {
  return fit_of(
      "write", {4096, 65536, 1048576}, {1, 4, 16},
      [](double block, double depth) {
        const double one = std::pow(2e9, -0.8) + std::pow(7e4 * block, -0.8) +
                           std::pow(depth * block / 60e-6, -0.8);
        return std::pow(one, -1 / 0.8);
      },
      runtime_ms);
}

std::vector<Override> sets_of(const Calibration& found) {
  const TemporaryFolder folder;
  std::vector<Override> sets;
  const auto file = load_parameters(folder.write("params.toml", found.parameters));
  for (const CalibratedParameter& one : file.parameters)
    sets.push_back(parse_override(text(one.path) + "=" + one.value));
  return sets;
}

Scenario with_drive_of(const std::vector<Override>& sets) {
  const std::string text =
      "[system]\ntitle = \"one\"\n[[system.socket]]\nid = \"cpu0\"\nmodel = "
      "\"amd-epyc-7302\"\nmemory = \"64 GiB\"\n[[system.drive]]\nid = \"ssd0\"\nmodel = "
      "\"samsung-pm9a3-3.84tb\"\nat = \"cpu0\"\n[workload]\nkind = \"loader\"\ndataset = "
      "\"cifar-10\"\n[data]\nat = \"ssd0\"\n[loader]\ndecode = \"none\"\n";
  return parse_scenario(text, "one.toml", own_catalog(), sets);
}

}  // namespace

TEST_CASE("measurements that scatter too much to tell a law, or one of its roofs, are refused") {
  // Made up: 2 GB/s and 50 us; measurements of `from` and larger blocks are too fast or too slow.
  const auto scattered = [&](double from, double factor) {
    int turn = 0;
    return fit_of(
        "write", {4096, 16384, 65536, 1048576}, {1, 4, 16, 64}, [&](double block, double depth) {
          const double off = turn++ % 2 ? factor : 1 / factor;
          return (block >= from && depth > 1 ? off : 1) / (1 / 2e9 + 50e-6 / (depth * block));
        });
  };
  const Calibration none = scattered(0, 10);
  REQUIRE(none.refused.size() == 1);
  CHECK(none.refused.front().find("writes: half of the 16 measurements depart by ") == 0);
  CHECK(none.refused.front().find(" % or more from the best law: they tell none; measure again "
                                  "while nothing else uses the drive") != std::string::npos);
  CHECK(none.parameters.find("[[parameter]]") == std::string::npos);

  const Calibration one = scattered(1e6, 3);
  REQUIRE(one.refused.size() == 1);
  CHECK(one.refused.front().find("system.drive[ssd0].model.write_bandwidth: 16 measurements tell "
                                 "it to +- ") == 0);
  CHECK(one.parameters.find("model.write_bandwidth\"") == std::string::npos);
  CHECK(one.parameters.find("model.write_latency\"") != std::string::npos);
}

TEST_CASE("a roof that was never the limit has a value that drives may have") {
  // Made up: 1 GB/s, 100 kIOPS and 50 us, one request after the other; bytes of one move at once.
  const Calibration found = fit_of(
      "read", {4096, 65536, 1048576, 8388608}, {1, 2, 4, 16}, [](double block, double depth) {
        return 1 / (1e-9 + 1 / (1e5 * block) + 50e-6 / (depth * block));
      });
  const auto sets = sets_of(found);
  REQUIRE(!sets.empty());
  for (const Override& one : sets) {
    CAPTURE(text(one.path));
    CAPTURE(one.value);
    CHECK_NOTHROW(with_drive_of({one}));
  }
}

TEST_CASE("a drive with all that was found of it has the rates that were measured") {
  // Made up: 5 GB/s, 100 kIOPS whatever a request's size, 40 us; one roof after the other.
  const auto made = [](double block, double depth) {
    return 1 / (1 / 5e9 + 1 / (1e5 * block) + 40e-6 / (depth * block));
  };
  for (const char* side : {"read", "write"}) {
    CAPTURE(side);
    const std::vector<double> blocks{4096, 65536, 262144, 1048576, 8388608};
    const Scenario scenario = with_drive_of(sets_of(fit_of(side, blocks, {1, 2, 4, 16}, made)));
    const Drive& drive = *scenario.system->drives.front().model;
    const DriveLaw law = side == std::string("read") ? drive.read_law() : drive.write_law();
    for (const double block : blocks)
      for (const double depth : {1.0, 16.0}) {
        CAPTURE(block);
        CAPTURE(depth);
        CHECK(attained_bandwidth(law, Bytes{block}, depth).value ==
              doctest::Approx(made(block, depth)).epsilon(0.03));
      }
  }
}

TEST_CASE("a sharpness at the end of its range is told so, and never as known exactly") {
  const Calibration found = made_writes(2000);
  const auto told = std::ranges::find_if(found.told, [](const std::string& line) {
    return line.starts_with("system.drive[ssd0].model.write_sharpness = ");
  });
  REQUIRE(told != found.told.end());
  CHECK(told->find("= 100 %, the least there is, and ") != std::string::npos);
  CHECK(told->find("at the limit of its range") != std::string::npos);
  CHECK(found.parameters.find("deviation = \"0 %\"") == std::string::npos);
}

TEST_CASE("writes that a cache may have taken are told as such") {
  const std::string line =
      "no write was tested for longer than 200 ms: a cache may have taken them all, and the drive "
      "be "
      "slower for long; a larger --max-bytes tests for longer";
  CHECK(std::ranges::count(made_writes(200).told, line) == 1);
  CHECK(std::ranges::count(made_writes(2000).told, line) == 0);
}

TEST_CASE("a drive that was faster at first than whenever it was asked again is told as such") {
  // Made up: the largest requests come first, amid the others and last.
  const auto found = [](double first, double later, int alignment) {
    int turn = 0;
    return fit_of(
               "read", {8388608, 4096, 65536, 8388608, 1048576, 8388608}, {16},
               [&](double block, double) {
                 return block > 8e6 ? (turn++ == 0 ? first : later) : block * 2e4;
               },
               2000, alignment)
        .told;
  };
  const auto told = [&](double first, double later, int alignment, const std::string& why) {
    return std::ranges::count(
        found(first, later, alignment),
        "reads of 8.39 MB got 3.04 GB/s at first and at most 1.45 GB/s later: " + why +
            "; stated is what most tests got, and short runs may get more");
  };
  const auto told_at_all = [&](double first, double later) {
    return std::ranges::count_if(found(first, later, 4096), [](const std::string& line) {
      return line.find("at first and at most") != std::string::npos;
    });
  };
  const std::string by_chance =
      "fio's memory was not in huge pages, and a virtual disk is faster where its pages happen to "
      "lie beside one another (page_time)";
  const std::string lent =
      "the drive lends bandwidth for a while, as provisioned volumes do, or others used it then";
  CHECK(told(3.04e9, 1.45e9, 2097152, lent) == 1);
  CHECK(told(3.04e9, 1.45e9, 4096, by_chance) == 1);
  CHECK(told_at_all(3.04e9, 1.45e9) == 1);
  CHECK(told_at_all(1.6e9, 1.45e9) == 0);
  CHECK(told_at_all(1.45e9, 3.04e9) == 0);
}

TEST_CASE("opening: what small files take longer than blocks, where that can be told") {
  const auto found = [](double file_s) {
    std::string points;
    for (const double noise : {0.0, 1e-6, -1e-6})
      points += fmt::format(R"({}{{"readers": 2, "size_B": 4096, "block_s": 70e-6, "file_s": {}}})",
                            points.empty() ? "" : ",", file_s + noise);
    return fit_raw(R"({"gpufeed_raw": 1, "opening": [)" + points + "]}", "raw", "none");
  };
  CHECK(found(95e-6).parameters.find("path = \"data.open_time\"\nvalue = \"25 us\"") !=
        std::string::npos);
  CHECK(found(70.5e-6).refused ==
        std::vector<std::string>{"data.open_time: a file opens in less time than can be told"});
}

TEST_CASE("pages apart in memory: what each costs the drive, where it costs any") {
  const auto found = [](double apart, double huge) {
    std::string points;
    for (const double noise : {1.0, 1.01, 0.99})
      points += fmt::format(
          R"({}{{"request_B": 4194304, "into_pages_apart_Bps": {}, "into_huge_pages_Bps": {}}})",
          points.empty() ? "" : ",", noise * apart, noise * huge);
    return fit_raw(R"({"gpufeed_raw": 1, "drive": "vda", "large_reads": [)" + points + "]}", "raw",
                   "none");
  };
  // 4096 B at 1.28 GB/s take 3.2 us, at 4.096 GB/s 1 us
  CHECK(found(1.28e9, 4.096e9)
            .parameters.find("path = \"system.drive[vda].model.page_time\"\nvalue = \"2.2 us\"") !=
        std::string::npos);
  CHECK(
      found(4e9, 4.1e9).refused ==
      std::vector<std::string>{"system.drive[vda].model.page_time: pages apart in memory are read "
                               "as fast as huge ones"});
  // made before: whether pages lay beside one another was chance
  CHECK(fit_raw(R"({"gpufeed_raw": 1, "drive": "vda", "large_reads": [
      {"request_B": 4194304, "into_small_pages_Bps": 1e9, "into_huge_pages_Bps": 3e9}]})",
                "raw", "none")
            .refused.empty());
}

TEST_CASE("repeated measurements that differ by more than their middle tell nothing") {
  std::string points;
  for (const double file_s : {72e-6, 70.5e-6, 95e-6})
    points += fmt::format(R"({}{{"readers": 2, "size_B": 4096, "block_s": 70e-6, "file_s": {}}})",
                          points.empty() ? "" : ",", file_s);
  const Calibration found =
      fit_raw(R"({"gpufeed_raw": 1, "opening": [)" + points + "]}", "raw", "none");
  CHECK(found.refused == std::vector<std::string>{
                             "data.open_time: 3 measurements differ too much to tell: 2 us +- 470 "
                             "%"});
  CHECK(found.parameters.find("data.open_time\"") == std::string::npos);
}

TEST_CASE(
    "a drive whose reads end at once though one was begun earlier tells its readers together") {
  const auto told = [](double apart_s) {
    const auto pair =
        fmt::format(R"({{"block_B": 8388608, "alone_s": 2e-3, "apart_s": {}}})", apart_s);
    return fit_raw(R"({"gpufeed_raw": 1, "drive": "vda", "paired_reads": [)" + pair + "," + pair +
                       "," + pair + "]}",
                   "raw", "none")
        .parameters;
  };
  const auto value = [](const std::string& completions) {
    return "path = \"system.drive[vda].model.completions\"\nvalue = \"" + completions + "\"";
  };
  // what it takes to wake a thread up differs from host to host
  CHECK(told(-50e-6).find(value("together")) != std::string::npos);
  CHECK(told(200e-6).find(value("together")) != std::string::npos);
  CHECK(told(1e-3).find(value("each")) != std::string::npos);  // many at once, as flash serves
  CHECK(told(2e-3).find(value("each")) != std::string::npos);  // one after the other
}
