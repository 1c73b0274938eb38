// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpufeed {

/// One line of a job file of fio: an option without a value has an empty one.
struct FioOption {
  std::string name;
  std::string value = {};
  int line = 0;  ///< of the file that it was read from
};
using FioOptions = std::vector<FioOption>;

struct FioSection {
  std::string name;
  FioOptions options;
};

/// A job file of fio, in its order; comments are left out.
struct FioFile {
  std::vector<FioSection> sections;
};

/// Takes a job file apart. \throws InputError  where a line is no section, option or comment
FioFile parse_fio_file(std::string_view text, const std::string& name);

/// Gives the file's only job (a section that is not "global") these values. What means the same
/// already, by another name of the option or in another unit ("4k"), stays as it is written.
/// \throws InputError  where there is no job, or several
void fit(FioFile& file, const FioOptions& wanted, const std::string& name);

std::string text_of(const FioFile& file);

/// The name that is used here of an option with several: "rw" of "readwrite".
std::string plain_fio_name(const std::string& name);
/// The same of a value: "randrw" of "randreadwrite".
std::string plain_fio_value(const std::string& name, std::string value);
/// "4k", "1m", "1MiB", "32": bytes or a count, as fio's default kb_base of 1024 reads them; nothing
/// of what is neither, such as a range.
std::optional<double> fio_size(std::string_view text);

}  // namespace gpufeed
