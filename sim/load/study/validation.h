// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

#include "sim/load/scenario_source.h"
#include "sim/model/study/validation.h"

namespace gpufeed {

/// Reads a file of cases, and gives every case and row what the file or a figure says for it:
/// afterwards each case has a title, source, role, scenario (unless the file has its own) and all
/// overrides, each row its key, unit, score, mechanism, baseline (if any) and cause.
/// Scenarios are not read; keys of results are not looked at.
/// \throws InputError  with every problem found
Validation load_validation(const std::filesystem::path& file, const Catalog& catalog);
/// The same from text; `name` stands for the file in messages, and paths are relative to it.
Validation parse_validation(std::string_view text, const std::string& name, const Catalog& catalog);

/// The scenario of a case, without the case's overrides. \throws InputError
ScenarioSource scenario_of(const Validation& validation, const ValidationCase& one,
                           const Catalog& catalog);

/// The case's `set`; messages point to the case. \throws InputError
std::vector<Override> overrides_of(const ValidationCase& one);

/// Reads the bars of mechanisms. \throws InputError
Bars load_bars(const std::filesystem::path& file, const Catalog& catalog);
/// The same from text; `name` stands for the file in messages.
Bars parse_bars(std::string_view text, const std::string& name, const Catalog& catalog);

/// Whether a row is held against what its case's search finds.
inline bool asks_largest(const MeasuredRow& row) { return row.key == "largest"; }

/// Checks what no file tells alone: all rows of a mechanism count errors alike, and the bars are
/// those of mechanisms that are there, with counts where they ask for hits.
/// \param bars  none where `files` are not all that belong to them
/// \throws InputError  with every problem found
void check_mechanisms(const std::vector<Validation>& files, const Bars& bars);

}  // namespace gpufeed
