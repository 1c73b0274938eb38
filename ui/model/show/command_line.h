// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gpufeed::ui {

/// Where the window has its products and prices from, beside what comes with the program.
struct Sources {
  std::vector<std::string> catalogs;  ///< folders of `--catalog`, in order
  std::optional<std::string> prices;  ///< the file of `--prices`
};

/// A line for a shell in any folder: "gpufeed VERB 'FILE' --catalog 'DIR' --prices 'FILE'", with
/// whole paths.
std::string command_line(const std::string& verb, const std::filesystem::path& file,
                         const Sources& sources);

}  // namespace gpufeed::ui
