// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "calib/probes/codecs.h"
#include "sim/base/units.h"

namespace gpufeed {

/// Decoding as a loader does it: worker processes read files, decode them into batches in shared
/// memory, and one process takes the batches over.
struct DecodeTest {
  std::optional<ProbedCodec> codec;  ///< none: samples are handed on as stored
  int width = 0;
  int height = 0;
  double detail = 0.3;  ///< see make_sample
  int workers = 1;
  int batch = 16;     ///< samples
  Seconds each{0.5};  ///< how long
};

/// Files that it makes.
constexpr int kDecodedFiles = 4;

/// What it came to.
struct DecodePoint {
  DecodeTest test;
  Bytes stored;               ///< mean size of a sample
  Bytes decoded;              ///< of a batch
  Seconds of_sample;          ///< of a core in a worker: opening, reading, decoding, placing
  Seconds of_sample_read;     ///< of it, in read calls: copying out of the page cache
  Seconds of_sample_slowest;  ///< of a core besides read calls, in the worker that took longest
  Seconds of_sample_wall;     ///< all of it by the clock, with what others took of the core
  Seconds of_batch_taken;     ///< in the taking process: copying it
  std::int64_t samples = 0;   ///< that this is the mean of
};

/// \param folder  where the samples' files are made
/// \throws InputError  where that fails, or when interrupted
DecodePoint measure_decoding(const DecodeTest& test, const std::filesystem::path& folder);

/// Some of a data set's own files, as far as they can be decoded here.
struct Pictures {
  std::vector<std::filesystem::path> files;  ///< alike ones, that are decoded
  std::optional<ProbedCodec> codec;          ///< of most; none: of no file is it known here
  std::size_t decoded = 0;                   ///< bytes of the largest
  std::int64_t looked_into = 0;
  std::int64_t damaged = 0;  ///< those that say they are of it, and cannot be decoded
};

/// Decodes each once, as long as there is time, four at least. \throws Interrupted
Pictures look_into(const std::vector<std::filesystem::path>& files, Seconds most_time);

/// The same of these pictures, over and over again: what the page cache holds of them is read.
/// \param pictures  one at least  \throws InputError  as above
DecodePoint measure_decoding(const Pictures& pictures, int workers, Seconds each);

}  // namespace gpufeed
