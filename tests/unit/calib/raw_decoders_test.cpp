// SPDX-License-Identifier: Apache-2.0
#include "calib/fit/raw_decoders.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <utility>

#include "calib/fit/raw_fit.h"

using namespace gpufeed;

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
  CHECK(found.parameters.find("catalog = \"none\"\n") != std::string::npos);
  // Where no folder of entries is written, none is named.
  const auto alone = fit_raw(R"({"gpufeed_raw": 1, "decode": [)" + points + "]}", "raw", "");
  CHECK(alone.parameters.find("catalog = ") == std::string::npos);
  CHECK(alone.parameters.find("\n# Only written with --output FILE, beside it: "
                              "decoder/calibrated-npz\n") != std::string::npos);
}

TEST_CASE("what all cores lose at decoding is measured with a worker on each") {
  // Made up: four cores; alone, a sample takes 10 ns a byte.
  const auto found = [](double longer, double read) {
    std::string points;
    for (const auto& [workers, bytes] : {std::pair{1, 1e4}, {1, 1e5}, {1, 1e6}, {4, 1e5}})
      points += fmt::format(
          R"({}{{"codec": "jpeg", "width": {}, "height": 100, "detail": 0.1, "workers": {},
          "stored_B": {}, "decoded_batch_B": 9, "sample_s": {}, "sample_read_s": {},
          "batch_taken_s": 1e-3, "threads_per_core": 1}})",
          points.empty() ? "" : ",", bytes / 100, workers, bytes,
          bytes * (read + 1e-8 * (workers == 1 ? 1 : longer)), bytes * read);
    return fit_raw(R"({"gpufeed_raw": 1, "decode": [)" + points + "]}", "raw", "none")
        .entries.at("decoder/calibrated-jpeg");
  };
  // speed(1/4) / speed(1) = (1 - 0.2 / 4) / 0.8 = 1.1875
  CHECK(found(1.1875, 0).find("load = \"25 %\"\nall_core_speed = \"80 %\"\n") != std::string::npos);
  CHECK(found(1.1875, 5e-9).find("all_core_speed = \"80 %\"\n") != std::string::npos);
  CHECK(found(1.1875, 2e-8).find("all_core_speed") == std::string::npos);  // most of it is reading
  CHECK(found(1.005, 0).find("all_core_speed") == std::string::npos);
  CHECK(found(0.9, 0).find("all_core_speed") == std::string::npos);
}

TEST_CASE("what all cores lose is the median of all kinds of samples, one of which was disturbed") {
  // Made up: two cores; alone 10 ns a byte, both at work 11; one alone was measured in bad company.
  std::string points;
  for (const double bytes : {1e4, 5e4, 1e5, 1e6})
    for (const int workers : {1, 2})
      points += fmt::format(
          R"({}{{"codec": "jpeg", "width": {}, "height": 100, "detail": 0.1, "workers": {},
          "stored_B": {}, "decoded_batch_B": 9, "sample_s": {}, "batch_taken_s": 1e-3,
          "threads_per_core": 1}})",
          points.empty() ? "" : ",", bytes / 100, workers, bytes,
          bytes * (workers == 2   ? 1.1e-8
                   : bytes == 1e5 ? 1.3e-8
                                  : 1e-8));
  const Calibration found =
      fit_raw(R"({"gpufeed_raw": 1, "decode": [)" + points + "]}", "raw", "none");
  // (1 - 1/2) / (1.1 - 1/2)
  CHECK(found.entries.at("decoder/calibrated-jpeg").find("all_core_speed = \"83.33 %\"\n") !=
        std::string::npos);
  CHECK(fmt::format("{}", fmt::join(found.told, "\n"))
            .find("jpeg: with 2 workers at once a sample takes 1.10 times as long in each") !=
        std::string::npos);
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
