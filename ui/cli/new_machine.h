// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/load/read/catalog.h"
#include "ui/cli/options.h"

namespace gpufeed::cli {

/// What `new --chassis` or `--system` takes: the machine or its parts, and a job for it.
struct MachineArguments {
  std::optional<std::string> chassis;
  std::optional<std::string> system;
  std::optional<std::string> cpu;
  std::optional<std::string> memory;
  std::vector<std::string> gpu;
  std::vector<std::string> drives;
  std::vector<std::string> nics;
  std::optional<std::string> store;  ///< an array, or "12 x SERVER"
  std::optional<std::string> software;
  std::optional<std::string> redundancy;
  std::optional<std::string> model;
  std::optional<std::string> dataset;
  std::optional<std::string> decode_time;
  std::optional<std::string> measured;  ///< the data set as a table, where `dataset` is a folder
  std::optional<std::string> method;
  std::optional<std::string> nodes;
  std::optional<std::string> job;
  std::vector<std::string> catalogs;

  void add_to(Options& options);
  /// Measures the data set's folder, where it is one. \throws InputError, UsageError
  void measure_dataset(const Options& options);
  /// \throws UsageError  where --nodes is no whole number
  std::int64_t count_of_nodes(const Options& options) const;
  /// The option that only a machine takes and that was given without `--chassis`, or with
  /// `--system` though it is of parts; empty: none.
  std::string without_chassis() const;
};

/// A commented scenario: the chassis, the parts that were named, those it comes with behind #, a
/// job that trains, or only loads where there are no GPUs, and where its data lie. \throws
/// InputError  where the machine cannot be built, or the job does not fit it; messages point
///                     to the options
/// \param file  that the scenario goes to
/// \param title  of the scenario; empty: it has none
std::string machine_scenario(const MachineArguments& arguments, const std::string& file,
                             const std::string& title, const Options& options);

/// The same of a whole system, by its name or file.
std::string system_scenario(const MachineArguments& arguments, const std::string& file,
                            const std::string& title, const Options& options);

}  // namespace gpufeed::cli
