// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/model/result/result.h"
#include "sim/model/study/side_by_side.h"
#include "sim/range/effects.h"

namespace gpufeed {

/// Results of scenarios side by side: first the keys (of `Result::scenario` and of entries) and the
/// products (of the bill) that are not the same in all; of one machine also the ways between its
/// parts. Stores of other names are held against each other (`pair_stores`). Of workloads of
/// several kinds, keys that not all kinds take are counted only.
///
/// That one is faster than another has the probability Phi(ln(rate / rate') / sqrt(s^2 + s'^2)),
/// where s is the deviation of what is each one's own: the simulation's and what is drawn once a
/// run. Where values and the model are uncertain, it is the mean over draws of the values, in each
/// of which both rates are those of the draw, of T(ln(rate / rate') / w), T Student's with four
/// degrees of freedom. What is common to both moves both: of one mechanism, the model's own errors
/// d = sigma (sqrt(r) u + sqrt(1 - r) v) share u, so that
///   w^2 = s^2 + s'^2 + sigma^2 + sigma'^2 - 2 r sigma sigma'
/// of two mechanisms r is 0. Likewise that one has its result
/// sooner, where that is not told by the rates: copying in, a first epoch that reads more than
/// later ones, and the amount of work are no part of a rate. \param files  their names, one each
/// \param draws  `drawn` of each, all of one count and seed; empty: values are not drawn
/// \param entries  `entry_differences` of them; empty: none
/// \param titles   `inline_titles` of each, told in the place of what has no name; empty: none
SideBySide compared(const std::vector<std::string>& files, const std::vector<Result>& results,
                    const std::vector<Drawn>& draws = {},
                    const std::vector<std::map<std::string, std::string>>& entries = {},
                    const std::vector<std::map<std::string, std::string>>& titles = {});

}  // namespace gpufeed
