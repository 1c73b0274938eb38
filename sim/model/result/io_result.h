// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "sim/model/facts/limiters.h"
#include "sim/model/fields/told.h"

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

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("direction", &IoLine::direction, "read, write or mixed"));
    visit(key("iops", &IoLine::iops, "requests per second"));
    visit(key("bandwidth_Bps", &IoLine::bandwidth_Bps, "bytes per second"));
    visit(key("latency_mean_s", &IoLine::latency_mean_s,
              "mean time of a request: those under way over those per second; null: known "
              "of the mix alone"));
    visit(key("drive_lifetime_s", &IoLine::drive_lifetime_s,
              "until the first drive has taken the writes that it is built for; null: not "
              "known, or nothing is written"));
    visit(key("latency_p50_s", &IoLine::latency_p50_s,
              "half of the requests take no longer; null: the spread is not known"));
    visit(key("latency_p95_s", &IoLine::latency_p95_s, "likewise 95 %"));
    visit(key("latency_p99_s", &IoLine::latency_p99_s, "likewise 99 %"));
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

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("requests", &LogReplaySummary::requests, "in the log"));
    visit(key("log_s", &LogReplaySummary::log_s, "from the first request to the last, as made"));
    visit(key("replay_s", &LogReplaySummary::replay_s,
              "from the first request to the end of the last to end"));
    visit(key("hit_rate", &LogReplaySummary::hit_rate,
              "share of the bytes read that the page cache held, 0 to 1"));
    visit(key("read_B", &LogReplaySummary::read_B, "from the storage"));
    visit(key("written_B", &LogReplaySummary::written_B, "to the storage"));
  }
};

/// What a test of nvbandwidth prints.
struct TransferMatrix {
  std::string test;
  std::string title;
  std::vector<std::vector<double>> bandwidth_Bps;
  double sum_Bps = 0;
  std::vector<Limiter> limits;
  std::string begins;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("test", &TransferMatrix::test, "its name in nvbandwidth"));
    visit(key("title", &TransferMatrix::title, "what it copies"));
    visit(key("bandwidth_Bps", &TransferMatrix::bandwidth_Bps,
              "rows of columns, bytes per second; null: not measured"));
    visit(key("sum_Bps", &TransferMatrix::sum_Bps, "of all of them"));
    visit(told("limited_by", &TransferMatrix::limits, "deprecated: limits, in words"));
    visit(key("limits", &TransferMatrix::limits, "what binds, most often first"));
    visit(key("begins", &TransferMatrix::begins,
              "the test whose first matrix it is; empty: a further one of the same"));
  }
};

/// A collective of one size, as nccl-tests prints it.
struct CollectiveTime {
  std::string operation;
  double size_B = 0;
  double time_s = 0;
  double algorithm_Bps = 0;
  double bus_Bps = 0;
  std::string algorithm;
  std::string protocol;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("operation", &CollectiveTime::operation, "collective"));
    visit(key("size_B", &CollectiveTime::size_B, "of the whole buffer"));
    visit(key("time_s", &CollectiveTime::time_s, "of one, alone"));
    visit(key("algorithm_Bps", &CollectiveTime::algorithm_Bps, "size over time (algbw)"));
    visit(key("bus_Bps", &CollectiveTime::bus_Bps,
              "bytes that every rank must send at least, over time (busbw)"));
    visit(key("algorithm", &CollectiveTime::algorithm, "how the ranks pass their parts on"));
    visit(key("protocol", &CollectiveTime::protocol, "how what has arrived is marked"));
  }
};

/// One of the copies that run at the same time.
struct CopyRate {
  std::string from;
  std::string to;
  std::string via;
  std::int64_t streams = 0;
  double bandwidth_Bps = 0;
  Limiter limit;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("from", &CopyRate::from, "part"));
    visit(key("to", &CopyRate::to, "part"));
    visit(key("via", &CopyRate::via, "the GPU that passes the data on"));
    visit(key("streams", &CopyRate::streams, "how many at once"));
    visit(key("bandwidth_Bps", &CopyRate::bandwidth_Bps, "of all its streams"));
    visit(told("limited_by", &CopyRate::limit, "deprecated: limit, in words"));
    visit(key("limit", &CopyRate::limit, "what binds it"));
  }
};

}  // namespace gpufeed
