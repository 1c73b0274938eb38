// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/model/result/result.h"

namespace gpufeed {

/// The steps of a pipeline, its times and what copying costs; nothing for other kinds.
std::string pipeline_rows(const Result& result);

/// When the first result of a pipeline begins: "at once", or in the unit of the whole time.
std::string first_stage_time(const Result& result);

}  // namespace gpufeed
