// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/model/fields/entry.h"
#include "sim/model/fields/redundancy.h"

namespace gpufeed {

/// Who splits what is written into chunks, and joins the chunks of what is read. client: each
/// chunk goes between its server and the client. server: one server of a stripe speaks for it, and
/// passes on what the others have or shall keep. any_server: any server of the store does, whether
/// or not it has some of it.
enum class ChunksBy { client, server, any_server };
template <>
struct EnumNames<ChunksBy> {
  static constexpr std::array<std::string_view, 3> names{"client", "server", "any-server"};
};

/// What makes one store of servers: Ceph, DAOS, BeeGFS, MinIO.
struct StorageSoftware : Entry {
  static constexpr std::string_view kKind = "storage-software";
  std::optional<Redundancy> redundancy;
  bool erasure_code = true;
  std::int64_t most_copies = 1;
  LeastChunks min_size = LeastChunks::data;
  std::optional<LeastChunks> write_quorum;
  std::optional<std::int64_t> set_drives;
  ChunksBy chunks_by = ChunksBy::client;
  bool whole_stripes = false;
  std::optional<Bandwidth> core_read_bandwidth;
  std::optional<Bandwidth> core_write_bandwidth;
  std::optional<Rate> drive_read_rate;
  std::optional<Seconds> latency;
  Ratio fill{1.0};
  std::vector<std::string> protocols;
  std::string client;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    using S = StorageSoftware;
    entry_fields(visit);
    visit(key("redundancy", &S::redundancy,
              "what it is usually set to, such as \"replica 3\" or \"8+2\"; of smaller sets of "
              "drives as many spare chunks, half of them at most; default: not known"));
    visit(key("erasure_code", &S::erasure_code, "whether it knows codes such as 8+2"));
    visit(key("most_copies", &S::most_copies,
              "copies that it keeps of a byte at most; 1: it knows "
              "no copies")
              .between(1, 100));
    visit(key("min_size", &S::min_size,
              "chunks of a stripe that must be left for it to be served: data, as many as can be "
              "read; spare, of codes one more and of copies half (Ceph); majority, over half"));
    visit(key("write_quorum", &S::write_quorum, "the same of writes; default: as min_size"));
    visit(key("set_drives", &S::set_drives,
              "drives of a set at most, over which all stripes of it lie, evenly over servers, "
              "several chunks on one where there are few; default: each chunk on a server of its "
              "own")
              .between(2, kWidestStripe));
    visit(key("chunks_by", &S::chunks_by,
              "who splits and joins data: the client, a server that has some of them, or any "
              "server, which passes on what others have"));
    visit(key("whole_stripes", &S::whole_stripes,
              "whether a small read of a code reads all data chunks of its stripe"));
    visit(key("core_read_bandwidth", &S::core_read_bandwidth,
              "bytes per second that one core of a server moves from drives to clients; default: "
              "not known, and cores limit nothing")
              .between(1_MBps, 1_TBps));
    visit(key("core_write_bandwidth", &S::core_write_bandwidth,
              "the same of bytes that drives write, redundancy included; default: not known")
              .between(1_MBps, 1_TBps));
    visit(key("drive_read_rate", &S::drive_read_rate,
              "reads of 4 KiB per second that it answers from one drive; default: as many as the "
              "drive does")
              .between(10_per_s, 1e9_per_s));
    visit(key("latency", &S::latency,
              "of one small read, beside drive and network; default: not known, and none")
              .between(0_s, 1_s));
    visit(key("fill", &S::fill, "part of its space that it lets data take")
              .between(10_percent, 100_percent));
    visit(key("protocols", &S::protocols,
              "families of protocols that it speaks, as of an array; default: not known, and any"));
    visit(key("client", &S::client,
              "protocol by which hosts usually read it; default: that of the first of its "
              "families"));
  }
};

}  // namespace gpufeed
