// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace gpufeed::ui {

/// What the window's program is asked for; `gpufeed ui --help` explains it.
struct WindowArguments {
  bool help = false;  ///< tell what there is, and nothing else
  std::optional<std::string> scenario;
  std::optional<std::string> screenshot;
  int width = 1600;
  int height = 1000;
  std::optional<bool> dark;
  std::optional<float> scale;
  std::string view = "overview";
  std::vector<std::string> catalogs;
  std::vector<std::string> sets;    ///< "path=value": edits made to begin with
  std::vector<std::string> sweeps;  ///< "path=1, 2, 4": axes of a sweep that is begun
  std::optional<std::string> prices;
  /// For tests with a real window: where to write what can be clicked, whenever that changes.
  std::optional<std::string> probes;
};

/// Takes `--name=value`, `--name value` and one scenario.
/// \throws InputError  for all else
WindowArguments parse_arguments(const std::vector<std::string>& arguments);

/// What `--help` prints.
std::string arguments_help();

}  // namespace gpufeed::ui
