// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/window/app.h"

namespace gpufeed::ui {

/// Begins a frame that OpenGL draws, with the fonts that are wanted now.
void begin_gl_frame(App& app);

}  // namespace gpufeed::ui
