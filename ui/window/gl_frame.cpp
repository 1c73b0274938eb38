// SPDX-License-Identifier: Apache-2.0
#include "ui/window/gl_frame.h"

#include <backends/imgui_impl_opengl3.h>

namespace gpufeed::ui {

void begin_gl_frame(App& app) {
  ImGui_ImplOpenGL3_NewFrame();
  if (!app.refresh_fonts()) return;
  // The texture alone: the back end of 1.86 takes buffers that it makes anew for as large as the
  // old ones, and draws nothing until a larger frame comes.
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
}

}  // namespace gpufeed::ui
