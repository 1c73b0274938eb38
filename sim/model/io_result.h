// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "sim/model/field.h"

namespace gpufeed {

/// One direction of an io workload; reads and writes of a mix have a third line, "mixed".
struct IoLine {
  std::string direction;
  double iops = 0;
  double bandwidth_Bps = 0;
  double latency_mean_s = 0;    ///< infinite: only the mean of the mix is known
  double drive_lifetime_s = 0;  ///< infinite: not known, or nothing is written
  // Infinite unless every request was simulated, as in the replay of a log.
  double latency_p50_s = std::numeric_limits<double>::infinity();
  double latency_p95_s = std::numeric_limits<double>::infinity();
  double latency_p99_s = std::numeric_limits<double>::infinity();

  static constexpr auto fields() {
    return std::tuple{
        key<IoLine>("direction", &IoLine::direction, "read, write or mixed"),
        key<IoLine>("iops", &IoLine::iops, "requests per second"),
        key<IoLine>("bandwidth_Bps", &IoLine::bandwidth_Bps, "bytes per second"),
        key<IoLine>("latency_mean_s", &IoLine::latency_mean_s,
                    "mean time of a request: those under way over those per second; null: known "
                    "of the mix alone"),
        key<IoLine>("drive_lifetime_s", &IoLine::drive_lifetime_s,
                    "until the first drive has taken the writes that it is built for; null: not "
                    "known, or nothing is written"),
        key<IoLine>("latency_p50_s", &IoLine::latency_p50_s,
                    "half of the requests take no longer; null: the spread is not known"),
        key<IoLine>("latency_p95_s", &IoLine::latency_p95_s, "likewise 95 %"),
        key<IoLine>("latency_p99_s", &IoLine::latency_p99_s, "likewise 99 %")};
  }
};

/// What became of a log that was replayed.
struct LogReplaySummary {
  std::int64_t requests = 0;
  double log_s = 0;
  double replay_s = 0;
  double hit_rate = 0;
  double read_B = 0;
  double written_B = 0;

  static constexpr auto fields() {
    return std::tuple{
        key<LogReplaySummary>("requests", &LogReplaySummary::requests, "in the log"),
        key<LogReplaySummary>("log_s", &LogReplaySummary::log_s,
                              "from the first request to the last, as made"),
        key<LogReplaySummary>("replay_s", &LogReplaySummary::replay_s,
                              "from the first request to the end of the last to end"),
        key<LogReplaySummary>("hit_rate", &LogReplaySummary::hit_rate,
                              "share of the bytes read that the page cache held, 0 to 1"),
        key<LogReplaySummary>("read_B", &LogReplaySummary::read_B, "from the storage"),
        key<LogReplaySummary>("written_B", &LogReplaySummary::written_B, "to the storage")};
  }
};

/// What a test of nvbandwidth prints.
struct TransferMatrix {
  std::string test;
  std::string title;
  std::vector<std::vector<double>> bandwidth_Bps;
  double sum_Bps = 0;
  std::vector<std::string> limited_by;

  static constexpr auto fields() {
    return std::tuple{key<TransferMatrix>("test", &TransferMatrix::test, "its name in nvbandwidth"),
                      key<TransferMatrix>("title", &TransferMatrix::title, "what it copies"),
                      key<TransferMatrix>("bandwidth_Bps", &TransferMatrix::bandwidth_Bps,
                                          "rows of columns, bytes per second; null: not measured"),
                      key<TransferMatrix>("sum_Bps", &TransferMatrix::sum_Bps, "of all of them"),
                      key<TransferMatrix>("limited_by", &TransferMatrix::limited_by,
                                          "what binds, most often first")};
  }
};

/// One of the copies that run at the same time.
struct CopyRate {
  std::string from;
  std::string to;
  std::string via;
  std::int64_t streams = 0;
  double bandwidth_Bps = 0;
  std::string limited_by;

  static constexpr auto fields() {
    return std::tuple{
        key<CopyRate>("from", &CopyRate::from, "part"),
        key<CopyRate>("to", &CopyRate::to, "part"),
        key<CopyRate>("via", &CopyRate::via, "the GPU that passes the data on"),
        key<CopyRate>("streams", &CopyRate::streams, "how many at once"),
        key<CopyRate>("bandwidth_Bps", &CopyRate::bandwidth_Bps, "of all its streams"),
        key<CopyRate>("limited_by", &CopyRate::limited_by, "the resource that binds it")};
  }
};

}  // namespace gpufeed
