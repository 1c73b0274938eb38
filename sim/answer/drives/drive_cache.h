// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model/result/result.h"
#include "sim/plan/plan.h"

namespace gpufeed {

struct Scenario;

/// What drives did that are a cache of a store. \param result  has the time of an epoch
DriveCacheUse drive_cache_use(const Scenario& scenario, const Plan& plan, const Result& result);

/// Bytes that an epoch which finds that reads from its drives and from the store behind them, all
/// jobs and nodes together.
double read_in_epoch(const Plan& plan, const HitCurve& hits);

}  // namespace gpufeed
