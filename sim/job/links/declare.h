// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/engine/engine.h"
#include "sim/plan/plan.h"

namespace gpufeed {

/// The links and routes of a plan in an engine.
struct Declared {
  ByResource<bool> binds;      ///< resources that are links
  ByRoute<RouteId> routes;     ///< of the engine
  ByRoute<bool> in_use;        ///< that flows take; the others are not declared
  bool stripes_alike = false;  ///< then a GPU's first one stands for all its stripes
};

/// Declares what of the plan can ever hold a flow back, and the time of the drives that checkpoints
/// and reads share.
Declared declare(const Plan& plan, Engine& engine);

}  // namespace gpufeed
