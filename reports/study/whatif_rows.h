// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "reports/study/change.h"
#include "sim/model/result/result.h"
#include "sim/model/study/whatif.h"

namespace gpufeed {

/// What of an answer a row of what-if shows.
WhatIfFigures figures_of(const Result& result);

/// What a change gives: the answer with it beside the present one. Sums of prices and powers differ
/// where the same is missing from both.
WhatIfRow row_of(const Change& change, const Result& now, const Result& after);

/// What holds the job back once changed, in words.
std::string held_back(const Result& now, const Result& after);

/// More than the noise of both answers.
bool helps(const WhatIfRow& row);

/// Cheaper by prices of one year, and as fast: where little was simulated, chance hides more than
/// anyone would give away.
bool saves(const WhatIfRow& row);

/// Free ones by gain, then those with a price by gain for the money, then the others by gain.
using WhatIfRank = std::tuple<int, bool, double>;
WhatIfRank rank_of(const WhatIfRow& row);

/// Those of which no cheaper one of the same subject gives as much.
std::vector<WhatIfRow> without_outdone(const std::vector<WhatIfRow>& rows);

/// Of as fast ones that cost less, by subject the cheapest; subjects by what they save.
std::vector<WhatIfRow> best_savings(std::vector<WhatIfRow> rows);

}  // namespace gpufeed
