// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/model/study/recommendation.h"

namespace gpufeed {

/// "drives = 4, gpus = 2".
std::string values_text(const std::vector<ChosenValue>& values);

/// "at least 12,000 USD", "price not known".
std::string price_text(const Choice& choice);

/// That a product without a price was chosen, where it was; else empty.
std::string price_doubt(const Choice& choice);

/// How likely what would be measured meets the constraints, those that are not sure one by one;
/// empty where that is not known, or there are none.
std::string confidence_text(const Choice& choice);

/// "26 to 60 samples/s; result in 0.5 h to 1.1 h": where a measured value will lie; empty where
/// that is not known.
std::string range_text(const Choice& choice);

/// What is told of a choice that serves a language model, as a table has it: time to the first
/// token and between two, requests in time a second, USD for 10^6 tokens; empty of others.
std::vector<std::string> served_figures(const Choice& choice);

/// " (113,000 tokens/s)" of a language model; else empty.
std::string tokens_text(const Choice& choice);

/// How likely a layout is the fastest of those beside it; empty where that was not asked for.
std::string best_text(const Recommendation& recommendation);

/// Of how many layouts the choices are those that fit, and what the search rests on; else empty.
std::string layouts_text(const Recommendation& recommendation);

/// The best choice at a higher chance, or that there is none.
std::string surer_text(const SurerChoice& surer);

/// That chance decides whether it meets a constraint, where it does; else empty.
std::string chance_doubt(const Choice& choice);

/// All options that a simulation of the scenario as chosen takes, as a shell takes them: those of
/// the search, then "--set 'system.gpu=2 x nvidia-l4'".
std::vector<std::string> options_text(const Recommendation& one, const Choice& choice);

/// "3.2 kW", "power not known".
std::string power_text(const Choice& choice);

/// A constraint that is not met, and the closest that can be attained.
std::string obstacle_text(const Obstacle& obstacle);

/// How many choices were excluded by what: "of 192 choices 18 cannot be built, ...".
std::string proof_text(const Recommendation& recommendation);

/// What counts as equal, and what that leaves to say of all other choices; empty where what is
/// wanted is known exactly.
std::string equals_text(const Recommendation& recommendation);

/// What that rests on where price and power are sums; else empty.
std::string sums_text(const Recommendation& recommendation);

/// The answer to a goal as a screen: what to choose, what proves it; or what stands in the way.
std::string to_text(const Recommendation& recommendation);

}  // namespace gpufeed
