// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace gpufeed {

class Findings;

/// The law of the drive that fio measured, and what opening a file on it costs.
/// \param name  stands for the file of raw measurements in messages
void fit_drives(const nlohmann::ordered_json& raw, const std::string& name, Findings& findings);

}  // namespace gpufeed
