// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "sim/load/read/catalog.h"

namespace gpufeed::cli {

/// The files that a command reads and writes, told apart by what they are (device and inode; the
/// place where there is none yet), so that no output takes the place of an input or of another
/// output, whatever names and links lead there.
class CommandFiles {
 public:
  /// \throws InputError  where an output is the same file; names both
  void input(const std::filesystem::path& file);
  /// All entries of the catalog, and what has been named by a path while it was used.
  void inputs(const Catalog& catalog);
  /// \param option  how messages call it: "--json out.json"
  /// \throws InputError  where an input or another output is the same file; names both
  void output(const std::string& option, const std::filesystem::path& file);

 private:
  /// A file of the command; `option` is empty for inputs.
  struct Known {
    std::string name;
    std::string option;
  };

  std::map<std::string, Known> known_;  ///< by what tells files apart
};

}  // namespace gpufeed::cli
