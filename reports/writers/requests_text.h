// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/model/study/request_report.h"

namespace gpufeed {

/// One screen: what new jobs should ask for, what requests would have cost, and how often the class
/// of what a job uses was right.
std::string to_text(const RequestReport& report);

/// Everything of it, for programs: bytes and seconds, shares of 1.
std::string to_json(const RequestReport& report);

}  // namespace gpufeed
