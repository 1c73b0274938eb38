// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/window/app.h"

namespace gpufeed::ui {

/// Wakes the window that waits for something to happen; from any thread.
void wake_window();

/// Shows the window until it is closed.
/// \throws InputError  where there is no display, or no OpenGL on it
void run_window(App& app, int width, int height);

}  // namespace gpufeed::ui
