// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sim/export/parts.h"
#include "sim/model/kinds/io.h"

namespace gpufeed {

/// What readers ask of the storage, as its benchmarks say it: alike readers, each with files of its
/// own.
struct StorageLoad {
  std::int64_t nodes = 1;
  std::int64_t readers = 1;  ///< of each node: processes, threads
  Bytes request;
  Bytes file;              ///< size of each
  std::int64_t files = 1;  ///< of each reader
  std::int64_t depth = 1;  ///< requests that a reader keeps under way
  std::int64_t batch = 1;  ///< of them, those that one call hands over
  double read_share = 1;
  bool direct = false;
  bool random = false;      ///< order of requests, or of files where each is asked for at once
  bool gpudirect = false;   ///< bytes go straight into GPUs
  bool synced = false;      ///< writers wait until files are on the storage
  bool saves = false;       ///< all is written, then all is read
  bool endless = false;     ///< no scenario says how large files are
  bool timed = false;       ///< goes on until a time is over
  std::int64_t gpus = 1;    ///< of each node
  std::int64_t repeat = 1;  ///< times
  IoEngine engine = IoEngine::psync;
  ToolText notes;  ///< without text: what these numbers say, leave out, and had to choose
};

/// Of io, training, loader and emulated jobs (their reads), and checkpointing.
/// \throws InputError  for other kinds, and for the replay of a log
StorageLoad storage_load(ExportTool tool, const ExportSource& source);

}  // namespace gpufeed
