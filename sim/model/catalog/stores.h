// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/model/fields/entry.h"

namespace gpufeed {

/// What a managed store costs to rent: by capacity and rate each month, by requests and bytes where
/// it counts these. A month has 730 hours.
struct StoreRent {
  std::optional<Money> per_tb_month;
  std::optional<Money> per_gbps_month;
  bool of_stored = false;
  std::optional<Money> per_million_reads;
  std::optional<Money> per_million_writes;
  std::optional<Money> per_tb_read;
  std::optional<Money> per_tb_written;
  std::int64_t year = 0;
  std::string source;
  Basis basis = Basis::estimate;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    using R = StoreRent;
    visit(key("per_tb_month", &R::per_tb_month, "of each TB (10^12 bytes) of its capacity, a month")
              .between(0_USD, 1e6_USD));
    visit(key("per_gbps_month", &R::per_gbps_month,
              "of each GB/s of its read_bandwidth, a month; beside what capacity costs")
              .between(0_USD, 1e7_USD));
    visit(key("of_stored", &R::of_stored,
              "whether only bytes that lie on it are counted, not its capacity"));
    visit(key("per_million_reads", &R::per_million_reads, "requests that read (GET)")
              .between(0_USD, 1e6_USD));
    visit(key("per_million_writes", &R::per_million_writes, "requests that write (PUT)")
              .between(0_USD, 1e6_USD));
    visit(key("per_tb_read", &R::per_tb_read, "of each TB read by machines of its own region")
              .between(0_USD, 1e6_USD));
    visit(key("per_tb_written", &R::per_tb_written, "of each TB written").between(0_USD, 1e6_USD));
    visit(key("year", &R::year, "of these prices").needed().between(1990, 2100));
    visit(key("source", &R::source, "document, page or measurement").needed());
    visit(key("basis", &R::basis, "measured, calibrated, datasheet or estimate").needed());
  }
};

/// What leaves a cache of files that is full: the one read longest ago, the one that came first, or
/// none, so that what came first stays.
enum class CacheEviction { lru, fifo, pinned };
template <>
struct EnumNames<CacheEviction> {
  static constexpr std::array<std::string_view, 3> names{"lru", "fifo", "pinned"};
};

/// A shared store reached over the network, taken as a whole.
struct Array : Entry, Purchase, Breaks {
  static constexpr std::string_view kKind = "array";
  std::optional<std::string> product;
  Bytes capacity;
  Bandwidth read_bandwidth;
  Rate read_rate;
  Seconds read_latency;
  std::optional<Bandwidth> write_bandwidth;
  Ratio write_redundancy{1.0};
  std::optional<std::int64_t> blades;
  std::optional<std::int64_t> most_blades;
  std::optional<Bandwidth> front_end_bandwidth;
  std::optional<Rate> metadata_rate;
  std::optional<Bandwidth> stripe_bandwidth;
  std::vector<std::string> protocols;
  std::string client;
  std::optional<StoreRent> rent;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    entry_fields(visit);
    visit(key("product", &Array::product,
              "what this is one size of, such as \"Amazon S3\": whatif offers the other sizes of a "
              "service; default: of nothing"));
    visit(key("capacity", &Array::capacity, "usable size").needed().between(1_GB, 1e4_PB));
    visit(key("read_bandwidth", &Array::read_bandwidth, "most that all clients read")
              .needed()
              .between(1_MBps, 1e3_TBps));
    visit(key("read_rate", &Array::read_rate, "most requests per second of all clients (IOPS)")
              .needed()
              .between(10_per_s, 1e10_per_s));
    visit(
        key("read_latency", &Array::read_latency, "of one small read, network round trip included")
            .needed()
            .between(1_us, 10_s));
    visit(key("write_bandwidth", &Array::write_bandwidth,
              "most that all clients write; default: unknown")
              .between(1_MBps, 1e3_TBps));
    visit(key("write_redundancy", &Array::write_redundancy,
              "where write_bandwidth is what its drives take: bytes they write for each byte saved "
              "(2 copies: 200 %; 8 + 2: 125 %)")
              .between(100_percent, 1000_percent));
    visit(key("blades", &Array::blades,
              "blades, nodes or controllers that the figures are for; a scenario may "
              "then ask for another number of them")
              .between(1, 100000));
    visit(key("most_blades", &Array::most_blades, "how many it takes").between(1, 100000));
    visit(key("front_end_bandwidth", &Array::front_end_bandwidth,
              "of all its network ports, however many blades there are")
              .between(10_MBps, 1e3_TBps));
    visit(
        key("metadata_rate", &Array::metadata_rate, "most files opened per second, of all clients")
            .between(10_per_s, 1e10_per_s));
    visit(key("stripe_bandwidth", &Array::stripe_bandwidth,
              "most that one storage target gives: a file on few targets is slower")
              .between(1_MBps, 1e3_TBps));
    visit(
        key("protocols", &Array::protocols,
            "families of protocols that it speaks, such as \"nfs\"; default: not known, and any"));
    visit(key("client", &Array::client,
              "protocol by which hosts usually read it; default: that of the first of its "
              "families"));
    visit(key("rent", &Array::rent, "of a managed store: what it costs instead of a price"));
    purchase_fields(visit);
    breaks_fields(visit);
  }
};

/// How a client speaks to a store: NFS, SMB, S3, HDFS, Lustre, NVMe over TCP or RDMA; or a program
/// that shows an object store as files.
struct Protocol : Entry {
  static constexpr std::string_view kKind = "protocol";
  std::optional<Bandwidth> connection_bandwidth;
  std::optional<Bandwidth> core_bandwidth;
  Seconds request_core_time;
  Seconds request_latency;
  std::optional<Bytes> largest_request;
  std::int64_t connections = 1;
  Seconds lookup_latency;
  std::int64_t open_requests = 1;
  Seconds reconnect_latency;
  Bytes jump_loss;
  Bytes skip;
  std::optional<Bytes> readahead;
  std::optional<Bandwidth> stream_bandwidth;
  std::optional<Bandwidth> client_bandwidth;
  std::optional<Ratio> port_share;
  std::optional<Bandwidth> write_stream_bandwidth;
  std::optional<Bandwidth> write_client_bandwidth;
  std::optional<Ratio> write_port_share;
  Seconds create_time;
  Ratio share_deviation{0.0};
  std::optional<CacheEviction> cache_eviction;
  std::optional<Bytes> cache_block;
  bool keeps_parts = false;
  bool rdma = false;
  bool needs_rdma = false;
  std::string family;
  std::vector<std::string> mounts;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using namespace literals;
    entry_fields(visit);
    visit(key("connection_bandwidth", &Protocol::connection_bandwidth,
              "most that one connection or thread carries; default: no limit")
              .between(1_MBps, 1_TBps));
    visit(key("core_bandwidth", &Protocol::core_bandwidth,
              "bytes per second that one client core moves; default: takes no core")
              .between(1_MBps, 1_TBps));
    visit(key("request_core_time", &Protocol::request_core_time,
              "what each request takes of a client's core, besides its bytes; default: none")
              .between(0_s, 1_s));
    visit(key("request_latency", &Protocol::request_latency,
              "added to the array's own latency of each request")
              .between(0_s, 10_s));
    visit(key("largest_request", &Protocol::largest_request,
              "largest read of one request; default: as the reader asks")
              .between(4_kB, 1_TB));
    visit(key("connections", &Protocol::connections,
              "connections of one client where the scenario says nothing")
              .between(1, 100000));
    visit(key("lookup_latency", &Protocol::lookup_latency,
              "to find a file, besides its first byte, where its metadata are not cached")
              .between(0_s, 10_s));
    visit(
        key("open_requests", &Protocol::open_requests,
            "requests whose answers a reader awaits to open a file, before it asks for its bytes; "
            "0: none, as objects are got in one; not where lookup_latency tells it")
            .between(0, 100));
    visit(key("reconnect_latency", &Protocol::reconnect_latency,
              "to leave a transfer that a jump in the file leaves, before the next begins")
              .between(0_s, 10_s));
    visit(key("jump_loss", &Protocol::jump_loss,
              "bytes that a jump in the file throws away, which are fetched or under way")
              .between(0_B, 1_TB));
    visit(key("skip", &Protocol::skip, "a jump so far forward reads on in the transfer under way")
              .between(0_B, 1_TB));
    visit(key("readahead", &Protocol::readahead,
              "bytes under way ahead of a reader, in requests of largest_request; default: none")
              .between(4_kB, 1_TB));
    visit(key("stream_bandwidth", &Protocol::stream_bandwidth,
              "most that one reader of one file gets; default: what its connections carry")
              .between(1_MBps, 1_TBps));
    visit(key("client_bandwidth", &Protocol::client_bandwidth,
              "most that the software reads on one machine; default: no limit")
              .between(1_MBps, 1_TBps));
    visit(key("port_share", &Protocol::port_share,
              "of the ports that lead to the store, what the software reads at most")
              .between(1_percent, 100_percent));
    visit(key("write_stream_bandwidth", &Protocol::write_stream_bandwidth,
              "most that one writer of one file gets; default: no limit")
              .between(1_MBps, 1_TBps));
    visit(key("write_client_bandwidth", &Protocol::write_client_bandwidth,
              "most that the software writes on one machine; default: no limit")
              .between(1_MBps, 1_TBps));
    visit(key("write_port_share", &Protocol::write_port_share,
              "of the ports that lead to the store, what the software writes at most")
              .between(1_percent, 100_percent));
    visit(key("create_time", &Protocol::create_time, "to create a file and close it, each time")
              .between(0_s, 10_s));
    visit(key("share_deviation", &Protocol::share_deviation,
              "how unevenly readers share a busy store: standard deviation of the "
              "logarithm of their shares")
              .between(0_percent, 100_percent));
    visit(
        key("cache_eviction", &Protocol::cache_eviction,
            "what leaves its cache on the client's drives when that is full; default: not known"));
    visit(key("cache_block", &Protocol::cache_block,
              "what its cache on the client's drives fetches at least, and drops as a whole; "
              "default: whole files")
              .between(4_kB, 1_TB));
    visit(key("keeps_parts", &Protocol::keeps_parts,
              "whether what it fetched of a file stays while that is open, so that reads at random "
              "fetch it once"));
    visit(key("rdma", &Protocol::rdma,
              "whether network cards write the data where they are wanted, without a core (RDMA), "
              "as GPUDirect Storage needs it"));
    visit(key("needs_rdma", &Protocol::needs_rdma, "it runs over InfiniBand or RoCE alone"));
    visit(key("family", &Protocol::family,
              "what it is one of, as `protocols` of an array names it; default: not known, and any "
              "array speaks it"));
    visit(key(
        "mounts", &Protocol::mounts,
        "how Linux lists what it mounts (`mount`): the type, then what must stand in the "
        "device or the options, such as \"nfs4 proto=rdma\"; of several, that with more words"));
  }
};

/// By what stores that speak a family (its name) are read where nobody says how.
struct ProtocolFamily : Entry {
  static constexpr std::string_view kKind = "protocol-family";
  std::vector<std::string> clients;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    entry_fields(visit);
    visit(key("clients", &ProtocolFamily::clients,
              "protocols, the most usual first; those that do not run on a machine are passed over")
              .needed());
  }
};

}  // namespace gpufeed
