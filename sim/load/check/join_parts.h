// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>

#include "sim/model/scenario.h"

namespace gpufeed {

/// Where data may lie.
inline constexpr std::initializer_list<PartKind> kPlaces{PartKind::store, PartKind::volume,
                                                         PartKind::drive};

/// Finds the part that `ref` names, of one of these kinds; none is the caller's to report. The
/// scenario's own names go before those of its machine: a store may be called like a drive.
void join_part(PartRef& ref, std::initializer_list<PartKind> kinds, const Scenario& scenario,
               const System& system);

/// Finds what hangs on what in a machine; patterns and what is not there stay as they are.
void join_system(System& system);

}  // namespace gpufeed
