// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "sim/model/store.h"

namespace gpufeed {

/// How one reader asks a store's client for the bytes of files.
struct FilePattern {
  Bytes file{std::numeric_limits<double>::infinity()};  ///< size of each
  Bytes block;                                          ///< of one read; at most `file`
  bool random = false;  ///< blocks of one file in any order, not one after the other
};

/// What a block costs one reader that has the client to itself.
struct BlockRead {
  Seconds wait;        ///< before its bytes come: lookups, first bytes, jumps, a first part
  Bandwidth stream;    ///< at which they come then
  double requests;     ///< that the store is asked for it
  double first_bytes;  ///< of them, those whose first byte is waited for
  double fetched = 1;  ///< bytes that the store sends for each of the block

  Seconds time_of(Bytes block) const { return wait + block * fetched / stream; }
};

/// Whether the protocol says how its client reads files, not only what a request costs.
bool reads_files(const Protocol& protocol);

/// With L of a lookup, where the store's metadata are cold; F to a first byte, the array's latency
/// in it; X to leave a transfer that a jump leaves, w bytes that a jump forward still reads on; r
/// of a connection; parts of f that come whole; W bytes under way ahead of a reader; u of one
/// reader:
///   in order, s of a file:   L + F + s/min(u, r), or, of parts ahead of the reader,
///                            L + F + min(s, f)/r + (s - f)/min(u, W/(F + f/r))
///   at random, b of a file:  (L + G (F + p/r) + (G - 1) X)/n + b/r,  n = s/b,
///                            G = 1 + (n - 1)(1 - v),  v = w/s (1 - w/2s),
///                            p = min(f, s/2), which then holds the block; 0 without parts;
///                            X is 0 where a file is one part, which is there before a jump;
///                            where each jump throws z bytes away, b + z (G - 1)/n are fetched for
///                            b; as in order where what is fetched of a file stays while it is open
/// \param network  most that the way to the store carries
/// \source  files of gcsfuse (n2-standard-96), reads of mountpoint-s3 (m5dn.24xlarge), streams of
///          blobfuse2 (D96ds v5): their projects' benchmarks
BlockRead block_read(const Store& store, const FilePattern& pattern, Bandwidth network);

/// What so many bytes and requests take of the client's cores: bytes / core_bandwidth + requests x
/// request_core_time.
Seconds core_time(const Protocol& protocol, Bytes bytes, double requests);

/// Most that the client's software reads on so many cores: each byte waits its turn in the one
/// process (Python holds a lock, others a queue), and takes a core's time beside.
///   1/rate = 1/client_bandwidth + 1/(cores x core_bandwidth)
/// \source  libraries for S3 on 1, 2 and 18 cores (vertti/s3bench)
Bandwidth software_ceiling(const Protocol& protocol, double cores);

/// Most that the client of one machine reads: of its connections, its software, and its ports.
///   min(connections x f/(F + f/r), software_ceiling, port_share x ports)
Bandwidth client_ceiling(const Store& store, Bandwidth ports, double cores);

/// Likewise of writing; infinite where the protocol says nothing.
Bandwidth write_ceiling(const Store& store, Bandwidth ports);

/// What readers reach together under a ceiling, from what each gets alone: (a^-4 + b^-4)^(-1/4).
Bandwidth under_ceiling(Bandwidth alone, Bandwidth ceiling);

}  // namespace gpufeed
