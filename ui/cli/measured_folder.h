// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/units.h"
#include "ui/cli/options.h"

namespace gpufeed::cli {

/// Files of a folder.
struct CountedFiles {
  std::int64_t count = 0;
  double bytes = 0;
  double squares = 0;
  std::map<std::string, std::int64_t> endings;
  std::vector<std::filesystem::path> some;  ///< drawn evenly from those of an ordinary size
};

/// What cores took to decode some of its samples.
struct MeasuredDecoding {
  std::string source;  ///< by what, how many, on what
  Seconds of_sample;
  double load = 1;  ///< share of the machine's cores at it
  bool jpeg = false;
};

/// What a walk over a folder found.
struct MeasuredFolder {
  std::string name;  ///< of the folder
  CountedFiles samples;
  CountedFiles beside;  ///< what describes samples, as its endings say: text, tables, programs
  std::int64_t empty = 0;
  std::int64_t hidden = 0;
  std::int64_t links = 0;
  std::optional<MeasuredDecoding> decoding;
  std::string not_decoded;  ///< why there is none, and what was found by trying; may be empty
};

/// Of text and others, what has more bytes is samples. \throws InputError  where it cannot be read,
/// or holds nothing
MeasuredFolder measure_folder(const std::string& folder);

/// Decodes some samples in workers, one on each core, for two seconds.
/// \throws InputError  when workers cannot be started, or when interrupted
void measure_decoding(MeasuredFolder& found);

/// A data set as a file of the catalog; what a folder cannot tell stays open or comes from outside.
/// \param per_file  samples in each file
/// \throws InputError  where less than a byte would be left for a sample
std::string dataset_entry(const MeasuredFolder& found, std::int64_t per_file,
                          const std::optional<std::string>& decode_time);

/// The same as one table in braces, for `dataset = ` of a scenario.
std::string dataset_table(const MeasuredFolder& found,
                          const std::optional<std::string>& decode_time);

/// \throws UsageError  where it is no time, or one that no entry takes
void check_decode_time(const std::string& text, const Options& options);

}  // namespace gpufeed::cli
