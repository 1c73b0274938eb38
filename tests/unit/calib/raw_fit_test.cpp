// SPDX-License-Identifier: Apache-2.0
#include "calib/fit/raw_fit.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "calib/fit/decode_fit.h"
#include "calib/fit/gpu_fit.h"
#include "sim/load/study/parameters.h"
#include "sim/model/scenario.h"
#include "tests/support/catalog.h"
#include "tests/support/refusals.h"
#include "tests/support/temporary_folder.h"

using namespace gpufeed;

namespace {

/// Times of pictures by a law that the test writes out: 100 us, 200 MB/s, 80 million pixels/s.
std::vector<DecodeTime> made_times(double noise) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  std::vector<DecodeTime> times;
  for (const double pixels : {2e4, 1e5, 3e5, 1e6})
    for (const double bytes_per_pixel : {0.1, 0.5}) {
      const double bytes = pixels * bytes_per_pixel;
      const double law = 100e-6 + bytes / 200e6 + pixels / 80e6;
      times.push_back({pixels, {bytes}, {law * (1 + noise * normal(random))}});
    }
  return times;
}

/// Made up: what a drive of 2 GB/s, 90 us and 50 kIOPS would have given.
std::string made_raw(const std::string& copies) {
  return fmt::format(R"({{"gpufeed_raw": 1, "version": "0", "time": "2026-01-01T00:00:00Z",
    "machine": "made up", "tools": "none", "drive": "vda", "fio": [], "copies": [{}],
    "cached_reads_Bps": [4.0e9, 4.1e9, 4.2e9]}})",
                     copies);
}

/// What fio would have measured of a drive: \param bandwidth  in B/s, of a block in B and a depth
///                                          \param runtime_ms  of each test
Calibration fit_of(const std::string& side, const std::vector<double>& blocks,
                   const std::vector<double>& depths,
                   const std::function<double(double, double)>& bandwidth, int runtime_ms = 2000) {
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
      "global options": {{"direct": "1", "ioengine": "libaio", "kb_base": "1000", "rw": "rand{}"}},
      "jobs": [{}]}}]}})",
                     side, jobs),
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

}  // namespace

TEST_CASE("decoding: the law that made the times is found, and noise is told") {
  const DecodeFit exact = fit_decoding(made_times(0), "made up");
  CHECK(exact.per_sample.value == doctest::Approx(100e-6).epsilon(0.001));
  REQUIRE(exact.byte_rate);
  CHECK(exact.byte_rate->value == doctest::Approx(200e6).epsilon(0.001));
  REQUIRE(exact.pixel_rate);
  CHECK(exact.pixel_rate->value == doctest::Approx(80e6).epsilon(0.001));
  CHECK(exact.left_out.empty());
  const DecodeFit noisy = fit_decoding(made_times(0.02), "made up");
  CHECK(noisy.residual > 0.002);
  CHECK(noisy.deviation > exact.deviation);
}

TEST_CASE("decoding: a term that the times do not determine is left out by name") {
  std::vector<DecodeTime> times;
  for (const double bytes : {1e5, 1e6, 1e7})  // a copy: pixels and bytes grow together
    times.push_back({bytes / 3, {bytes}, {bytes / 1e9}});
  const DecodeFit fit = fit_decoding(times, "made up");
  CHECK(!fit.left_out.empty());
  CHECK(int{fit.byte_rate.has_value()} + int{fit.pixel_rate.has_value()} == 1);
}

TEST_CASE("samples handed on as stored: a time of each, without pixels") {
  std::vector<DecodeTime> times;
  for (const double bytes : {1e4, 1e5, 1e6}) times.push_back({0, {bytes}, {7e-6}});
  const DecodeFit fit = fit_decoding(times, "made up");
  CHECK(fit.per_sample.value == doctest::Approx(7e-6).epsilon(0.01));
  CHECK(!fit.pixel_rate);
}

TEST_CASE(
    "bytes that come faster than any memory gives them are no term: the entry could not be read") {
  std::vector<DecodeTime> times;  // made up: 5 us, and 5 TB/s
  for (const double bytes : {1e4, 1e5, 1e6}) times.push_back({0, {bytes}, {5e-6 + bytes / 5e12}});
  const DecodeFit fit = fit_decoding(times, "made up");
  CHECK(!fit.byte_rate);
  REQUIRE(fit.left_out.size() == 1);
  CHECK(fit.left_out.front() == "time of each stored byte");
  CHECK(fit.per_sample.value == doctest::Approx(5e-6).epsilon(0.05));
}

TEST_CASE("decoding: what read calls took is not counted, for core_copy_bandwidth counts it") {
  std::string points;
  for (const double pixels : {2e4, 1e5, 3e5, 1e6})
    points += fmt::format(
        "{}{{\"codec\": \"bytes\", \"width\": {}, \"height\": 1, \"workers\": 1, \"stored_B\": "
        "{}, \"decoded_batch_B\": 1, \"batch_taken_s\": 1, \"sample_s\": {}, \"sample_read_s\": "
        "{}}}",
        points.empty() ? "" : ",", pixels, 3 * pixels, 50e-6 + 3 * pixels / 1e9 + pixels * 1e-9,
        pixels * 1e-9);
  const Calibration found =
      fit_raw(R"({"gpufeed_raw": 1, "decode": [)" + points + "]}", "raw", "none");
  const std::string entry = found.entries.at("decoder/calibrated-bytes");
  CHECK(entry.find("per_sample = \"50") != std::string::npos);
  CHECK(entry.find("but not read calls, which core_copy_bandwidth counts") != std::string::npos);
}

TEST_CASE("decoding: arrays cost by their bytes, whichever of bytes and pixels would fit better") {
  std::string points;
  for (const double pixels : {2e4, 1e5, 3e5, 1e6})  // made up: 3 ns a pixel, for 3 bytes and some
    points += fmt::format(
        "{}{{\"codec\": \"npz\", \"width\": {}, \"height\": 1, \"workers\": 1, \"stored_B\": {}, "
        "\"decoded_batch_B\": 1, \"batch_taken_s\": 1, \"sample_s\": {}}}",
        points.empty() ? "" : ",", pixels, 3 * pixels + 300, 3e-9 * pixels);
  const Calibration found =
      fit_raw(R"({"gpufeed_raw": 1, "decode": [)" + points + "]}", "raw", "none");
  const std::string entry = found.entries.at("decoder/calibrated-npz");
  CHECK(entry.find("byte_rate = ") != std::string::npos);
  CHECK(entry.find("pixel_rate = ") == std::string::npos);
}

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
  const TemporaryFolder folder;
  const auto file = load_parameters(folder.write("params.toml", found.parameters));
  REQUIRE(!file.parameters.empty());
  for (const CalibratedParameter& one : file.parameters) {
    CAPTURE(one.path);
    CAPTURE(one.value);
    const std::string text =
        "[system]\ntitle = \"one\"\n[[system.socket]]\nid = \"cpu0\"\nmodel = "
        "\"amd-epyc-7302\"\nmemory = \"64 GiB\"\n[[system.drive]]\nid = \"ssd0\"\nmodel = "
        "\"samsung-pm9a3-3.84tb\"\nat = \"cpu0\"\n[workload]\nkind = \"loader\"\ndataset = "
        "\"cifar-10\"\n[data]\nat = \"ssd0\"\n[loader]\ndecode = \"none\"\n";
    CHECK_NOTHROW(parse_scenario(text, "one.toml", own_catalog(),
                                 {parse_override(one.path + "=" + one.value)}));
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

TEST_CASE("the page cache: what cores spend on filling it and on throwing pages out") {
  // Made up: copies of 0.1 ns a byte, into batches of 0.125 ns, filling of 0.3 ns, throwing out of
  // 0.5 ns; a set of 1 GB of which 40 % are missed.
  const double cached = 1e8 * 0.1e-9;
  const double epoch = 1e9 * (0.1e-9 + 0.4 * (0.3e-9 + 0.5e-9));
  std::string filling;
  std::string epochs = R"({"epoch": 0, "fetched": 1, "s": 1, "core_s": 99})";
  for (const double noise : {0.99, 1.0, 1.01}) {
    filling += fmt::format(
        R"({}{{"read_B": 1e8, "missed_core_s": {}, "cached_core_s": {}, "again_core_s": {}}})",
        filling.empty() ? "" : ",", cached + noise * 1e8 * 0.3e-9, cached, 1e8 * 0.125e-9);
    epochs += fmt::format(R"(,{{"epoch": 1, "fetched": 0.4, "s": 1, "core_s": {}}})", epoch);
  }
  const Calibration found =
      fit_raw(R"({"gpufeed_raw": 1, "filling": [)" + filling +
                  R"(], "page_cache_share": 0.5, "page_cache_files_B": 1e9, "page_cache": [)" +
                  epochs + "]}",
              "raw", "none");
  const TemporaryFolder folder;
  const auto file = load_parameters(folder.write("params.toml", found.parameters));
  REQUIRE(file.parameters.size() == 3);
  CHECK(file.parameters[0].path == "system.socket[*].model.core_copy_bandwidth");
  CHECK(file.parameters[0].value == "8 GB/s");
  CHECK(file.parameters[1].path == "system.socket[*].model.cache_fill_bandwidth");
  CHECK(file.parameters[1].value == "3.333 GB/s");
  CHECK(file.parameters[2].path == "system.socket[*].model.cache_evict_bandwidth");
  CHECK(file.parameters[2].value == "2 GB/s");
}

TEST_CASE("the page cache's filling is refused where missed files take hardly longer") {
  const auto found = [](double longer) {  // than cached ones, which take a second
    std::string filling;
    for (const double noise : {0.0, 0.01, -0.01})
      filling += fmt::format(
          R"({}{{"read_B": 5e9, "missed_core_s": {}, "cached_core_s": 1, "again_core_s": 1}})",
          filling.empty() ? "" : ",", 1 + longer + noise);
    return fit_raw(R"({"gpufeed_raw": 1, "filling": [)" + filling + "]}", "raw", "none");
  };
  CHECK(found(0.02).refused ==
        std::vector<std::string>{
            "system.socket[*].model.cache_fill_bandwidth: missed files took 2.0 % longer than "
            "cached ones, which may be chance, or lie in memory both"});
  CHECK(found(0.5).refused.empty());
}

TEST_CASE("the page cache: bytes from storage are told, and why they may be more than there are") {
  const Calibration found = fit_raw(
      R"({"gpufeed_raw": 1, "page_cache_share": 0.5, "page_cache_files_B": 2e8, "page_cache": [
      {"epoch": 0, "fetched": 1.016, "s": 1}, {"epoch": 1, "fetched": 0.5, "s": 1}]})",
      "raw", "none");
  CHECK(found.told == std::vector<std::string>{
                          "page cache with room for 50 %: epoch 1 read 203.2 MB of 200 MB from "
                          "storage, with metadata and what was read ahead more than once",
                          "page cache with room for 50 %: epoch 2 read 100 MB of 200 MB from "
                          "storage"});
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

TEST_CASE("PyTorch: what its loader costs by worker, batch and byte, and what its decoders do") {
  // Made up: 30 ms to start a worker; a worker spends 200 us on a batch, and 20 us and 1 ns a byte
  // on a sample as stored; taking over costs 300 us and 0.2 ns a byte.
  const auto point = [](double batch, double bytes) {
    return fmt::format(
        R"({{"codec": "bytes", "width": {}, "height": 1, "detail": 0, "workers": 1, "batch": {},
        "stored_B": {}, "decoded_batch_B": {}, "sample_s": {}, "sample_read_s": 0,
        "batch_taken_s": {}, "samples": 9}})",
        bytes / 3, batch, bytes, batch * bytes, 20e-6 + bytes * 1e-9 + 200e-6 / batch,
        300e-6 + batch * bytes * 0.2e-9);
  };
  const std::string raw =
      R"({"gpufeed_raw": 1, "pytorch": {"tools": "torch 0", "worker_start_s": [0.03, 0.03, 0.03],
      "decode": [)" +
      point(16, 1e4) + "," + point(16, 1e5) + "," + point(16, 1e6) + R"(], "batches": [)" +
      point(1, 1e3) + "," + point(4, 1e3) + "," + point(16, 1e3) +
      R"(], "memory_returned": [{"codec": "bytes", "width": )" + fmt::format("{}", 1e5 / 3) +
      R"(, "detail": 0, "sample_s": )" + fmt::format("{}", 1.5 * (20e-6 + 1e-4 + 200e-6 / 16)) +
      "}]}}";
  const TemporaryFolder folder;
  const Calibration found = fit_raw(raw, "raw", "none");
  const std::string& toml = found.parameters;
  const auto says = [&](const std::string& path, const std::string& value) {
    CAPTURE(path);
    CHECK(toml.find("path = \"" + path + "\"\nvalue = \"" + value) != std::string::npos);
  };
  says("loader.worker_start", "30 ms");
  says("loader.batch_overhead", "200 us");
  says("loader.take_over_time", "300 us");
  says("loader.process_bandwidth", "5 GB/s");
  CHECK(
      std::count(found.told.begin(), found.told.end(),
                 "pytorch: in a process that has freed nothing large yet (and in workers that are "
                 "spawned) a sample takes so many times as long: bytes 1.50; "
                 "MALLOC_MMAP_THRESHOLD_=33554432 MALLOC_TRIM_THRESHOLD_=67108864 in its "
                 "environment spares that") == 1);
  const std::string& decoder = found.entries.at("decoder/calibrated-pytorch-bytes");
  CHECK(decoder.find("per_sample = \"20 us\"\nbyte_rate = \"1 GB/s\"") != std::string::npos);
}

TEST_CASE("what a decoder gains from the second thread of each core is measured with all of them") {
  // Made up: two cores of two threads; 10 ns a byte alone and with one worker a core, 16 with two.
  const auto point = [](int workers, double bytes, double per_byte) {
    return fmt::format(
        R"({{"codec": "jpeg", "width": {}, "height": 100, "detail": 0.1, "workers": {}, "batch": 4,
        "stored_B": {}, "decoded_batch_B": 9, "sample_s": {}, "sample_read_s": 0,
        "batch_taken_s": 1e-3, "samples": 9, "threads_per_core": 2}})",
        bytes / 100, workers, bytes, bytes * per_byte);
  };
  std::string raw = R"({"gpufeed_raw": 1, "decode": [)" + point(1, 1e4, 1e-8) + "," +
                    point(1, 1e5, 1e-8) + "," + point(1, 1e6, 1e-8) + "," + point(2, 1e5, 1e-8) +
                    "," + point(4, 1e5, 1.6e-8) + "]}";
  const Calibration found = fit_raw(raw, "raw", "none");
  CHECK(found.entries.at("decoder/calibrated-jpeg").find("smt_speedup = \"125 %\"\n") !=
        std::string::npos);
  for (std::size_t at = 0; (at = raw.find("_core\": 2", at)) != std::string::npos;)
    raw.replace(at, 9, "_core\": 1");
  const Calibration none = fit_raw(raw, "raw", "none");
  CHECK(none.entries.at("decoder/calibrated-jpeg").find("smt_speedup") == std::string::npos);
}

TEST_CASE("GPUs: a start and a rate are found in times of copies and of steps by batch") {
  std::vector<Timed> copies;  // made up: 8 us and 25 GB/s
  for (const double bytes : {4096.0, 32768.0, 262144.0, 2097152.0, 16777216.0})
    copies.push_back({bytes, {8e-6 + bytes / 25e9}});
  const LineFit copy = fit_line(copies, "made up");
  CHECK(copy.start.value == doctest::Approx(8e-6).epsilon(0.001));
  CHECK(copy.rate == doctest::Approx(25e9).epsilon(0.001));
  std::vector<Timed> steps;  // made up: t0 = 20 ms, t1 = 0.5 ms
  for (const double batch : {1.0, 4.0, 16.0, 64.0, 256.0})
    steps.push_back({batch, {20e-3 + batch * 0.5e-3}});
  const LineFit step = fit_line(steps, "made up");
  CHECK(step.start.value == doctest::Approx(20e-3).epsilon(0.001));
  CHECK(step.rate == doctest::Approx(2000).epsilon(0.001));
}

TEST_CASE("GPUs: raw measurements are told by way and memory, products by what they attain") {
  // Made up, not measured: copies to the GPU of 8 us and 25 GB/s, a product of 2 x 1024^3 in 10 us.
  std::string copies;
  for (const double bytes : {4096.0, 32768.0, 262144.0, 2097152.0})
    copies += fmt::format(
        "{}{{\"gpu\": 0, \"way\": \"to\", \"memory\": \"pinned\", \"bytes\": {}, \"s\": {}}}",
        copies.empty() ? "" : ",", bytes, 8e-6 + bytes / 25e9);
  const Calibration found = fit_raw(
      R"({"gpufeed_raw": 1, "gpu": {"gpus": [{"gpu": 0, "name": "made up", "memory_B": 1e9}],
      "copies": [)" +
          copies +
          R"(], "peers": [], "launches": [{"gpu": 0, "s": 2.5e-6}], "products": [{"gpu": 0,
      "type": "bf16", "m": 1024, "n": 1024, "k": 1024, "s": 1e-5}]}})",
      "raw", "none");
  REQUIRE(found.told.size() == 4);
  CHECK(found.told[0] == "gpu 0 is made up");
  CHECK(found.told[1].starts_with("gpu 0: copies to it, pinned: 8 us and 25 GB/s, departing by "));
  CHECK(found.told[2] == "gpu 0: launching a kernel takes 2.5 us");
  CHECK(found.told[3] == "gpu 0: bf16 1024 x 1024 x 1024 attains 215 TFLOP/s");
}

TEST_CASE("GPUs: what all do at once, collectives, and steps with their fixed part") {
  // Made up, not measured: two GPUs copy at 20 GB/s each and sum at 40 GB/s; a step has 4 ms and
  // 500 samples/s.
  const auto list = [](const std::string& head, const std::string& amount, double start,
                       double rate) {
    std::string out;
    for (const double x : {1.0, 4.0, 16.0, 64.0, 256.0}) {
      const double value = amount == "bytes" ? x * 1e6 : x;
      out += fmt::format(R"({}{{{}, "{}": {}, "s": {}}})", out.empty() ? "" : ",", head, amount,
                         value, start + value / rate);
    }
    return out;
  };
  const Calibration found = fit_raw(
      R"({"gpufeed_raw": 1, "gpu": {"gpus": [], "launches": [], "products": [], "together": [)" +
          list(R"("gpus": 2, "way": "to")", "bytes", 10e-6, 20e9) + R"(], "collectives": [)" +
          list(R"("gpus": 2, "what": "all-reduce")", "bytes", 30e-6, 40e9) + R"(], "steps": [)" +
          list(R"("gpu": 0, "network": "made up")", "batch", 4e-3, 500) + "]}}",
      "raw", "none");
  REQUIRE(found.told.size() == 3);
  CHECK(found.told[0].starts_with("all 2 GPUs at once: copies to each, pinned: 10 us and 20 GB/s"));
  CHECK(found.told[1].starts_with("all-reduce of 2 GPUs: 30 us and 40 GB/s"));
  CHECK(found.told[2].starts_with(
      "gpu 0: made up, forward and backward in fp16: 4 ms and 500 samples/s, departing by "));
}

TEST_CASE("decoding: samples of one size tell no law") {
  CHECK(refusal_of([] {
          fit_decoding({{1e5, {1e5}, {1e-3}}, {1e5, {1.1e5}, {1e-3}}, {1e5, {1e5}, {1e-3}}}, "raw");
        }) ==
        "raw: error: 3 kinds of samples of 100 kB to 110 kB do not tell how decoding grows with "
        "them\n");
}

TEST_CASE("repeated measurements give their middle and its deviation; single ones are refused") {
  const std::string thrice =
      R"({"node": 0, "threads": 2, "traffic_Bps": 19e9}, {"node": 0, "threads": 2,
      "traffic_Bps": 20e9}, {"node": 0, "threads": 2, "traffic_Bps": 21e9},
      {"node": 0, "threads": 1, "traffic_Bps": 12e9})";
  const TemporaryFolder folder;
  const Calibration found = fit_raw(made_raw(thrice), "raw", "none");
  const auto file = load_parameters(folder.write("params.toml", found.parameters));
  REQUIRE(file.parameters.size() == 3);
  CHECK(file.parameters[0].path == "system.socket[cpu0].model.memory_bandwidth");
  CHECK(file.parameters[0].value == "20 GB/s");
  // 5 % off twice: sqrt((0.05^2 + 0.05^2) / 2 / 3)
  CHECK(file.parameters[0].deviation.value == doctest::Approx(0.0289).epsilon(0.02));
  CHECK(file.parameters[2].value == "4.1 GB/s");
  const Calibration single =
      fit_raw(made_raw(R"({"node": 0, "threads": 1, "traffic_Bps": 12e9})"), "raw", "none");
  CHECK(single.refused ==
        std::vector<std::string>{"system.socket[cpu0].model.memory_bandwidth: measured less than "
                                 "three times"});
}

TEST_CASE(
    "a parameter takes the place of the catalog's value, with its basis, and --set goes before") {
  const TemporaryFolder folder;
  const auto file =
      load_parameters(folder.write("params.toml",
                                   "title = \"here\"\nsource = \"made up\"\n[[parameter]]\n"
                                   "path = \"system.drive[ssd0].model.read_rate\"\nvalue = \"31 "
                                   "kIOPS\"\ndeviation = \"4 %\"\n"));
  std::string scenario =
      "[system]\ntitle = \"one\"\n[[system.socket]]\nid = \"cpu0\"\nmodel = \"amd-epyc-7302\"\n"
      "memory = \"64 GiB\"\n[[system.drive]]\nid = \"ssd0\"\nmodel = \"samsung-pm9a3-3.84tb\"\n"
      "at = \"cpu0\"\n[workload]\nkind = \"loader\"\ndataset = \"cifar-10\"\n[data]\nat = "
      "\"ssd0\"\n"
      "[loader]\ndecode = \"none\"\n";
  const auto overrides = overrides_of(file);
  const Scenario read = parse_scenario(scenario, "one.toml", own_catalog(), overrides);
  const Drive& drive = *read.system->drives[0].model;
  CHECK(drive.read_rate.value == 31e3);
  CHECK(drive.provenance_of("read_rate").basis == Basis::calibrated);
  REQUIRE(read.calibrated.size() == 1);
  CHECK(read.calibrated[0].key == "system.drive[ssd0].model.read_rate");
  CHECK(read.calibrated[0].value == "31 kIOPS");
  CHECK(read.calibrated[0].before == "900 kIOPS");
  CHECK(read.calibrated[0].deviation == 0.04);
  auto both = overrides;
  both.push_back(parse_override("system.drive[ssd0].model.read_rate=7 kIOPS"));
  CHECK(parse_scenario(scenario, "one.toml", own_catalog(), both)
            .system->drives[0]
            .model->read_rate.value == 7e3);
}

TEST_CASE("what is no file of raw measurements, or of parameters, is refused") {
  CHECK(refusal_of([] { fit_raw("{}", "raw.json", ""); }) ==
        "raw.json: error: this is no file of raw measurements of gpufeed calibrate\n");
  CHECK(refusal_of([] {
          fit_raw(made_raw(R"({"node": 0})"), "raw.json", "");
        }).starts_with("raw.json: error: a measurement is damaged: "));
  const TemporaryFolder folder;
  const auto file = folder.write("p.toml", "title = \"a\"\nsource = \"b\"\ncatalog = \"gone\"\n");
  CHECK(refusal_of([&] { load_parameters(file); }).find("catalog: there is no folder") !=
        std::string::npos);
}

TEST_CASE(
    "every machine that was really measured: its raw measurements give its parameters again") {
  namespace fs = std::filesystem;
  const auto content = [](const fs::path& file) {
    std::ifstream in(file);
    return std::string{std::istreambuf_iterator<char>(in), {}};
  };
  int machines = 0;
  for (const auto& machine : fs::directory_iterator(GPUFEED_SOURCE_DIR "/calib/params")) {
    CAPTURE(machine.path());
    const Calibration found =
        fit_raw(content(machine.path() / "here.raw.json"), "raw", "here.catalog");
    CHECK(found.parameters == content(machine.path() / "here.toml"));
    for (const auto& [name, toml] : found.entries)
      CHECK(toml == content(machine.path() / "here.catalog" / (name + ".toml")));
    ++machines;
  }
  CHECK(machines > 0);
}

TEST_CASE("parameters of a machine are no fault of a job that has no use for them") {
  const TemporaryFolder folder;
  const auto overrides = overrides_of(load_parameters(folder.write(
      "here.toml",
      "title = \"here\"\nsource = \"made up\"\n[[parameter]]\npath = \"data.open_time\"\nvalue "
      "= \"9 us\"\n[[parameter]]\npath = \"system.drive[ssd0].model.read_bandwidth\"\nvalue = "
      "\"3 GB/s\"\n")));
  const std::string machine =
      "[system]\ntitle = \"one\"\n[[system.socket]]\nid = \"cpu0\"\nmodel = \"amd-epyc-7302\"\n"
      "memory = \"64 GiB\"\n[[system.drive]]\nid = \"ssd0\"\nmodel = "
      "\"samsung-pm9a3-3.84tb\"\nat = \"cpu0\"\n[data]\nat = \"ssd0\"\n";
  const std::string io = machine + "[workload]\nkind = \"io\"\nio = { queue_depth = 4 }\n";
  const Scenario reads = parse_scenario(io, "io.toml", own_catalog(), overrides);
  CHECK(reads.system->drives.front().model->read_bandwidth.value == 3e9);
  REQUIRE(reads.calibrated.size() == 1);
  CHECK(reads.calibrated.front().key == "system.drive[ssd0].model.read_bandwidth");
  // What the user says is.
  CHECK(refusal_of([&] {
          parse_scenario(io, "io.toml", own_catalog(), {parse_override("data.open_time=9 us")});
        }).find("data.open_time: no effect on a workload of kind \"io\"") != std::string::npos);
  const std::string loader =
      machine +
      "[workload]\nkind = \"loader\"\ndataset = \"cifar-10\"\n[loader]\ndecode = \"none\"\n";
  CHECK(parse_scenario(loader, "l.toml", own_catalog(), overrides).data.open_time.value == 9e-6);
}
