// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sim/base/units.h"

namespace gpufeed {

struct ReplayPlan;
struct Scenario;

/// `pages_apart` of a full page cache, which depends on what a kernel did before.
struct PagesNow {
  Ratio now;
  Ratio stated;
};

/// Reads the data set, of large ones a part, three times in a memory cgroup of its own and looks
/// where the pages of the last files of each later epoch lie. Nothing where the scenario has no
/// such cgroup, its drive no `page_time`, or the kernel does not tell (only to root).
/// \throws InputError  where a file cannot be read, or when interrupted
std::optional<PagesNow> pages_now(const Scenario& scenario, const ReplayPlan& plan);

/// The scenario with its machine as it is now.
Scenario with_pages(Scenario scenario, const PagesNow& pages);

}  // namespace gpufeed
