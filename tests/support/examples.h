// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace gpufeed {

/// What a TOML file of an example is, by its name.
enum class ExampleFile { scenario, sweep, goal, machine, observed, cluster, serving };

inline ExampleFile example_file(const std::filesystem::path& file) {
  const std::string stem = file.stem().string();
  if (stem == "sweep") return ExampleFile::sweep;
  if (stem.starts_with("goal")) return ExampleFile::goal;
  if (stem.starts_with("observed")) return ExampleFile::observed;
  if (stem.starts_with("cluster")) return ExampleFile::cluster;
  if (stem.starts_with("serving")) return ExampleFile::serving;
  if (stem.starts_with("scenario")) return ExampleFile::scenario;
  return stem.ends_with("_server") ? ExampleFile::machine : ExampleFile::scenario;
}

}  // namespace gpufeed
