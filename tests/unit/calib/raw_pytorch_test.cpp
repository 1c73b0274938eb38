// SPDX-License-Identifier: Apache-2.0
#include "calib/fit/raw_pytorch.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "calib/fit/raw_fit.h"

using namespace gpufeed;

namespace {

/// \param taking  a list of what the taking process waited for
std::string made_pytorch(const std::string& taking) {
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
  return
      R"({"gpufeed_raw": 1, "pytorch": {"tools": "torch 0", "worker_start_s": [0.03, 0.03, 0.03],
      "decode": [)" +
      point(16, 1e4) + "," + point(16, 1e5) + "," + point(16, 1e6) + R"(], "batches": [)" +
      point(1, 1e3) + "," + point(4, 1e3) + "," + point(16, 1e3) +
      R"(], "memory_returned": [{"codec": "bytes", "width": )" + fmt::format("{}", 1e5 / 3) +
      R"(, "detail": 0, "sample_s": )" + fmt::format("{}", 1.5 * (20e-6 + 1e-4 + 200e-6 / 16)) +
      R"(}], "taking": [)" + taking + "]}}";
}

}  // namespace

TEST_CASE("PyTorch: what its loader costs by worker, batch and byte, and what its decoders do") {
  const Calibration found = fit_raw(made_pytorch(""), "raw", "none");
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

TEST_CASE("PyTorch: what the taking process waits for, with cores free and with all of them busy") {
  // Made up: answers take 0.2 ms; two workers on two cores double what taking takes, and 0.1 ms.
  const auto found = [](double beyond) {
    std::string rows;
    for (const double taken : {0.5e-3, 1e-3, 2e-3})
      for (const bool busy : {false, true})
        rows += fmt::format(
            R"({}{{"workers": {}, "cores": 2, "pause_s": {}, "batch_waited_s": {}, "batch_taken_s": {}}})",
            rows.empty() ? "" : ",", busy ? 2 : 1, busy ? 0 : 0.02,
            0.2e-3 + (busy ? taken + beyond : 0), taken);
    return fit_raw(made_pytorch(rows), "raw", "none");
  };
  const Calibration some = found(0.1e-3);
  CHECK(some.parameters.find("loader.take_over_wait\"\nvalue = \"200 us\"") != std::string::npos);
  CHECK(some.parameters.find("loader.take_over_busy_wait\"\nvalue = \"100 us\"") !=
        std::string::npos);
  const Calibration none = found(-0.1e-3);
  CHECK(std::ranges::count(none.refused,
                           "loader.take_over_busy_wait: sharing a core explains all that it waits "
                           "for where all are busy") == 1);
}
