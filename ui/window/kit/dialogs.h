// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/window/kit/screen.h"

namespace gpufeed::ui {

/// A dialog in the middle of the window, of a size as of scale 1; `end_dialog` follows where it is
/// open.
bool begin_dialog(Screen& screen, const char* name, ImVec2 size);
void end_dialog();
void close_dialog(Screen& screen);

}  // namespace gpufeed::ui
