// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/model/study/observed.h"

namespace gpufeed {

/// A number of a scenario, and what one run says of it.
struct AnchorNumber {
  std::string name;
  std::string path;
  std::string basis;
  std::string unit;
  std::optional<double> stated;
  double stated_deviation = 0;
  std::optional<double> value;
  std::optional<double> deviation;
  std::optional<double> at_least;
  std::optional<double> at_most;
  double elasticity = 0;
  double misfit = 0;
  std::vector<std::string> set;
  std::string check;
  std::vector<Sighting> predictions;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using N = AnchorNumber;
    visit(key("name", &N::name, "the key, and whose it is"));
    visit(key("path", &N::path, "as --set names it; of several places the first"));
    visit(key("basis", &N::basis, "how what is stated is known; or \"not stated\""));
    visit(key("unit", &N::unit, "of the values; empty: a share"));
    visit(key("stated", &N::stated, "what the scenario says; null: nothing"));
    visit(key("stated_deviation", &N::stated_deviation,
              "how far off a value of this basis may be: one standard deviation of its logarithm"));
    visit(key("value", &N::value, "what the run says; null: it sets none"));
    visit(key("deviation", &N::deviation, "one standard deviation of that, over it"));
    visit(key("at_least", &N::at_least, "where the run gives a bound alone"));
    visit(key("at_most", &N::at_most, "where the run gives a bound alone"));
    visit(key("elasticity", &N::elasticity,
              "of what was seen, from what is stated to the value: 1 where it follows"));
    visit(key("misfit", &N::misfit,
              "with it: sum over all observations of ((predicted - seen) / spread)^2"));
    visit(key("set", &N::set, "PATH=VALUE, which --set takes"));
    visit(key("check", &N::check, "what would tell it otherwise"));
    visit(key("predictions", &N::predictions, "what would be seen with it"));
  }
};

/// The number that one measured run sets, and what it leaves open.
struct Anchor {
  std::string title;
  std::string run;
  std::vector<Sighting> before;
  double misfit = 0;
  AnchorNumber number;
  bool tie = false;
  std::vector<AnchorNumber> as_well;
  std::string telling;
  std::vector<Sighting> left;
  std::vector<AnchorNumber> bounded;
  std::vector<std::string> unmoved;
  std::vector<std::string> too_weak;

  template <class Visit>
  static constexpr void fields(Visit&& visit) {
    using A = Anchor;
    visit(key("title", &A::title, "of the scenario"));
    visit(key("run", &A::run, "what the file of observations calls itself"));
    visit(key("before", &A::before, "what was seen, and predicted of the scenario as it is"));
    visit(key("misfit", &A::misfit, "of the scenario as it is"));
    visit(key("number", &A::number, "what the run sets"));
    visit(key("tie", &A::tie, "whether another explains the run about as well"));
    visit(key("as_well", &A::as_well,
              "numbers that would explain the run in its place, the likeliest first"));
    visit(key("telling", &A::telling,
              "a key that was not observed and that differs most between these; empty: none"));
    visit(key("left", &A::left, "what was seen and is still far off, as the number moves it not"));
    visit(key("bounded", &A::bounded, "of which the run gives a bound alone"));
    visit(key("unmoved", &A::unmoved, "open numbers that move nothing of what was seen"));
    visit(key("too_weak", &A::too_weak, "that move it by less than it is known"));
  }
};

}  // namespace gpufeed
