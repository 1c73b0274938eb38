// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ui/model/decide/sweep_form.h"
#include "ui/window/kit/screen.h"

namespace gpufeed::ui {

/// What the form of an axis is called; tests know its fields by these, too.
struct AxisLabels {
  std::string heading;
  std::string none;       ///< on the button, as long as nothing is chosen
  std::string parameter;  ///< the button's name for tests
  std::string values, from, to, count;
  std::string number;  ///< among the axes of one view
};

/// A parameter to choose, and its values. \param suggest  the form of a parameter once it is chosen
void draw_axis_form(Screen& screen, AxisForm& form, const AxisLabels& labels,
                    const std::vector<Parameter>& parameters,
                    AxisForm (*suggest)(const Parameter&));

}  // namespace gpufeed::ui
