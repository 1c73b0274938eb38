// SPDX-License-Identifier: Apache-2.0
#include "ui/window/offscreen.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <backends/imgui_impl_opengl3.h>
#include <fmt/format.h>
#include <stb/stb_image_write.h>

#include <stdexcept>
#include <vector>

#include "sim/base/files/write_whole.h"
#include "ui/window/gl_frame.h"

namespace gpufeed::ui {
namespace {

/// An OpenGL context over a picture in memory.
class Offscreen {
 public:
  Offscreen(int width, int height) {
    display_ = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
    if (display_ == EGL_NO_DISPLAY || !eglInitialize(display_, nullptr, nullptr))
      fail("no EGL without a display");
    eglBindAPI(EGL_OPENGL_API);
    const EGLint wanted[] = {EGL_SURFACE_TYPE,
                             EGL_PBUFFER_BIT,
                             EGL_RENDERABLE_TYPE,
                             EGL_OPENGL_BIT,
                             EGL_RED_SIZE,
                             8,
                             EGL_GREEN_SIZE,
                             8,
                             EGL_BLUE_SIZE,
                             8,
                             EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    if (!eglChooseConfig(display_, wanted, &config, 1, &count) || count == 0)
      fail("no picture in memory");
    const EGLint size[] = {EGL_WIDTH, width, EGL_HEIGHT, height, EGL_NONE};
    surface_ = eglCreatePbufferSurface(display_, config, size);
    const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3, EGL_NONE};
    context_ = eglCreateContext(display_, config, EGL_NO_CONTEXT, version);
    if (!eglMakeCurrent(display_, surface_, surface_, context_)) fail("no OpenGL 3.3");
  }
  ~Offscreen() {
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglTerminate(display_);
  }
  Offscreen(const Offscreen&) = delete;
  Offscreen& operator=(const Offscreen&) = delete;

 private:
  [[noreturn]] static void fail(const char* what) {
    throw std::runtime_error(
        fmt::format("cannot draw a picture: {} (EGL error {:#x})", what, eglGetError()));
  }

  EGLDisplay display_ = EGL_NO_DISPLAY;
  EGLSurface surface_ = EGL_NO_SURFACE;
  EGLContext context_ = EGL_NO_CONTEXT;
};

void draw_frame(App& app, int width, int height) {
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
  io.DeltaTime = 1.0F / 60;
  begin_gl_frame(app);
  ImGui::NewFrame();
  app.draw();
  ImGui::Render();
  glViewport(0, 0, width, height);
  glClearColor(0, 0, 0, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

void write_png(int width, int height, const std::string& file) {
  std::vector<unsigned char> pixels(static_cast<std::size_t>(width) *
                                    static_cast<std::size_t>(height) * 3);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, pixels.data());
  stbi_flip_vertically_on_write(1);  // OpenGL's first line is the lowest
  std::string png;
  const auto append = [](void* to, void* from, int size) {
    static_cast<std::string*>(to)->append(static_cast<const char*>(from),
                                          static_cast<std::size_t>(size));
  };
  if (stbi_write_png_to_func(append, &png, width, height, 3, pixels.data(), width * 3) == 0)
    throw std::runtime_error("a picture cannot be made of what was drawn");
  write_whole("--screenshot " + file, file, png);
}

}  // namespace

void write_picture(App& app, int width, int height, const std::string& file) {
  const Offscreen offscreen(width, height);
  if (!ImGui_ImplOpenGL3_Init("#version 330 core"))
    throw std::runtime_error("cannot draw a picture: no OpenGL 3.3");
  constexpr int kFrames = 16;  // until sizes are known and dialogs have faded in
  for (int i = 0; i < kFrames; ++i) {
    draw_frame(app, width, height);
    app.finish_effects();
  }
  write_png(width, height, file);
  ImGui_ImplOpenGL3_Shutdown();
}

}  // namespace gpufeed::ui
