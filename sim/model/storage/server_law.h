// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "sim/model/storage/server_parts.h"
#include "sim/model/store.h"

namespace gpufeed {

/// A store of like servers: what README.md's law takes.
struct ServerLaw {
  ServerParts one;
  double servers = 1;
  double failed = 0;
  Redundancy redundancy;
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
/// Part of the stripes that have lost more chunks than they have spare: hypergeometric.
double share_lost(const ServerLaw& law);
/// Of one read of 4 KiB, the network's way there and back included.
Seconds small_read_latency(const ServerLaw& law, Seconds software);
/// Of cores, for each byte read; nothing where not known.
std::optional<double> core_time_of_read(const ServerLaw& law);

}  // namespace gpufeed
