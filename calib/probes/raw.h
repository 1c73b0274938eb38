// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "calib/probes/completion_probe.h"
#include "calib/probes/decode_probe.h"
#include "calib/probes/filling_probe.h"
#include "calib/probes/memory_probe.h"
#include "calib/probes/opening_probe.h"
#include "calib/probes/page_cache.h"

namespace gpufeed {

/// Everything that was measured of a machine, as it was measured.
struct RawMeasurements {
  std::string version;  ///< of gpufeed
  std::string time;     ///< UTC, "2026-11-22T10:00:00Z"
  std::string machine;  ///< processor, cores, memory, kernel; no name of a host
  std::string tools;    ///< versions of fio and of the libraries
  std::string drive;    ///< what the system calls it: "nvme0n1"; empty where it was not measured
  double others = 0;    ///< share of the cores that others took meanwhile
  Seconds took, most_time;
  Bytes written, most_written;
  std::vector<std::string> fio;  ///< what fio printed, run by run
  std::vector<OpeningTimes> opening;
  std::vector<DecodePoint> decoding;
  int threads_per_core = 1;  ///< hardware threads (SMT), of those that measured decoding
  std::vector<CopyPoint> copies;
  std::vector<FirstTouch> first_touch;
  std::vector<LargeReads> large_reads;
  std::vector<PairedReads> paired_reads;
  std::vector<Bandwidth> cached_reads;
  std::vector<CacheFilling> filling;
  double page_cache_share = 0;  ///< of the files that fit into it
  Bytes page_cache_files;       ///< of all of them together
  std::vector<PageCacheEpoch> page_cache;
  std::string gpu;          ///< what gpufeed-gpu-probe printed; empty where it was not asked
  std::string pytorch;      ///< and gpufeed-pytorch-probe
  std::string training;     ///< and gpufeed-training-probe
  std::string transformer;  ///< and gpufeed-transformer-probe
};

/// As JSON, which `fit_raw` (calib/fit/raw_fit.h) reads; units are in the names.
std::string raw_json(const RawMeasurements& raw);

/// Processor, cores, memory and kernel of this machine, in words.
std::string machine_in_words();

/// Where a file in `folder` lies: "nvme0n1"; empty where that is no disk of this machine.
std::string disk_of(const std::filesystem::path& folder);

/// Whether a file in `folder` lies in memory (tmpfs, ramfs), where reading misses nothing.
bool lies_in_memory(const std::filesystem::path& folder);

/// The present time as `RawMeasurements::time` has it.
std::string utc_now();

}  // namespace gpufeed
