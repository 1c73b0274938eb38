// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "ui/window/kit/screen.h"

namespace gpufeed::ui {

/// Points on the screen that a line goes through.
using Path = std::vector<ImVec2>;
/// From a place in the picture to one on the screen.
using ToScreen = std::function<ImVec2(float x, float y)>;

/// Where a link between two boxes is drawn.
Path path_of_link(const Picture& picture, const Wire& wire, const ToScreen& to_screen);

/// Of a point from the line between two others.
float distance(ImVec2 a, ImVec2 b, ImVec2 p);

}  // namespace gpufeed::ui
