// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/base/pages.h"
#include "sim/model/catalog/stores.h"
#include "sim/model/catalog/system.h"

namespace gpufeed {

/// before: the whole data set before training; first_epoch: training reads from the store during
/// the first epoch, and what it reads is written to the drives at the same time; read_through: the
/// drives are a cache of the store in every epoch.
enum class StagingMode { before, first_epoch, read_through };
template <>
struct EnumNames<StagingMode> {
  static constexpr std::array<std::string_view, 3> names{"before", "first-epoch", "read-through"};
};

/// Copying the data set in from a store, or keeping a part of it.
struct Staging {
  PartRef from;
  StagingMode mode = StagingMode::before;
  std::optional<Bandwidth> rate;
  std::optional<Bytes> capacity;
  Defaulted<CacheEviction> eviction{CacheEviction::lru};
  std::optional<Bytes> block;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    visit(key("from", &Staging::from, "the store to copy from").needed());
    visit(key("mode", &Staging::mode,
              "when to copy: before training, or while the first epoch reads from the store; "
              "read-through: data.at is a cache of the store, whose misses are read there and "
              "written to it"));
    visit(key("rate", &Staging::rate, "the most that the copy attains, where measured")
              .between(1_kBps, 1e3_TBps));
    visit(key("capacity", &Staging::capacity,
              "read-through: what the cache may hold on each node; default: all of data.at")
              .between(1_MB, 1e3_PB));
    visit(key("eviction", &Staging::eviction,
              "read-through: what leaves a full cache: the least recently read (lru), what came "
              "first (fifo), or nothing, so that what came first stays (pinned)")
              .except("what the store's protocol says (cache_eviction)"));
    visit(key("block", &Staging::block,
              "read-through: what is fetched for a small read at least, and leaves as a whole; "
              "default: what the store's protocol says (cache_block), else a whole file")
              .between(4_kB, 1_TB));
  }
};

/// Where the bytes of a read go first: through host memory, or by GPUDirect Storage straight into
/// the GPU.
enum class ReadPath { host, gpudirect };
template <>
struct EnumNames<ReadPath> {
  static constexpr std::array<std::string_view, 2> names{"host", "gpudirect"};
};

/// Through the page cache with its readahead, or around it (O_DIRECT).
enum class ReadMode { buffered, direct };
template <>
struct EnumNames<ReadMode> {
  static constexpr std::array<std::string_view, 2> names{"buffered", "direct"};
};

struct Data {
  PartRef at;
  std::optional<Staging> staging;
  ReadPath path = ReadPath::host;
  Defaulted<ReadMode> mode{ReadMode::buffered};
  Bytes readahead{131072};
  std::optional<Bytes> request;
  Defaulted<bool> huge_pages;
  Defaulted<std::int64_t> open_requests;
  Seconds open_time;
  Defaulted<bool> mapped;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    visit(key("at", &Data::at,
              "where training reads: a volume, a drive or a store; default: the only one"));
    visit(key("staging", &Data::staging, "copy the data set in first"));
    visit(key("path", &Data::path,
              "through host memory, or straight into the GPUs (GPUDirect Storage)"));
    visit(key("mode", &Data::mode, "through the page cache, or around it (O_DIRECT)")
              .except("path = \"gpudirect\": direct")
              .or_else(ReadMode::direct));
    visit(key("readahead", &Data::readahead,
              "buffered: what the kernel reads ahead (/sys/block/*/queue/read_ahead_kb)")
              .between(4_kB, 1_GB)
              .or_else(4_MB));
    visit(key("request", &Data::request,
              "direct: bytes that a reader asks for at once; default: the whole sample")
              .between(512_B, 1_TB));
    visit(key("huge_pages", &Data::huge_pages,
              "direct, on drives and volumes: whether a reader's memory lies in huge pages, so "
              "that the drive does not look up each page of 4 KiB (page_time)")
              .except("where a reader asks for 4 MiB and more at once, true: NumPy asks the kernel "
                      "for huge pages then"));
    visit(
        key("open_requests", &Data::open_requests,
            "requests besides those for its data that a file costs which is not in memory: for its "
            "inode, and its directory")
            .between(0, 64)
            .except("drives and volumes: 1"));
    visit(key("open_time", &Data::open_time,
              "and what its reader waits besides these requests, on drives and volumes: for the "
              "file system, and to be woken; the inode in memory makes it no shorter")
              .between(0_s, 1_s)
              .or_else(100_us));
    visit(
        key("mapped", &Data::mapped,
            "of data sets of format indexed, read at random: whether the file is mapped to memory, "
            "where a page that is missing brings `readahead` bytes around it; false: bytes are "
            "asked for by calls (--no-mmap-bin-files)")
            .except("indexed, in random order and buffered: true"));
  }
};

/// Whether a direct reader of samples of that size asks for huge pages where nobody says.
inline bool asks_for_huge_pages(const Data& data, Bytes sample) {
  return data.request.value_or(sample).value >= kInHugePagesFromBytes;
}

}  // namespace gpufeed
