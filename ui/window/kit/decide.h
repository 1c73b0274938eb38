// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "ui/model/build/parameters.h"
#include "ui/model/decide/comparison.h"
#include "ui/model/decide/goal_form.h"
#include "ui/model/decide/pins.h"
#include "ui/model/decide/seen_form.h"
#include "ui/model/decide/sweep_form.h"
#include "ui/model/decide/tick_form.h"

namespace gpufeed::ui {

/// What the right side of the window shows below the cards.
enum class Page { machine, timeline, path, what_if, sweep, find, compare, explain };

/// What the comparison remembers between frames.
struct CompareState {
  Pins pins;
  bool all_rows = false;  ///< those that are equal, too
  // Made anew when the session or the pins change.
  std::uint64_t version = 0;
  std::string letters;
  Comparison comparison;
};

/// What the time line remembers.
struct TimelineState {
  std::size_t stretch = 0;      ///< which steps
  double from_s = 0, to_s = 0;  ///< in sight, since the epoch began
  const Result* of = nullptr;   ///< another one is shown whole
};

/// How the points of a sweep are drawn.
enum class SweepDrawn { lines, map, cost };

/// What the sweep's form and chart remember.
struct SweepState {
  std::array<AxisForm, 2> forms;  ///< an empty path: no such axis
  std::vector<Problem> problems;  ///< why the form cannot be started
  std::size_t figure = 0;         ///< of `figures`, on the chart
  SweepDrawn drawn = SweepDrawn::lines;
  // Made anew when the session changes.
  std::uint64_t version = 0;
  std::vector<Parameter> parameters;
};

/// What the search for the best configuration remembers.
struct FindState {
  GoalForm form;
  Aim asked = Aim::cheapest;  ///< of the answer
  std::string problem;        ///< why the form cannot be started
  std::string search;         ///< of a product to add
  std::vector<TickGroup> groups;
  std::string own_of, own;  ///< a value that is typed, and of which key
  // Made anew when the session changes.
  std::uint64_t version = 0;
  std::vector<Parameter> parameters;
};

/// What was seen on a real run.
struct ExplainState {
  std::vector<SeenField> fields = seen_fields();
};

}  // namespace gpufeed::ui
