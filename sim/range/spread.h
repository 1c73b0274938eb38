// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "sim/model/fields/discrepancy.h"

namespace gpufeed {

/// How far off a prediction of a rate may be, by
///
///   ln(measured / predicted) = p + d,   sigma^2 = (lambda s)^2 + (B prod_k g_k^x_k)^2
///
/// p: of the scenario's own values, with deviation s; d: of the model itself, by its mechanism's
/// `deviation` B and the steps x_k outside what was measured. Their sum over sigma is distributed
/// as Student's t with four degrees of freedom. 80 of 100 measured values lie from
/// exp(-l f sigma) to exp(u f sigma) times what is predicted; f = 2 where no source has shown such
/// steps of this mechanism together, else 1. No end is further off than a factor of 5.
struct Spread {
  double down = 0;           ///< l f sigma, a logarithm
  double up = 0;             ///< u f sigma
  double of_values = 0;      ///< lambda s
  double of_model = 0;       ///< f B prod_k g_k^x_k: the scale of d
  double extrapolation = 1;  ///< by how much the steps widen the scale of d
  double shared = 0;         ///< correlation of d between two configurations of the mechanism
  std::int64_t sources = 0;  ///< that taught it
};

/// ln 5.
inline constexpr double kFurthestEnd = 1.6094379124341003;

/// Where cores or storage bind, steps of computing (batch, likeness, split, contention) count not.
/// \param values  s: deviation of the logarithm by the scenario's own values
/// \return nothing where the catalog has nothing of the mechanism
std::optional<Spread> spread_of(const Discrepancies& discrepancies, Mechanism mechanism,
                                const Steps& steps, double values);

/// What no rate passes, as logarithms over the predicted rate: where it lies, 0 or more, and where
/// a tenth of the chance lies below and above that.
struct Ceiling {
  double at = std::numeric_limits<double>::infinity();
  double down = 0, up = 0;
};

/// The upper end of a rate that is the less of two: of what is predicted, whose own end is `up`,
/// and of the ceiling, which errs independently. A tenth of the chance is that both are above;
/// halves are those of Student's t. Never above `up`, nor above the ceiling's own end.
double end_below(const Ceiling& ceiling, double up);

/// prod_k g_k^x_k.
double widening(const Discrepancy& discrepancy, const Steps& steps);

/// Whether some source has shown these steps together, be it among others.
bool shown_together(const Discrepancy& discrepancy, const Steps& steps);

}  // namespace gpufeed
