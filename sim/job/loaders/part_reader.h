// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/numbers/random.h"
#include "sim/engine/engine.h"
#include "sim/job/links/declare.h"
#include "sim/job/loaders/cores.h"
#include "sim/plan/plan.h"

namespace gpufeed {

/// What a worker reads for a part of a batch, the page cache not holding it.
struct PartOfBatch {
  std::int64_t samples = 0;  ///< of the sources: where these hold whole files
  Bytes size;                ///< of the sources
  /// Of the store that these are a cache of: what is written to them, and what is not.
  Bytes pulled, passed;
};

/// Reads for each worker what a part of a batch needs and the page cache does not hold, one part at
/// a time: once the first bytes have been waited for, from all its drives at the same time, or
/// (whole files) drive by drive, as many files as chance lays on each; meanwhile the storage
/// client's core fetches, where it needs one. A drive that tells its readers together
/// (`Completions`) lets each wait until no other is being served.
class PartReader {
 public:
  /// A worker's tag: its GPU's number times the workers of each, and its own.
  /// \param declared  links and routes of `plan`; all must outlive it
  /// \param on_read  called with a worker's tag when its part has been read
  PartReader(const Plan& plan, Engine& engine, const Declared& declared, Cores& cores,
             std::uint64_t workers_per_gpu, Callback on_read);

  /// The client's core begins to fetch; `read` must follow.
  void begin(std::uint64_t tag, const PartOfBatch& part);
  /// Whole files: after `begin`, `files` draws on which drives they lie.
  void lay_out_files(std::uint64_t tag, Draw files);
  /// \param wait  for the first bytes
  void read(std::uint64_t tag, Seconds wait);

 private:
  struct Reading {
    int left = 0;  ///< flows, what the client's core fetches, and until all have started
    PartOfBatch part;
    std::vector<std::int64_t> files;  ///< whole files: still to be read from each source
    std::size_t source = 0;           ///< whole files: where it reads
  };
  const GpuPlan& gpu_plan(std::uint64_t tag) const { return plan_.gpus[tag / workers_per_gpu_]; }

  void start_flows(std::uint64_t tag);
  void start_far(std::uint64_t tag, const std::vector<RouteIndex>& routes, Bytes size);
  bool read_files(std::uint64_t tag);
  void on_files_read(std::uint64_t tag);
  void on_fetched(std::uint64_t tag);
  void on_served(std::uint64_t tag);
  void end_one(std::uint64_t tag);

  const Plan& plan_;
  Engine& engine_;
  const Declared& declared_;
  Cores& cores_;
  const std::uint64_t workers_per_gpu_;
  Callback on_read_;
  std::vector<Reading> readings_;
  std::size_t being_served_ = 0;       ///< by a drive that tells its readers together
  std::vector<std::uint64_t> untold_;  ///< whom it has served since it last had nothing to do
  std::vector<std::uint64_t> told_;    ///< while these learn it, they may ask for more
};

}  // namespace gpufeed
