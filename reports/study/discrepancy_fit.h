// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "sim/model/study/first_contact.h"

namespace gpufeed {

/// A first contact in numbers.
struct ContactError {
  Mechanism mechanism = Mechanism::rate_on_one_node;
  std::array<int, kStepKinds> steps{};  ///< how often each counts
  double error = 0;                     ///< ln(measured / predicted), times what it counts
  double values = 0;                    ///< deviation by the scenario's own values
  double weight = 0;                    ///< min(sqrt(n), 3) / n of a source with n rows
  std::size_t source = 0;               ///< its number among the names of all, sorted
};

/// Errors of contacts that have one: both values above 0.
std::vector<ContactError> errors_of(const std::vector<FirstContact>& contacts);

/// Deviations as spread.h has them.
struct DiscrepancyScales {
  std::array<double, kMechanisms> deviation{};  ///< B_m; where nothing was seen, B
  std::array<double, kStepKinds> step{};        ///< g_k, 1 or more
  double values = 1;                            ///< lambda

  double sigma(const ContactError& row) const;
};

/// Those that make  sum of w (ln t4(e / sigma) - ln sigma) + ln prior  greatest, with ln B_m ~
/// N(ln B, 0.5), ln g_k ~ N(0.4, 0.5) and at least 0, ln lambda ~ N(0, 0.5): a mechanism with few
/// sources comes near what is common to all. By coordinates, each by the golden section.
DiscrepancyScales fit_scales(const std::vector<ContactError>& rows);

}  // namespace gpufeed
