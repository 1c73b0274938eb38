// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ui/window/app.h"

namespace gpufeed::ui {

/// Draws the window as it stands into a PNG, without a display (EGL, surfaceless).
/// \throws InputError  where the file cannot be written; runtime_error without EGL
void write_picture(App& app, int width, int height, const std::string& file);

}  // namespace gpufeed::ui
