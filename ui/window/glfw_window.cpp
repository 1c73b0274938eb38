// SPDX-License-Identifier: Apache-2.0
#include "ui/window/glfw_window.h"

#define GLFW_INCLUDE_NONE
#include <GL/gl.h>
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <fmt/format.h>

#include <atomic>
#include <optional>
#include <vector>

#include "sim/base/diagnostics.h"

namespace gpufeed::ui {
namespace {

std::atomic<bool> shown = false;

[[noreturn]] void refuse(const std::string& what) {
  const char* reason = nullptr;
  glfwGetError(&reason);
  throw InputError({{{"gpufeed ui", 0, 0},
                     fmt::format("{}{}{}; --screenshot FILE draws into a picture instead", what,
                                 reason ? ": " : "", reason ? reason : "")}});
}

/// The key that the keyboard's layout has here, in GLFW's numbers, which else go by the place on an
/// American keyboard: on a German one, Y and Z would be changed about.
int key_by_layout(int key, int scancode) {
  const char* const name = glfwGetKeyName(key, scancode);
  const bool digit = key >= GLFW_KEY_0 && key <= GLFW_KEY_9;  // by its place: Shift may make it one
  if (digit || !name || name[0] == '\0' || name[1] != '\0') return key;
  if (name[0] >= 'a' && name[0] <= 'z') return GLFW_KEY_A + (name[0] - 'a');
  if (name[0] == '+') return GLFW_KEY_EQUAL;
  return name[0] == '-' ? GLFW_KEY_MINUS : key;
}

std::optional<Command> command_of(int key, int mods) {
  if (key == GLFW_KEY_F1) return Command::keys;
  if (key == GLFW_KEY_F5) return Command::start;
  if ((mods & GLFW_MOD_CONTROL) == 0) return {};
  switch (key) {
    case GLFW_KEY_N:
      return Command::build;
    case GLFW_KEY_E:
      return Command::settings;
    case GLFW_KEY_L:
      return Command::copy_command;
    case GLFW_KEY_O:
      return Command::open;
    case GLFW_KEY_S:
      return Command::save;
    case GLFW_KEY_Z:
      return (mods & GLFW_MOD_SHIFT) != 0 ? Command::redo : Command::undo;
    case GLFW_KEY_Y:
      return Command::redo;
    case GLFW_KEY_P:
      return Command::pin;
    case GLFW_KEY_1:
      return Command::show_machine;
    case GLFW_KEY_2:
      return Command::show_timeline;
    case GLFW_KEY_3:
      return Command::show_what_if;
    case GLFW_KEY_4:
      return Command::show_sweep;
    case GLFW_KEY_5:
      return Command::show_find;
    case GLFW_KEY_6:
      return Command::show_compare;
    case GLFW_KEY_7:
      return Command::show_explain;
    case GLFW_KEY_T:
      return Command::theme;
    case GLFW_KEY_EQUAL:
    case GLFW_KEY_KP_ADD:
      return Command::larger;
    case GLFW_KEY_MINUS:
    case GLFW_KEY_KP_SUBTRACT:
      return Command::smaller;
    case GLFW_KEY_0:
    case GLFW_KEY_KP_0:
      return Command::normal_size;
    default:
      return {};
  }
}

/// Keys since the last frame: ImGui 1.86 would lose those that are pressed and released in one.
struct Keys {
  std::vector<Command> commands;
};

void on_key(GLFWwindow* window, int key, int scancode, int action, int mods) {
  auto* keys = static_cast<Keys*>(glfwGetWindowUserPointer(window));
  if (action == GLFW_RELEASE) return;
  if (const auto command = command_of(key_by_layout(key, scancode), mods))
    keys->commands.push_back(*command);
}

/// In a field of text, undo is of the text.
bool is_for_text(Command command) {
  return ImGui::GetIO().WantTextInput && (command == Command::undo || command == Command::redo);
}

class Window {
 public:
  Window(int width, int height, ViewState& view) {
    if (!glfwInit()) refuse("there is no display");
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    window_ = glfwCreateWindow(width, height, "gpufeed", nullptr, nullptr);
    if (!window_) {
      glfwTerminate();
      refuse("no window can be opened");
    }
    float x = 1, y = 1;
    glfwGetWindowContentScale(window_, &x, &y);
    view.display_scale = std::max(x, 1.0F);
    view.scale *= view.display_scale;
    glfwMakeContextCurrent(window_);
    glfwSwapInterval(1);
    glfwSetWindowUserPointer(window_, &keys_);
    glfwSetKeyCallback(window_, on_key);  // before ImGui's, which calls it
    ImGui_ImplGlfw_InitForOpenGL(window_, true);
    ImGui::GetIO().ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    ImGui::GetIO().ConfigInputTextCursorBlink = false;  // or an idle window would draw frames
    ImGui_ImplOpenGL3_Init("#version 330 core");
    shown = true;
  }
  ~Window() {
    shown = false;
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    glfwDestroyWindow(window_);
    glfwTerminate();
  }
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  bool open() const { return !glfwWindowShouldClose(window_); }

  void frame(App& app) {
    for (const Command command : std::exchange(keys_.commands, {}))
      if (!is_for_text(command)) app.carry_out(command);
    if (app.refresh_fonts()) ImGui_ImplOpenGL3_DestroyDeviceObjects();
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
    app.draw();
    ImGui::Render();
    int width = 0, height = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    glViewport(0, 0, width, height);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    glfwSwapBuffers(window_);
    app.shown();
  }

 private:
  GLFWwindow* window_ = nullptr;
  Keys keys_;
};

}  // namespace

void wake_window() {
  if (shown) glfwPostEmptyEvent();
}

void run_window(App& app, int width, int height) {
  Window window(width, height, app.view());
  constexpr int kFramesAfter = 4;  // ImGui needs some until all has settled
  int frames = kFramesAfter;
  while (window.open()) {
    if (frames > 0) {
      glfwPollEvents();
      --frames;
    } else {
      glfwWaitEvents();
      frames = kFramesAfter;
    }
    if (app.poll()) frames = kFramesAfter;
    window.frame(app);
  }
}

}  // namespace gpufeed::ui
