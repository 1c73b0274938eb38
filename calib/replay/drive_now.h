// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "calib/probes/block_reads.h"
#include "sim/base/units.h"

namespace gpufeed {

struct ReplayPlan;
struct Scenario;

/// How long each of some readers waits for a block.
struct TimedReads {
  BlockReaders by;
  Seconds each;

  Bandwidth bandwidth() const { return by.block * static_cast<double>(by.readers) / each; }
};

/// Of a drive; those that were measured.
struct DriveReads {
  std::optional<TimedReads> small;  ///< 4 KiB, by as many readers as the scenario has workers
  std::optional<TimedReads> large;  ///< as `large_readers` has it
};

/// As many as the scenario has workers, each of which asks for as much as a worker does at once: of
/// a sample, or of its readahead, between 256 KiB and 8 MiB, in whole pages, and copies it, as the
/// loader does, around the page cache or out of it: a host writes more slowly to memory that a core
/// has just copied from (virtio: 160 us instead of 131 for 256 KiB, and 159 to 173 into a page
/// cache whose pages lie behind one another). No law of a drive meets all requests alike; so its
/// bandwidth is that at which it meets the scenario's. None where samples are smaller: what they
/// take is hardly the drive's bandwidth.
std::optional<BlockReaders> large_readers(const Scenario& scenario);

/// Reads the data set's own files for a second each, for what tells the calibrated ones of
/// read_latency and read_bandwidth of the drive that data lie on; nothing where there are none, for
/// a data sheet is to be tested as it is, or where the file system cannot tell. A host has a small
/// set in its caches: of 64 MiB, blocks of 8 MiB came 8 % faster than of 800.
/// \throws InputError  when interrupted
DriveReads measure_drive(const Scenario& scenario, const ReplayPlan& plan);

/// The drive that data lie on, and the calibrated ones of its read_latency and read_bandwidth as
/// they follow from reads.
struct DriveNow {
  std::string drive;
  DriveReads reads;
  Seconds calibrated_latency;
  Bandwidth calibrated_bandwidth;
  std::optional<Seconds> latency;
  std::optional<Bandwidth> bandwidth;
};

/// The pair with which the drive's law gives small and large reads the times they took
/// (`latency_of_wait`, `bandwidth_of_wait`). One that other limits of the drive hide stays as it
/// is, and none is where both do.
std::optional<DriveNow> drive_now(const Scenario& scenario, const DriveReads& reads);

}  // namespace gpufeed
