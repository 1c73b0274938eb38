// SPDX-License-Identifier: Apache-2.0
#include "reports/writers/without_training_text.h"

#include <doctest/doctest.h>

#include <limits>

#include "reports/writers/json.h"
#include "reports/writers/text.h"
#include "sim/model/workload.h"
#include "tests/support/evidence.h"

using namespace gpufeed;

namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();

Result mixed_io() {
  Result r;
  r.title = "Two mirrored drives";
  r.kind = kind_of<kind::Io>;
  r.system = "A box";
  r.workload = "fio --rw=randrw --rwmixread=70 --bs=4096 --iodepth=4 --numjobs=2 --direct=1";
  r.storage = "data: 2 x NVMe SSD (ssd0, ssd1), raid1";
  r.io = {{"read", 38700, 38700 * 4096.0, kNone, kNone},
          {"write", 16590, 16590 * 4096.0, kNone, 1.2e8},
          {"mixed", 55290, 55290 * 4096.0, 144.69e-6, kNone}};
  r.resources = {{"ssd0", "drive", 79.3e6, "B/s", 1, "its datasheet", "datasheet"},
                 {"ssd1", "drive", 79.3e6, "B/s", 1, "its datasheet", "datasheet"},
                 {"ssd0 -> cpu0", "bus", 3.2e9, "B/s", 0.0248, "measured once", "measured"},
                 {"cpu0 memory", "memory", 6e10, "B/s", 0.0038, "guessed", "estimate"}};
  const auto ssds = parts({"ssd0", "ssd1"});
  r.bottleneck = {
      ssds, {evidence_of<EvidenceCode::drives_busy>(ssds)}, parts({"ssd0 -> cpu0"}), 40.3, {}};
  r.defaults = {{"run.seed", "1"}};
  r.warnings = {fact<WarningCode::drive_figure_unknown>("write_rate", "x", "read_rate")};
  return r;
}

Result transfers() {
  Result r;
  r.title = "Two GPUs";
  r.kind = kind_of<kind::Transfers>;
  r.system = "A box";
  r.workload = "nvbandwidth: host_to_device, device_to_device_bidirectional; 2 copies at once";
  r.transfers = {{"host_to_device_memcpy_ce",
                  "memcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)",
                  {{12.08e9, 12.084e9}},
                  24.164e9,
                  {parts({"cpu0 -> gpu0"})},
                  "host_to_device_memcpy_ce"},
                 {"device_to_device_bidirectional_memcpy_write_ce_write1",
                  "memcpy CE GPU(row) <-> GPU(column) Write1 bandwidth (GB/s)",
                  {{kNone, 100e9}, {98.5e9, kNone}},
                  198.5e9,
                  {parts({"gpu0 -> gpu1"})},
                  "device_to_device_bidirectional_memcpy_write_ce"},
                 {"device_to_device_bidirectional_memcpy_write_ce_total",
                  "memcpy CE GPU(row) <-> GPU(column) Total bandwidth (GB/s)",
                  {{kNone, 198.5e9}, {198.5e9, kNone}},
                  397e9,
                  {parts({"gpu0 -> gpu1"})},
                  ""}};
  r.copies = {{"gpu0", "gpu1", "gpu2", 1, 8.65e9, fact<LimiterCode::forwarding>("gpu2")},
              {"cpu0", "gpu1", "", 3, 12.08e9, parts({"cpu0 -> gpu1"})}};
  r.resources = {{"cpu0 -> gpu0", "bus", 12.08e9, "B/s", 1, "bandwidthTest", "measured"}};
  using enum EvidenceCode;
  const auto link = parts({"cpu0 -> gpu0"});
  r.bottleneck = {link,
                  {evidence_of<binds>(link, 2, 6), evidence_of<carries>(link, Bandwidth{12.1e9})},
                  {},
                  0,
                  {}};
  return r;
}

}  // namespace

TEST_CASE("numbers are shortened as fio shortens them") {
  CHECK(fio_number(192000, false) == "192k");
  CHECK(fio_number(21140, false) == "21.1k");
  CHECK(fio_number(2364, false) == "2364");
  CHECK(fio_number(10000, false) == "10.0k");
  CHECK(fio_number(1.5e6, false) == "1500k");
  CHECK(fio_number(12.34e6, false) == "12.3M");
  CHECK(fio_number(1999600, false) == "2000k");
  CHECK(fio_number(67.95e6, false) == "68.0M");
  CHECK(fio_number(9.996e6, false) == "9996k");
  CHECK(fio_number(99.96e6, false) == "100M");
  CHECK(fio_number(9.999 * 1048576, true) == "10.0Mi");
  CHECK(fio_rate(86.6e6) == "82.6MiB/s (86.6MB/s)");
  CHECK(fio_rate(2365 * 1048576.0) == "2365MiB/s (2480MB/s)");
  CHECK(fio_rate(64.9 * 1048576) == "64.9MiB/s (68.1MB/s)");
  CHECK(fio_rate(10230) == "9.99KiB/s (10.2kB/s)");
  CHECK(fio_rate(500) == "500B/s (500B/s)");
}

TEST_CASE("latencies stand in the unit that fio picks") {
  const auto line_of = [](double seconds) {
    Result result;
    result.kind = kind_of<kind::Io>;
    result.io = {{"read", 1, 4096, seconds, kNone}};
    const std::string text = text_without_training(result);
    const auto begin = text.find("     lat");
    return text.substr(begin, text.find('\n', begin) - begin);
  };
  CHECK(line_of(1.5e-6) == "     lat (nsec): avg=1500.00");
  CHECK(line_of(83.4e-6) == "     lat (usec): avg=83.40");
  CHECK(line_of(2.4e-6) == "     lat (usec): avg= 2.40");
  CHECK(line_of(6.73964e-3) == "     lat (usec): avg=6739.64");
  CHECK(line_of(0.25) == "     lat (msec): avg=250.00");
}

TEST_CASE("the screen of an io workload begins as fio's report") {
  CHECK(to_text(mixed_io()) == R"(Two mirrored drives

System                A box
Workload              fio --rw=randrw --rwmixread=70 --bs=4096 --iodepth=4 --numjobs=2 --direct=1
Storage               data: 2 x NVMe SSD (ssd0, ssd1), raid1

  read: IOPS=38.7k, BW=151MiB/s (159MB/s)
  write: IOPS=16.6k, BW=64.8MiB/s (68.0MB/s)
  mixed: IOPS=55.3k, BW=216MiB/s (226MB/s)
     lat (usec): avg=144.69

Run status group 0 (all jobs):
   READ: bw=151MiB/s (159MB/s)
  WRITE: bw=64.8MiB/s (68.0MB/s)
  MIXED: bw=216MiB/s (226MB/s)

Drive lifetime        3.8 years of such writes, by the endurance that the maker states

What it takes                                              load  of at most  known by
  ssd0 and 1 like it            [####################]    100 %   79.3 MB/s  datasheet
  ssd0 -> cpu0                  [....................]    2.5 %    3.2 GB/s  measured
  cpu0 memory                   [....................]    0.4 %     60 GB/s  estimate

Bottleneck            ssd0, ssd1: busy all the time
Next limit            ssd0 -> cpu0, at 40 times the present rate

Defaults in use       those of all keys not given (gpufeed check --defaults FILE lists them)
Warning               the write_rate of x is not known; its read_rate stands for it
)");
}

TEST_CASE("the screen of transfers begins as nvbandwidth's output") {
  CHECK(to_text(transfers()) == R"(Two GPUs

System                A box
Workload              nvbandwidth: host_to_device, device_to_device_bidirectional; 2 copies at once

Running host_to_device_memcpy_ce.
memcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)
           0         1
 0     12.08     12.08

SUM host_to_device_memcpy_ce 24.16

Running device_to_device_bidirectional_memcpy_write_ce.
memcpy CE GPU(row) <-> GPU(column) Write1 bandwidth (GB/s)
           0         1
 0       N/A    100.00
 1     98.50       N/A

SUM device_to_device_bidirectional_memcpy_write_ce_write1 198.50

memcpy CE GPU(row) <-> GPU(column) Total bandwidth (GB/s)
           0         1
 0       N/A    198.50
 1    198.50       N/A

SUM device_to_device_bidirectional_memcpy_write_ce_total 397.00

Copies at the same time                                     GB/s  limited by
  gpu0 -> gpu1 via gpu2                                     8.65  storing and forwarding in gpu2
  cpu0 -> gpu1, 3 streams                                  12.08  cpu0 -> gpu1
  sum                                                      20.73

What it takes                                              load  of at most  known by
  cpu0 -> gpu0                  [####################]    100 %   12.1 GB/s  measured

Bottleneck            cpu0 -> gpu0 limits 2 of 6 rates; cpu0 -> gpu0: at most 12.1 GB/s
)");
}

TEST_CASE("several results share a table with those of their kind") {
  CHECK(to_table({mixed_io(), transfers(), mixed_io()}) ==
        R"(                                                             mean
    Scenario               IOPS        read       write   latency  bottleneck
 1  Two mirrored drives   55.3k    151MiB/s   64.8MiB/s    145 us  ssd0, ssd1
 3  Two mirrored drives   55.3k    151MiB/s   64.8MiB/s    145 us  ssd0, ssd1

                  slowest      fastest
    Scenario         copy         copy  bottleneck
 2  Two GPUs    8.65 GB/s     199 GB/s  cpu0 -> gpu0
)");
  CHECK(to_reasons({mixed_io()}) == R"( 1  ssd0, ssd1: busy all the time
)");
}

TEST_CASE("the JSON of results without training reads back exactly") {
  for (const Result& result : {mixed_io(), transfers()}) {
    const std::string json = to_json(result);
    CHECK(to_json(result_from_json(json)) == json);
  }
  CHECK(to_json(mixed_io()).find("\"latency_mean_s\": null") != std::string::npos);
  CHECK(to_json(transfers()).find("null,\n          100000000000.0") != std::string::npos);
}

TEST_CASE("rates of products that hardly compute stay within their columns") {
  Result r;
  r.kind = kind_of<kind::Matmul>;
  r.products = {{8192, 8192, 8192, 1.45e-3, 7.57e14, 0.77, fact<LimiterCode::computing>()},
                {1, 8192, 8192, 5.15e-5, 2.6e12, 0.0026, fact<LimiterCode::memory>()},
                {1, 1, 1, 2.94e-6, 6.8e5, 6.9e-10, fact<LimiterCode::starting>()}};
  const std::string screen = to_text(r);
  CHECK(screen.find("     8192     8192     8192      1450.00        757    77 %  computing\n") !=
        std::string::npos);
  CHECK(screen.find("        1     8192     8192        51.50        2.6  0.26 %  memory\n") !=
        std::string::npos);
  CHECK(screen.find("        1        1        1         2.94     <0.001 <0.01 %  starting\n") !=
        std::string::npos);
}
