// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/plan/plan.h"

namespace gpufeed {

/// The plan as its job feels it: without the resources that no route takes, without what only the
/// making of a plan needs (vertices, edges, limits) and what only its readers do (where numbers
/// come from, warnings). A job runs on it as on the plan itself, to the last bit; two plans that
/// are felt alike have one run.
Plan felt(Plan plan);

}  // namespace gpufeed
