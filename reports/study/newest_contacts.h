// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "sim/model/study/first_contact.h"
#include "sim/model/study/validation_report.h"

namespace gpufeed {

/// Of a ledger in its order: how the prediction intervals that all other sources teach hold on the
/// sources that came last. Sources that had taught what predicts them are not among these.
/// \return nothing where no other source is left, or there is none
std::optional<Coverage> coverage_of_newest(const std::vector<FirstContact>& contacts,
                                           std::size_t sources);

}  // namespace gpufeed
