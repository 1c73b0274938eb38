// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "ui/cli/options.h"

namespace gpufeed::cli {

/// What a walk over a folder found; hidden files and links left out.
struct MeasuredFolder {
  std::string name;  ///< of the folder
  std::int64_t files = 0;
  std::int64_t empty = 0;
  double bytes = 0;
  double squares = 0;
  std::map<std::string, std::int64_t> endings;
};

/// \throws InputError  where it cannot be read, or holds nothing
MeasuredFolder measure_folder(const std::string& folder);

/// A data set as a file of the catalog; what a folder cannot tell stays open or comes from outside.
/// \param per_file  samples in each file
/// \throws InputError  where less than a byte would be left for a sample
std::string dataset_entry(const MeasuredFolder& found, std::int64_t per_file,
                          const std::optional<std::string>& decode_time);

/// The same as one table in braces, for `dataset = ` of a scenario.
std::string dataset_table(const MeasuredFolder& found, const std::string& decode_time);

/// \throws UsageError  where it is no time, or one that no entry takes
void check_decode_time(const std::string& text, const Options& options);

}  // namespace gpufeed::cli
