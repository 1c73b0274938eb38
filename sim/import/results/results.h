// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/nearest.h"
#include "sim/model/fields/entry.h"

namespace gpufeed {

/// Benchmarks and monitors whose output says how much was measured of what.
enum class ResultTool { elbencho, ior, nvbandwidth, nccl_tests, darshan };
template <>
struct EnumNames<ResultTool> {
  static constexpr std::array<std::string_view, 5> names{"elbencho", "ior", "nvbandwidth",
                                                         "nccl-tests", "darshan"};
};

/// One number that was measured, beside the path in a result that predicts it.
struct MeasuredValue {
  std::string key;  ///< "io[read].bandwidth_Bps"
  double value = 0;
  std::string unit;
  std::optional<double> spread = {};  ///< standard deviation of repeated runs, in the same unit
  std::string mechanism = {};         ///< empty: that of all
};

/// One configuration that was measured, in gpufeed's terms.
struct MeasuredRun {
  std::string title;
  Names set;  ///< keys of the scenario, as --set takes them
  std::vector<MeasuredValue> values;
};

/// What a tool's output says.
struct ToolResults {
  ResultTool tool = ResultTool::elbencho;
  std::string kind;       ///< of workload: "io", "collective", "transfers"
  std::string mechanism;  ///< what the runs test
  std::vector<MeasuredRun> runs;
  Names left_out;  ///< what was read and is in no run, by name or line
  Names assumed;   ///< what is not told, and how it is taken
};

/// No output of one run is longer; darshan-parser prints a line for each counter of each file.
inline constexpr std::size_t kLargestResults = 256u << 20;

/// Whose output a text is, by what is in it: elbencho's (the screen, --resfile, --csvfile or
/// --jsonfile), IOR's (its screen, or JSON of IOR 4), nvbandwidth's (its screen, or -j), that of
/// nccl-tests or rccl-tests, or darshan-parser's counters.
std::optional<ResultTool> tool_of_results(std::string_view text);

/// Reads it. \throws InputError  where the text is of none of them, is damaged where it matters, or
///                               lacks what a scenario needs: block sizes, threads, ranks
ToolResults read_results(std::string_view text, const std::string& name);

/// What all runs have in common, as TOML: `before` stands before the heading of each table, such as
/// "scenario.". \param at  the volume, drive or store that was read and written
std::string results_scenario(const ToolResults& results, const std::string& system,
                             const std::optional<std::string>& at, const std::string& before = "");

/// Cases of gpufeed validate, as TOML, each run one. \param source  the file that was read
std::string results_cases(const ToolResults& results, const std::string& source,
                          const std::string& system, const std::optional<std::string>& at);

}  // namespace gpufeed
