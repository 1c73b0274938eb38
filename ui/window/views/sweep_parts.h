// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "ui/model/decide/chart.h"
#include "ui/model/decide/cost_curve.h"
#include "ui/window/kit/screen.h"

// The parts of the view of a sweep, in files of their own.
namespace gpufeed::ui {

void draw_sweep_chart(Screen& screen, ImVec2 size);
void draw_sweep_table(Screen& screen, ImVec2 size);
/// Two axes as a map of colors; each field says its value.
void draw_heat_map(Screen& screen, const Chart& chart, const Figure& figure);

/// What a figure takes in dollars, with the front on a line of its own; a click loads a point.
/// \param words  of a point, for its tooltip   \param load  is told the number of one clicked
void draw_cost_curve(Screen& screen, const CostCurve& curve, const Figure& figure,
                     const std::function<std::string(std::size_t)>& words,
                     const std::function<void(std::size_t)>& load);

/// Opens the scenario of a point; undo leads back.
void load_point(Screen& screen, std::size_t point);
/// "3 workers, 64: 1,542 /s", and what a click does.
std::string words_of_point(const Screen& screen, std::size_t point, const Figure& figure);

}  // namespace gpufeed::ui
