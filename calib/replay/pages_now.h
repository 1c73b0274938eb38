// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "sim/base/units.h"

namespace gpufeed {

struct ReplayPlan;
struct Scenario;

/// `pages_apart` of a full page cache, which depends on what a kernel did before.
struct PagesNow {
  Ratio now;
  Ratio stated;
};

/// The mean over the epochs after the first, or over the only one, where pages go within an epoch
/// from how they lay at its beginning to how they lie at its end. \param at_ends  at the end of
/// each epoch, one at least
Ratio apart_later(const std::vector<double>& at_ends);

/// Runs the loader on the data set, of large ones on a part, for as many epochs as the replay has,
/// five at most, in a memory cgroup of its own, and looks where the pages of the last files of each
/// lie: by the replay's own workers, for each core hands out the pages it took back itself. Nothing
/// where the scenario has no such cgroup, its drive no `page_time`, or the kernel does not tell.
///
/// \throws InputError  where a file cannot be read, or when interrupted
std::optional<PagesNow> pages_now(const Scenario& scenario, const ReplayPlan& plan);

}  // namespace gpufeed
