// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/model/serving/document.h"

namespace gpufeed {

/// Requests of a trace in the order of their dates, from 0 on.
///
/// - JSON, an object a line: `timestamp` (ms), `input_length`, `output_length`, and `hash_ids`,
///   where prompts share blocks (Mooncake's form). Other keys are left out.
/// - CSV, whose first line names these columns; of `hash_ids` several stand apart by blanks.
///   `arrival` (s) may stand for `timestamp`.
///
/// Every line that is wrong is reported, the first 20. \param name  shown in every message
std::vector<serving::LoggedRequest> parse_request_log(std::string_view text,
                                                      const std::string& name, Diagnostics& out);
std::vector<serving::LoggedRequest> load_request_log(const std::filesystem::path& file,
                                                     Diagnostics& out);

}  // namespace gpufeed
