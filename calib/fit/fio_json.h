// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.h"

namespace gpufeed {

/// The memory that fio's requests fill or are taken from (its option iomem). One large request into
/// pages that lie scattered is more work for the device than into one huge page.
enum class FioMemory { pages, huge_pages, gpu };

/// What fio measured of equal jobs, run at once and by themselves, in one direction.
struct FioPoint {
  std::string job;  ///< fio's name of it
  bool writes = false;
  bool mixed = false;  ///< the same job also ran in the other direction, at the same time
  Bytes block_size;
  std::int64_t iodepth = 1;  ///< of one job; 1 where its engine keeps one request only
  std::int64_t numjobs = 1;
  Bandwidth bandwidth;  ///< of all of them
  Rate rate;            ///< requests per second of all of them
  Seconds latency;      ///< mean, from submission to completion
  FioMemory memory = FioMemory::pages;

  double outstanding() const { return static_cast<double>(iodepth * numjobs); }
};

/// Reads what `fio --output-format=json` printed, with `group_reporting` or without; lines before
/// the first one that begins with "{" are fio's warnings and skipped. Options of a job go before
/// the global ones, and those before fio's own defaults. A job in both directions gives two points.
/// Left out: distributions of latency, CPU use, trims.
/// \param name  stands for the file in messages
/// \throws InputError  with every problem: no JSON of fio 3, a job that failed, ran beside another
///                     one, through the page cache, at a limited rate, or with blocks of many sizes
std::vector<FioPoint> parse_fio(std::string_view text, const std::string& name);
std::vector<FioPoint> load_fio(const std::filesystem::path& file);

}  // namespace gpufeed
