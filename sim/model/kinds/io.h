// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "sim/model/fields/entry.h"
#include "sim/model/kinds/access_log.h"

namespace gpufeed {

enum class AccessPattern { random, sequential };
template <>
struct EnumNames<AccessPattern> {
  static constexpr std::array<std::string_view, 2> names{"random", "sequential"};
};

/// What hands requests to the kernel, or past it. io_uring_polled: with --hipri, registered buffers
/// and files.
enum class IoEngine { psync, libaio, io_uring, io_uring_polled, spdk };
template <>
struct EnumNames<IoEngine> {
  static constexpr std::array<std::string_view, 5> names{"psync", "libaio", "io_uring",
                                                         "io_uring-polled", "spdk"};
};

/// What fio would do on `data.at`: `jobs` processes that each keep `queue_depth` requests of
/// `block_size` under way. Or the requests of a log, at the times at which a program made them.
struct IoJob {
  Bytes block_size{4096};
  std::int64_t queue_depth = 1;
  std::int64_t jobs = 1;
  AccessPattern pattern = AccessPattern::random;
  std::optional<Bytes> file_size;
  Ratio read_share{1.0};
  bool direct = true;
  IoEngine engine = IoEngine::libaio;
  std::int64_t batch = 1;
  PartRef memory;
  std::optional<FileRef> log;
  std::shared_ptr<const AccessLog> requests;  ///< what `log` holds

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    visit(key("block_size", &IoJob::block_size, "bytes of one request (fio: bs)")
              .between(512_B, 1_GB));
    visit(key("queue_depth", &IoJob::queue_depth,
              "requests that each job keeps under way (fio: iodepth)")
              .between(1, 65536));
    visit(key("jobs", &IoJob::jobs, "processes (fio: numjobs)").between(1, 4096));
    visit(key("pattern", &IoJob::pattern, "order of the requests"));
    visit(key("file_size", &IoJob::file_size,
              "of each file that a job reads or writes (fio: filesize); a store's client opens "
              "each; default: one without end")
              .between(512_B, 1e3_TB));
    visit(key("read_share", &IoJob::read_share, "share of reads (fio: rwmixread)")
              .between(0_percent, 100_percent));
    visit(key("direct", &IoJob::direct, "false: through the page cache, which stays cold"));
    visit(
        key("engine", &IoJob::engine,
            "what hands requests over (fio: ioengine), each job on a core: sets how many a second "
            "one job reaches"));
    visit(key("batch", &IoJob::batch,
              "requests that libaio or io_uring hands over by one call (fio: "
              "iodepth_batch_submit)")
              .between(1, 65536));
    visit(key("memory", &IoJob::memory,
              "socket whose memory takes the data; default: the nearest of each drive"));
    visit(key("log", &IoJob::log,
              "instead of block_size, queue_depth, jobs, pattern and read_share: a log of "
              "requests to replay, as gpufeed import log reads it"));
  }
};

namespace kind {

/// What fio does.
struct Io {
  static constexpr std::string_view kName = "io";
  static constexpr std::array<std::string_view, 5> kTakes{
      "data.at", "data.readahead", "loader.cache", "loader.cache_memory", "store"};
  static constexpr std::array<std::string_view, 0> kLeaves{};

  std::optional<IoJob> io;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    visit(key("io", &Io::io, "the requests"));
  }
};

}  // namespace kind
}  // namespace gpufeed
