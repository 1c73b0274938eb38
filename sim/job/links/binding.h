// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/plan/plan.h"

namespace gpufeed {

/// Which resources can ever hold a flow of the plan back. An uncontended memory cannot, nor one
/// where the flows that cross it are held back further by others: its capacity is at least the sum
/// of the narrowest other resources of the routes over it, each counted once. Only resources that
/// stay serve as that proof. Leaving the rest out changes no rate and saves the engine most of its
/// work.
ByResource<bool> binding_resources(const Plan& plan);

/// Whether flows of the job take each route: the page cache's hits do only where a memory may be
/// busy.
ByRoute<bool> routes_in_use(const Plan& plan);

/// How many routes in use of the plan cross each resource.
ByResource<std::size_t> users_of(const Plan& plan);

/// Whether the stripes of a batch always advance alike, so that one flow can stand for all: what
/// holds some of them back alone is that of the GPUs of a node together, nobody else's, and as wide
/// as for the others; whatever else is on the way, all stripes share. Drives on which checkpoints
/// are written as well are left apart. \param binds  of binding_resources
bool stripes_alike(const Plan& plan, const ByResource<bool>& binds);

/// Capacities of the resources. Where the first stripe's route stands for all (`merged`), what it
/// has of its own is as wide as that of all of them together.
ByResource<Bandwidth> link_capacities(const Plan& plan, const ByResource<bool>& binds, bool merged);

}  // namespace gpufeed
