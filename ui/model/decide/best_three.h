// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/model/study/recommendation.h"
#include "ui/model/decide/goal_form.h"

namespace gpufeed::ui {

/// A choice worth a look, and why.
struct BestChoice {
  std::string heading;  ///< "The cheapest", "Next: faster for more money"
  gpufeed::Choice choice;
};

/// The answer, then one that is likelier to meet the goal, then what lies next to it on the front;
/// three at most, none twice. Of a front: its cheapest, its fastest, and what gives most for the
/// money. \param front  nothing: not known
std::vector<BestChoice> best_three(const Recommendation& answer, Aim asked,
                                   const std::optional<Recommendation>& front);

}  // namespace gpufeed::ui
