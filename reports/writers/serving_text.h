// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/model/result/result.h"

namespace gpufeed {

/// Cold start, rate, latency and load of a service; nothing for other kinds.
std::string serving_rows(const Result& result);

/// "12 ms"; "endless" where more requests come than are answered.
std::string latency_text(double seconds);

}  // namespace gpufeed
