// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/model/result/result.h"

namespace gpufeed::ui {

/// How a card stands out.
enum class Mood { plain, good, poor };

/// One of the figures that are always in sight.
struct Card {
  std::string title;
  std::string value;
  std::string detail;  ///< one line
  std::string more;    ///< another one: ranges, what it costs
  std::string why;     ///< what the term means, and all that the figure rests on
  Mood mood = Mood::plain;
};

/// What a result does not say of itself.
struct CardContext {
  bool whole = true;                ///< nothing more is on its way, such as the range
  std::string samples = "samples";  ///< what the job's samples are: "images"
  std::string without_price = {};   ///< the products of `Result::without_price` by their titles
  std::string without_power = {};
};

/// Of training: rate in the job's unit, GPU utilization, largest loss, time and cost to the result,
/// GPU memory where it is known, price, certainty. Kinds of work that train nothing have no rate of
/// samples: their first two cards say so, then come bottleneck, price, power, certainty. What is
/// not known yet is blank.
std::vector<Card> cards_of(const Result& result, const CardContext& context = {});

/// How far another run's rate may lie, relative: half width of the 95 % interval. Infinite
/// where too few steps tell it.
double uncertainty(const Result& result);
/// The same in words: "± 0.22 %".
std::string certainty_text(const Result& result);

}  // namespace gpufeed::ui
