// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/model/result/result.h"
#include "sim/model/study/side_by_side.h"

namespace gpufeed {

/// By what a result of a workload that trains nothing is judged: rates and times of saving and
/// loading, of requests, copies, collectives and products, of a pipeline or a service. Of several
/// sizes of a collective the smallest tells its time, the largest its rate. Nothing for other
/// kinds.
std::vector<ComparedFigure> headlines_of(const Result& result);

}  // namespace gpufeed
