// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/export/export.h"

namespace gpufeed {

/// What one tool says of a scenario, before what it leaves out is looked for.
struct ToolText {
  std::string text;
  Names said = {};      ///< keys of the scenario, or tables, that the text says
  Names left_out = {};  ///< what it never says of such a job, in words
  Names chosen = {};    ///< what it must be told and no scenario says
};

// One each. \throws InputError  where the tool has nothing for the kind of workload
ToolText fio_text(const ExportSource& source, const std::optional<ExportPattern>& pattern);
ToolText dlio_text(const ExportSource& source, const std::optional<ExportPattern>& pattern);
ToolText elbencho_text(const ExportSource& source);
ToolText ior_text(const ExportSource& source);
ToolText nccl_tests_text(const ExportSource& source);
ToolText pytorch_text(const ExportSource& source);

/// Refuses a scenario of a kind that the tool has nothing for.
[[noreturn]] void refuse_kind(ExportTool tool, const ExportSource& source,
                              const std::string& takes);

/// Whole bytes, as all of these tools take them: "4096".
std::string whole_bytes(double bytes);

}  // namespace gpufeed
