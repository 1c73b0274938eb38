// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gpufeed::ui {

/// A scenario to start from.
struct Example {
  std::string folder;    ///< "01_local_or_shared"
  std::string question;  ///< what it answers, as its README is headed; else the folder's words
  std::string title;     ///< the scenario's, or the folder's name where it has none
  std::filesystem::path file;
};

/// The main scenario of each example in `folder`, by name; none where there is no such folder.
std::vector<Example> examples_in(const std::filesystem::path& folder);

}  // namespace gpufeed::ui
