// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/window/kit/screen.h"

namespace gpufeed::ui {

/// One frame: everything, as the session and the state of the view say.
void draw_screen(Screen& screen);

}  // namespace gpufeed::ui
