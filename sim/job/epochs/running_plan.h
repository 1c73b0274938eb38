// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/plan/plan.h"

namespace gpufeed {

/// What of a plan its run needs: without the resources that no route takes, without what only the
/// making of a plan needs (vertices, edges, limits) and what only its readers do (where numbers
/// come from, warnings). A job runs on it as on the plan itself, to the last bit; two plans with
/// the same running plan have one run.
Plan running_plan(Plan plan);

}  // namespace gpufeed
