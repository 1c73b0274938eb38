// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "sim/model/result/result.h"
#include "sim/range/effects.h"

namespace gpufeed {

/// One of two that are held against each other: the larger value wins.
struct Contestant {
  double value = 0;
  double deviation = 0;       ///< of its logarithm, by what is each one's own
  std::vector<double> drawn;  ///< logarithms of what the value is over the stated one
  Mechanism mechanism = Mechanism::rate_on_one_node;
  double of_model = 0;  ///< scale of the model's own error
  double shared = 0;    ///< its correlation with that of another of the mechanism
};

/// Of the logarithm of a result's rate, by what is drawn for its run alone.
double deviation_of(const Result& result);

/// A job by the rate of all of it. Copying in takes as long in every run.
/// \param drawn  of its scenario; nothing drawn: its values and the model are taken as exact
Contestant contestant(const Result& result, const Drawn& drawn);

/// That the value of one is indeed above that of the other (compare.h has the law), with all
/// values as stated.
double chance_as_stated(const Contestant& one, const Contestant& other);
/// And with values and models as uncertain as they are; nothing where these were not drawn alike.
std::optional<double> chance_in_draws(const Contestant& one, const Contestant& other);

}  // namespace gpufeed
