// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calib/requests/learner.h"

namespace gpufeed {

/// The mean of `count` regression trees, each on a bootstrap sample of the lessons; one alone looks
/// at every feature, of many each node at a third of them.
Prediction forest_of(const Lessons& lessons, std::size_t count);

/// 20 trees of some eight leaves, each fitted to what those before it left.
Prediction boosted_trees(const Lessons& lessons);

}  // namespace gpufeed
