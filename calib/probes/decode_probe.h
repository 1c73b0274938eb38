// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "calib/probes/codecs.h"
#include "sim/base/units.h"

namespace gpufeed {

/// Decoding as a loader does it: worker processes read files, decode them into batches in shared
/// memory, and one process takes the batches over.
struct DecodeTest {
  Codec codec = Codec::jpeg;
  int width = 0;
  int height = 0;
  double detail = 0.3;  ///< see make_sample
  int workers = 1;
  int batch = 16;     ///< samples
  Seconds each{0.5};  ///< how long
};

/// What it came to.
struct DecodePoint {
  DecodeTest test;
  Bytes stored;              ///< mean size of a sample
  Bytes decoded;             ///< of a batch
  double pixels = 0;         ///< of a sample
  Seconds of_sample;         ///< of a core in a worker: reading, decoding, placing in its batch
  Seconds of_sample_wall;    ///< the same by the clock, with what others took of the core
  Seconds of_batch_taken;    ///< in the taking process, from being told to having copied it
  std::int64_t samples = 0;  ///< that this is the mean of
};

/// \param folder  where the samples' files are made
/// \throws InputError  where that fails, or when interrupted
DecodePoint measure_decoding(const DecodeTest& test, const std::filesystem::path& folder);

}  // namespace gpufeed
