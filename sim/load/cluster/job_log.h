// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/model/cluster/document.h"

namespace gpufeed {

/// Jobs of CSV whose first line names keys of a job, in any order. An empty field is the default.
/// Numbers without a unit are seconds, bytes or bytes per second; several types stand apart by |.
/// \param before  the place whose next line is the first of the text
std::vector<cluster::JobRow> parse_job_log(std::string_view text, const Location& before,
                                           Diagnostics& out);
std::vector<cluster::JobRow> load_job_log(const std::filesystem::path& file, Diagnostics& out);

/// The same jobs as such a text, with the columns that are not all at their default.
std::string job_log_text(const std::vector<cluster::JobRow>& jobs);

}  // namespace gpufeed
