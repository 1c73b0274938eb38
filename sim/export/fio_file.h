// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpufeed {

/// One line of a job file of fio: an option without a value has an empty one.
struct FioOption {
  std::string name;
  std::string value = {};
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

}  // namespace gpufeed
