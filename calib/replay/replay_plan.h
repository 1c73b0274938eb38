// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

#include "calib/probes/codecs.h"
#include "sim/base/units.h"

namespace gpufeed {

struct Scenario;

/// Of the samples' pictures (`make_sample`).
constexpr double kSampleDetail = 0.3;

/// What a scenario asks of a real loader, in plain numbers.
struct ReplayPlan {
  std::filesystem::path folder;      ///< of the data set
  std::int64_t files = 0;            ///< a sample each
  Bytes file_size;                   ///< mean; of pictures, as they came out
  std::optional<ProbedCodec> codec;  ///< none: samples are handed on as stored
  int width = 0;                     ///< of a picture
  int height = 0;
  int batch = 1;
  int workers = 1;
  int prefetch = 2;                   ///< batches of each worker under way or waiting
  bool direct = false;                ///< around the page cache
  std::optional<Bytes> cache_memory;  ///< that the page cache may fill; default: all
  bool shuffled = true;
  Seconds compute_time;  ///< that the timer in the GPU's place takes for a batch
  int epochs = 1;
  std::uint64_t seed = 1;
  bool look_at_pages =
      false;  ///< after each epoch, where the page cache holds the last files' pages

  std::int64_t steps() const { return files / batch; }
  /// Whether the page cache holds not all of the set.
  bool overflows() const {
    return cache_memory && *cache_memory < file_size * static_cast<double>(files);
  }
};

/// \throws InputError  where the scenario is none that can be run here: it must emulate one
///                     accelerator with PyTorch's loader, a file a sample, on local files, decoded
///                     by calibrated-jpeg, -png, -npz or not at all; names every reason
ReplayPlan plan_replay(const Scenario& scenario, const std::filesystem::path& folder);

/// Makes the files of the data set that are not there yet, so that it goes on where it was
/// interrupted; what was made is on the storage. \return their mean size
/// \throws InputError  where they cannot be written, the folder holds another data set, or when
///                     interrupted
Bytes make_dataset(const ReplayPlan& plan);

/// The file of a sample.
std::filesystem::path sample_file(const ReplayPlan& plan, std::int64_t number);

}  // namespace gpufeed
