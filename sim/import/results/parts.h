// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/files/report_lines.h"
#include "sim/import/results/results.h"
#include "sim/model/kinds/io.h"

namespace gpufeed {

ToolResults read_elbencho(std::string_view text, const std::string& name);
ToolResults read_ior(std::string_view text, const std::string& name);
ToolResults read_nvbandwidth(std::string_view text, const std::string& name);
ToolResults read_nccl_tests(std::string_view text, const std::string& name);
ToolResults read_darshan(std::string_view text, const std::string& name);

/// \param line  from 1; 0: of the whole text
[[noreturn]] void refuse_results(const std::string& name, std::size_t line, const std::string& why);

/// Whether the text ends within this line, so that its last number may lack digits.
bool is_cut(std::string_view text, const ReportLines& lines, std::size_t line);
/// What is said of such a line, and of one that lacks columns. \param line  from 0
std::string told_as_cut(const ReportLines& lines, std::size_t line);

/// A number that is all of a text; nothing where it is none.
std::optional<double> whole_number_text(std::string_view text);
/// "1 MiB", "262144 bytes", "16g": bytes; nothing where it is no size.
std::optional<double> size_text_bytes(std::string_view text);

/// A phase of a benchmark of storage: alike threads on alike hosts.
struct IoRun {
  bool writes = false;
  IoJob io;                ///< of one host
  std::int64_t hosts = 1;  ///< which share what was measured
  double Bps = 0;          ///< of all hosts together
  std::optional<double> iops = {};
  std::optional<double> spread_Bps = {};
  std::size_t line = 0;  ///< for messages
};

/// Adds each host's share of what was measured. \throws InputError  where a number is out of range
void add_run(ToolResults& results, const IoRun& run, const std::string& name);
/// Tells it, once.
void assume(ToolResults& results, const std::string& what);

/// "1 MiB", as tools and their users call sizes.
std::string binary_size(double bytes);

}  // namespace gpufeed
