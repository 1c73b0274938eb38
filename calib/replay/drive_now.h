// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "calib/probes/block_reads.h"
#include "sim/base/units.h"

namespace gpufeed {

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
/// a sample, or of its readahead, between 256 KiB and 8 MiB, in whole pages. No law of a drive
/// meets all requests alike; so its bandwidth is that at which it meets the scenario's.
BlockReaders large_readers(const Scenario& scenario);

/// What `measure_drive` writes in a file that is gone afterwards: nothing where data lie on no
/// drive whose read_latency or read_bandwidth was calibrated, for a data sheet is to be tested as
/// it is.
Bytes written_to_measure(const Scenario& scenario);

/// Reads for two seconds each what tells the calibrated ones of read_latency and read_bandwidth of the
/// drive that data lie on; nothing where there are none, or the folder's file system cannot tell.
/// \throws InputError  when interrupted
DriveReads measure_drive(const Scenario& scenario, const std::filesystem::path& folder);

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

/// The scenario with the drive as it is now.
Scenario with_drive(Scenario scenario, const DriveNow& now);

}  // namespace gpufeed
