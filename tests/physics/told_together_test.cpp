// SPDX-License-Identifier: Apache-2.0
// Drives that tell their readers together that they were served: these go in step.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "sim/load/load.h"
#include "sim/model/scenario.h"
#include "sim/simulate.h"
#include "tests/support/approx.h"
#include "tests/support/catalog.h"

using namespace gpufeed;

namespace {

constexpr double kReadBytes = 8e6;
constexpr double kReadBps = 4e9;
constexpr double kReadWait = 1e-4;
constexpr double kWorkBetween = 1.5e-3;  ///< of a core for a sample

/// Samples a second that so many workers make, each with a core and batches of one sample.
double rate_of(const std::string& completions, int workers, const std::string& at = "vda",
               const std::string& more = "") {
  const std::string text = fmt::format(
      R"(title = "t"
system = {{ title = "t", socket = [{{ id = "cpu0", memory = "64 GiB", model = "amd-epyc-9354" }}], drive = [{}] }}
[workload]
kind = "emulated"
batch_per_gpu = 1
dataset_samples = 4000
[workload.job]
title = "j"
source = "a test"
basis = "estimate"
accelerator = "a timer"
batch = 1
compute_time = "0 s"
read_threads = {}
threshold = "1 %"
[workload.job.dataset]
title = "d"
source = "a test"
basis = "estimate"
samples = 4000
sample_size = "{} B"
decode_time = "{} s"
[data]
at = "{}"
mode = "direct"
{}
[loader]
workers_per_gpu = {}
cache = "none"
)",
      [&] {
        std::string drives;
        for (const char* id : {"vda", "vdb"})
          drives += fmt::format(
              R"({{ id = "{}", at = "cpu0", model = {{ title = "d", source = "a test", basis = "estimate", capacity = "1 TB", read_bandwidth = "{} B/s", write_bandwidth = "1 GB/s", read_rate = "1 MIOPS", read_latency = "{} s", request_bandwidth = "200 GB/s", largest_request = "1 GB", sharpness = "2000 %", file_efficiency = "100 %", completions = "{}" }} }},)",
              id, kReadBps, kReadWait, completions);
        return drives.substr(0, drives.size() - 1);
      }(),
      workers, kReadBytes, kWorkBetween, at, more, workers);
  const Result result = simulate(parse_scenario(text, "test.toml", own_catalog()));
  return result.throughput_samples_per_s;
}

}  // namespace

TEST_CASE("readers that are told together go in step: the drive idles while they work") {
  for (const int workers : {2, 4, 8}) {
    CAPTURE(workers);
    // All are served, all learn it, all work, all ask again.
    const double cycle = kReadWait + workers * kReadBytes / kReadBps + kWorkBetween;
    CHECK(rate_of("together", workers) == approx(workers / cycle).epsilon(0.02));
  }
}

TEST_CASE("readers that are told each overlap, until the drive is busy all the time") {
  CHECK(rate_of("each", 1) == approx(rate_of("together", 1)));
  for (const int workers : {2, 4}) {
    CAPTURE(workers);
    const double each = rate_of("each", workers);
    CHECK(each > 1.05 * rate_of("together", workers));
    CHECK(each <= kReadBps / kReadBytes * 1.001);
  }
}
