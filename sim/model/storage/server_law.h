// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/model/fields/store_servers.h"
#include "sim/model/storage/server_parts.h"

namespace gpufeed {

/// A store of like servers: what README.md's law takes.
struct ServerLaw {
  ServerParts one;
  double servers = 1;
  double failed = 0;
  Redundancy redundancy;
  double chunks_per_server = 1;   ///< of one stripe, where it lies on fewer servers than it is wide
  std::int64_t min_size = 1;      ///< chunks of a stripe that must be left for it to be read,
  std::int64_t write_quorum = 1;  ///< and for it to be written
  ChunksBy chunks_by = ChunksBy::client;
  bool whole_stripes = false;
  std::optional<Bandwidth> core_reads, core_writes;
  std::optional<Rate> drive_read_rate;  ///< that software answers from one drive
  bool encrypted = false;
  double compression = 1;
  double fill = 1;
  double rebuilding = 0;  ///< part of all that is left

  double alive() const { return servers - failed; }
};

/// A most, and what sets it.
struct ServerBound {
  double most = 0;  ///< bytes or requests per second
  ServerPart part{};
};

/// The least of what drives, cards, memory and cores of the servers that are left allow.
ServerBound most_read(const ServerLaw& law);
ServerBound most_small_reads(const ServerLaw& law);
ServerBound most_written(const ServerLaw& law);

/// Reads of drives for a read of one chunk, in the mean: those of lost chunks take `data` others.
double small_read_amplification(const ServerLaw& law);
/// Bytes written for each byte saved: less than the redundancy's where too few servers are left.
double write_amplification(const ServerLaw& law);

Bytes usable_capacity(const ServerLaw& law);
/// Until all that failed servers of a full store held stands on others again; nothing where none
/// failed or nothing is spent on it.
std::optional<Seconds> rebuild_time(const ServerLaw& law);
/// Part of the stripes that have fewer than so many chunks left: hypergeometric.
double share_with_fewer(const ServerLaw& law, std::int64_t chunks);
/// Servers of which any may fail while all stripes have so many chunks left.
std::int64_t may_fail(const ServerLaw& law, std::int64_t chunks);
/// Of one read of 4 KiB, the network's way there and back included.
Seconds small_read_latency(const ServerLaw& law, Seconds software);
/// Of cores, for each byte read; nothing where not known.
std::optional<double> core_time_of_read(const ServerLaw& law);

}  // namespace gpufeed
